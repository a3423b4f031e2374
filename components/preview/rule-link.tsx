import { TextLink } from "@/components/ui/text-link";
import type { ExplanationOutput } from "@/lib/resources/preview";

type Ref = ExplanationOutput["steps"][number]["refs"][number];

const PLACES: Readonly<Record<Ref["kind"], string | null>> = {
  policy: "policies",
  group: "groups",
  tool: "tools",
  source: "sources",
  machine: "machines",
  intent: "intents",
  // Code-defined: there is nothing to edit, only what waits in it.
  profile: "profiles",
  // Built in.
  settings: null,
  pause: null,
};

/** Names that stand for something built in rather than for a row. */
const BUILT_IN = new Set(["default", "(ungrouped)", "*", ""]);

/** A rule that decided, linked to its editor. */
export function RuleLink({ rule }: { rule: Ref }) {
  const place = PLACES[rule.kind];
  const label = `${rule.kind} ${rule.name}`;
  if (place === null || BUILT_IN.has(rule.name)) return <span className="text-xs text-muted">{label}</span>;
  return (
    <TextLink href={`/admin/${place}/${encodeURIComponent(rule.name)}`} className="text-xs">
      {label}
    </TextLink>
  );
}
