import { FindingPlaces } from "@/components/findings/finding-places";
import { SEVERITY } from "@/components/findings/finding-words";
import { Badge } from "@/components/ui/badge";
import { Json } from "@/components/ui/json/json";
import { Time } from "@/components/ui/time";
import { WithCode } from "@/components/ui/json/with-code";
import { listFirst } from "@/lib/access/model/lists";
import type { FindingRow } from "@/lib/contracts/decisions/finding";

interface FindingItemProps {
  finding: FindingRow;
  /** Whether this is on the page of the row that the finding is about. */
  here?: boolean;
}

/** One finding: its text, what to do, the rules that it names, and the claims that show it. */
export function FindingItem({ finding, here = false }: FindingItemProps) {
  const { severity, text, fix, witness } = finding;
  const { word, tone } = SEVERITY[severity];
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
        <Badge tone={tone}>{word}</Badge>
        <WithCode as="p" className="min-w-0 flex-1 text-sm text-pretty" text={text} />
      </div>
      <p className="flex flex-wrap gap-x-3 gap-y-1 text-xs text-pretty text-muted">
        <WithCode as="span" text={fix} />
        <FindingPlaces finding={finding} here={here} />
      </p>
      {witness !== null && <Witness finding={finding} witness={witness} />}
    </div>
  );
}

function Witness({ finding, witness }: { finding: FindingRow; witness: NonNullable<FindingRow["witness"]> }) {
  const { claims, matched, grantedGroups, at } = witness;
  const never = finding.kind === "never_matches";
  return (
    <details className="text-xs">
      <summary className="w-fit cursor-pointer rounded-sm text-muted hover:text-ink">
        {never ? "Claims that almost match" : "Claims of an affected caller"}
      </summary>
      <div className="mt-2 grid max-w-3xl gap-2">
        <Json value={claims} label={`claims of ${finding.about.name}`} />
        <p className="text-muted">
          At <Time at={at} exact />, these claims match {listOf(matched, "no policy")} and are granted{" "}
          {listOf(grantedGroups, "no group")}.
        </p>
      </div>
    </details>
  );
}

const MAX_NAMED = 12;

function listOf(names: readonly string[], none: string) {
  if (names.length === 0) return none;
  return <WithCode text={listFirst(names, MAX_NAMED, (name) => `\`${name}\``)} />;
}
