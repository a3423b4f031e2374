import { TextLink } from "@/components/ui/text-link";
import { grantBehind, isAccessGroup } from "@/lib/access/model/access-names";
import { UNGROUPED } from "@/lib/access/model/configuration";
import type { ExplanationOutput } from "@/lib/contracts/decisions/preview";

type Ref = ExplanationOutput["steps"][number]["refs"][number];

const PLACES: Readonly<Record<Ref["kind"], string | null>> = {
  policy: "policies",
  group: "groups",
  tool: "tools",
  source: "sources",
  machine: "machines",
  flow: "flows",
  agent: "agents",
  persona: "personas",
  intent: "intents",
  // Profiles are defined in code, so the link leads to the tools that drift holds back.
  profile: "profiles",
  // The page of the access request behind the grant.
  grant: "requests",
  // Built in.
  settings: null,
  pause: null,
};

/** Names of built-in rules, which have no row. */
const BUILT_IN = new Set(["default", UNGROUPED, "*", ""]);

/** The log names an access grant among the policies. */
function grantOr(rule: Pick<Ref, "kind" | "name">): Pick<Ref, "kind" | "name"> {
  const grant = rule.kind === "policy" ? grantBehind(rule.name) : null;
  return grant === null ? rule : { kind: "grant", name: grant };
}

/** A rule that decided, linked to its editor. @param at the query of a place on its page, such as `?tab=settings` */
export function RuleLink({ rule, at = "" }: { rule: Ref; at?: string | undefined }) {
  const href = ruleHref(rule);
  const { kind, name } = grantOr(rule);
  const label = `${kind === "flow" ? "flow rule" : kind} ${name}`;
  if (href === null) return <span className="text-xs text-muted">{label}</span>;
  return (
    <TextLink href={`${href}${at}`} className="text-xs">
      {label}
    </TextLink>
  );
}

/** Rules of one kind by their names alone, where a label says what they are. */
export function RuleNames({ kind, names }: { kind: Ref["kind"]; names: readonly string[] }) {
  if (names.length === 0) return "none";
  return (
    <span className="flex flex-wrap gap-x-2">
      {names.map((name) => {
        const href = ruleHref({ kind, name });
        return href === null ? (
          <span key={name}>{name}</span>
        ) : (
          <TextLink key={name} href={href}>
            {name}
          </TextLink>
        );
      })}
    </span>
  );
}

/** The address of a rule; `null` where there is nothing to edit. */
export function ruleHref(rule: Pick<Ref, "kind" | "name">): string | null {
  const { kind, name } = grantOr(rule);
  const place = PLACES[kind];
  return place === null || BUILT_IN.has(name) || isAccessGroup(name)
    ? null
    : `/admin/${place}/${encodeURIComponent(name)}`;
}
