import { useEffect, useState } from "react";
import { ImpactCallers } from "@/components/impact/impact-callers";
import { ImpactCalls } from "@/components/impact/impact-calls";
import { AddedFindings, RemovedFindings } from "@/components/impact/impact-findings";
import { argumentsInWords, measuredOf, missingInWords, summaryOf } from "@/components/impact/impact-words";
import { useImpact, type ImpactChange, type Measured } from "@/components/impact/use-impact";
import { useCan } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Skeleton } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time";
import { WithCode } from "@/components/ui/json/with-code";
import type { ImpactOutput } from "@/lib/contracts/decisions/impact";

interface ImpactProps {
  change: ImpactChange | null;
  /** Shown instead of an answer before the first change. */
  unchanged?: string;
  /** The heading, for a page with two impacts. */
  label?: string;
  className?: string;
  /** Whether the change undoes an earlier one. A restore always does. */
  isUndo?: boolean;
  /** Called with whether the shown answer belongs to this change. An error counts as an answer: it must not block a save. */
  onMeasured?: ((measured: boolean) => void) | undefined;
}

/** The live effect of a change: tools before → after for each persona and recent caller, and recent calls. */
export function Impact({ change, unchanged, label = "Impact", className, isUndo = false, onMeasured }: ImpactProps) {
  // Valid for this draft only: the audit trail records every read of logged arguments.
  const [looked, setLooked] = useState<string | null>(null);
  const text = JSON.stringify(change);
  const measured = useImpact(change, looked === text);
  const isMeasured = measured.isError || (measured.data !== undefined && !measured.isPlaceholderData);
  useEffect(() => onMeasured?.(isMeasured), [isMeasured, onMeasured]);
  return (
    <section
      aria-label={label}
      aria-busy={measured.isFetching}
      className={cn("@container flex min-h-0 flex-col rounded-lg border border-line bg-panel", className)}
    >
      <h2 className="border-b border-line px-3 py-2 text-sm font-semibold">Impact</h2>
      {change === null ? (
        <p className="px-3 py-3 text-xs text-pretty text-muted">{unchanged}</p>
      ) : measured.isError ? (
        <WithCode as="p" role="alert" className="px-3 py-3 text-xs text-deny" text={measured.error.message} />
      ) : measured.data === undefined ? (
        <Skeleton className="m-3 h-24" />
      ) : (
        <Answer
          measured={measured.data}
          stale={measured.isPlaceholderData}
          isUndo={isUndo || change.resource === "restore"}
          isChecked={looked === text && !measured.isPlaceholderData}
          onArguments={() => setLooked(text)}
        />
      )}
    </section>
  );
}

interface AnswerProps {
  measured: Measured;
  /** Whether the answer belongs to an earlier draft. */
  stale: boolean;
  isUndo: boolean;
  isChecked: boolean;
  onArguments: () => void;
}

function Answer({ measured, ...answer }: AnswerProps) {
  if (measured.kind === "incomplete")
    return (
      <div className="px-3 py-3 text-xs text-pretty text-muted">
        <p>To see the impact, complete the draft:</p>
        <ul className="mt-1 list-disc pl-4">
          {missingInWords(measured.problems).map((text) => (
            <WithCode as="li" key={text} text={text} />
          ))}
        </ul>
      </div>
    );
  return <Measurement impact={measured.impact} {...answer} />;
}

interface MeasurementProps {
  impact: ImpactOutput;
  stale?: boolean;
  isUndo?: boolean;
  /** Whether logged arguments were checked. */
  isChecked: boolean;
  /** Measures again with the logged arguments. */
  onArguments: () => void;
}

/** A measured impact: its summary, new findings, the callers, the calls, removed findings, and the data behind them. */
export function Measurement({ impact, stale = false, isUndo = false, isChecked, onArguments }: MeasurementProps) {
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label="Callers and calls"
      className={cn("min-h-0 overflow-y-auto transition-opacity", stale && "opacity-55")}
    >
      <p aria-live="polite" className="px-3 py-2 text-xs font-medium text-pretty">
        {summaryOf(impact)}
      </p>
      <AddedFindings findings={impact.findings.added} isUndo={isUndo} />
      <ImpactCallers callers={impact.callers} />
      <ImpactCalls calls={impact.calls} summary={summaryOf(impact)} />
      <RemovedFindings findings={impact.findings.removed} />
      <Basis impact={impact} isChecked={isChecked} onArguments={onArguments} />
    </div>
  );
}

/** The data behind the answer, and its limits. */
function Basis({ impact, isChecked, onArguments }: Pick<MeasurementProps, "impact" | "isChecked" | "onArguments">) {
  const { calls, notKept } = impact;
  const mayRead = useCan("executions:bodies");
  const aboutArguments = argumentsInWords(impact, isChecked);
  return (
    <div className="flex flex-col gap-1.5 border-t border-line px-3 py-2 text-xs text-pretty text-muted">
      <p>
        Checked: {measuredOf(impact)}
        {calls.since !== null && (
          <>
            , the first <Time at={calls.since} />
          </>
        )}
        .
      </p>
      {aboutArguments !== null && (
        <p aria-live="polite">
          {aboutArguments}{" "}
          {mayRead && !isChecked && (
            <Button size="sm" variant="ghost" onClick={onArguments} className="-my-1 h-6 text-xs">
              Check logged arguments
            </Button>
          )}
        </p>
      )}
      {notKept.length > 0 && (
        <p>
          The log does not store <WithCode text={notKept.map((path) => `\`${path}\``).join(", ")} />: here, policies see
          this value as missing or masked.
        </p>
      )}
    </div>
  );
}
