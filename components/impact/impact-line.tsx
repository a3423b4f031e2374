import { findingsInWords, summaryOf } from "@/components/impact/impact-words";
import { useImpact, type ImpactChange } from "@/components/impact/use-impact";
import { cn } from "@/components/ui/cn";
import type { ImpactOutput } from "@/lib/contracts/decisions/impact";

/** The impact of a draft in one line, while a person edits. Hidden while the draft is incomplete. */
export function ImpactLine({ change }: { change: ImpactChange }) {
  const measured = useImpact(change);
  if (measured.isError)
    return <p className="min-w-0 truncate text-xs text-deny">Impact unknown: {measured.error.message}</p>;
  if (measured.data?.kind !== "impact") return null;
  const { impact } = measured.data;
  const takesAccess = impact.callers.some(({ lost }) => lost.count > 0) || impact.calls.refused.length > 0;
  const { added, removed } = impact.findings;
  const text = [
    summaryOf(impact),
    ...(added.count === 0 ? [] : [`${findingsInWords("added", added.count)}: ${firstOf(added)}`]),
    ...(removed.count === 0 ? [] : [`${findingsInWords("removed", removed.count)}.`]),
  ].join(" ");
  return (
    <p
      aria-live="polite"
      title={text}
      className={cn(
        "line-clamp-2 min-w-0 text-xs transition-opacity",
        takesAccess ? "text-deny" : "text-muted",
        measured.isPlaceholderData && "opacity-55",
      )}
    >
      {text}
    </p>
  );
}

/** The first finding. The review lists them all. */
function firstOf({ count, items: [first] }: ImpactOutput["findings"]["added"]): string {
  return `${first?.text.replaceAll("`", "") ?? ""}${count > 1 ? " …" : ""}`;
}
