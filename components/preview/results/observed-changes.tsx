import { RuleLink } from "@/components/preview/results/rule-link";
import { Badge } from "@/components/ui/badge";
import { counted } from "@/components/ui/counted";
import type { PreviewOutput } from "@/lib/contracts/decisions/preview";

type Observed = PreviewOutput["observed"];

/** What the observed rules would do to this caller's list if they were enforced. Hidden without any difference. */
export function ObservedChanges({ observed: { changes, more } }: { observed: Observed }) {
  if (changes.length === 0) return null;
  return (
    <details aria-label="Observed rules" className="rounded-lg border border-line bg-panel px-3 py-2 text-sm">
      <summary className="rounded">
        Observed rules {summaryOf(changes)}
        {more && ", and more"}
      </summary>
      <ul className="mt-2 flex max-h-56 flex-col gap-1 overflow-y-auto">
        {changes.map(({ toolId, change, rule }) => (
          <li key={toolId} className="flex flex-wrap items-baseline gap-x-2">
            <Badge tone={change === "hidden" ? "warn" : "accent"}>
              {change === "hidden" ? "would hide" : "would show"}
            </Badge>
            <span className="min-w-0 font-mono text-xs break-all">{toolId}</span>
            <RuleLink rule={rule} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function summaryOf(changes: Observed["changes"]): string {
  const parts = (["hidden", "shown"] as const).flatMap((way) => {
    const count = changes.filter(({ change }) => change === way).length;
    return count === 0 ? [] : [`would ${way === "hidden" ? "hide" : "show"} ${counted(count, "tool")}`];
  });
  return parts.join(" and ");
}
