import { SEVERITY } from "@/components/findings/finding-words";
import { RuleLink } from "@/components/preview/results/rule-link";
import type { Column } from "@/components/resource/view";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { Json } from "@/components/ui/json/json";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { WithCode } from "@/components/ui/json/with-code";
import type { FindingRow } from "@/lib/contracts/decisions/finding";

type Ref = Parameters<typeof RuleLink>[0]["rule"];

interface FindingItemProps {
  finding: FindingRow;
  /** Shown on the page of the row that it is about. */
  here?: boolean;
  /** The parts to show with the finding; absent = all. */
  parts?: readonly Column<FindingRow>[];
  compact?: boolean;
}

/** The parts of a finding. */
export const FINDING_PARTS: readonly Column<FindingRow>[] = [
  { id: "text", header: "Finding", fields: ["kind", "severity", "text"], cell: ({ text }) => <WithCode text={text} /> },
  { id: "fix", header: "What to do", cell: ({ fix }) => <WithCode text={fix} /> },
  { id: "refs", header: "Where", fields: ["about", "refs"], cell: (finding) => <Where finding={finding} /> },
  {
    id: "witness",
    header: "Claims that show it",
    cell: (finding) => finding.witness !== null && <Witness finding={finding} witness={finding.witness} />,
  },
];

/** One finding: what, where, what to do, and the claims that show it. */
export function FindingItem({ finding, here = false, parts = FINDING_PARTS, compact = false }: FindingItemProps) {
  const { severity, text, fix, witness } = finding;
  const shown = new Set(parts.map(({ id }) => id));
  const { word, tone } = SEVERITY[severity];
  return (
    <li
      data-row={finding.id}
      tabIndex={-1}
      className={cn(
        "flex flex-col border-b border-line last:border-b-0 focus-visible:-outline-offset-2",
        compact ? "gap-0.5" : "gap-1.5",
        here ? "px-3 py-2" : compact ? "px-5 py-1.5" : "px-5 py-2.5",
      )}
    >
      <div className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
        <Badge tone={tone}>{word}</Badge>
        <p className="min-w-0 flex-1 text-sm text-pretty">
          <WithCode text={text} />
        </p>
      </div>
      <p className="flex flex-wrap gap-x-3 gap-y-1 text-xs text-pretty text-muted empty:hidden">
        {shown.has("fix") && (
          <span>
            <WithCode text={fix} />
          </span>
        )}
        {shown.has("refs") && <Where finding={finding} here={here} />}
      </p>
      {shown.has("witness") && witness !== null && <Witness finding={finding} witness={witness} />}
    </li>
  );
}

function Where({ finding: { about, refs }, here = false }: Pick<FindingItemProps, "finding" | "here">) {
  return (
    <>
      {!here && <About about={about} />}
      {refs.map((ref) => (
        <RuleLink key={`${ref.kind} ${ref.name}`} rule={ref as Ref} />
      ))}
    </>
  );
}

function About({ about }: Pick<FindingRow, "about">) {
  if (about.kind !== "profile") return <RuleLink rule={about} />;
  return (
    <TextLink href="/admin/profiles" className="text-xs">
      profile {about.name}
    </TextLink>
  );
}

function Witness({ finding, witness }: { finding: FindingRow; witness: NonNullable<FindingRow["witness"]> }) {
  const { claims, matched, grantedGroups, at } = witness;
  const never = finding.kind === "never_matches";
  return (
    <details className="text-xs">
      <summary className="w-fit cursor-pointer rounded-sm text-muted hover:text-ink">
        {never ? "Claims that come close, and still do not match" : "Claims that show it"}
      </summary>
      <div className="mt-2 grid max-w-3xl gap-2">
        <Json value={claims} label={`claims of ${finding.about.name}`} />
        <p className="text-muted">
          The resolver, asked for <Time at={at} />: matches {listOf(matched, "no policy")}; grants{" "}
          {listOf(grantedGroups, "no group")}.
        </p>
      </div>
    </details>
  );
}

const MOST_NAMED = 12;

function listOf(names: readonly string[], none: string) {
  if (names.length === 0) return none;
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
  return (
    <WithCode
      text={`${names
        .slice(0, MOST_NAMED)
        .map((name) => `\`${name}\``)
        .join(", ")}${more}`}
    />
  );
}
