import { FlowImpact } from "@/components/flow/flow-impact";
import { Impact } from "@/components/impact/impact";
import { isFlowChanged, isMeasuredOnCallers, isMeasuredOnCalls, type MeasuredRow } from "@/lib/resources/impacts";

/** An unsaved row; `id` null: a new one, or the settings; `input` null: its deletion. */
export interface RowChange {
  readonly resource: MeasuredRow;
  readonly id: string | null;
  readonly input: (object & { readonly name?: string }) | null;
}

interface RowImpactProps {
  change: RowChange;
  /** The fields that differ from the stored row; absent for a deletion. */
  fields?: readonly string[];
  /** The heading of the impact on callers. */
  label: string;
  /** Whether the change undoes an earlier one. */
  isUndo?: boolean;
  /** Called with whether the impact on callers is measured. Never called for a row that is not measured on callers. */
  onMeasured?: ((measured: boolean) => void) | undefined;
}

/** The effect of an unsaved row on callers and on past calls, as the table of impacts says. */
export function RowImpact({ change: { resource, ...row }, fields, label, isUndo, onMeasured }: RowImpactProps) {
  const isReplayed =
    isMeasuredOnCalls(resource) && isInForce(row.input) && (fields === undefined || isFlowChanged(resource, fields));
  return (
    <>
      {isMeasuredOnCallers(resource) && (
        <Impact change={{ resource, ...row }} label={label} isUndo={isUndo ?? false} onMeasured={onMeasured} />
      )}
      {isReplayed && (
        <FlowImpact change={{ resource, ...row }} note="Decides past calls again, beginning without labels." />
      )}
    </>
  );
}

/** Whether the row takes part in decisions once it is saved. An inactive or observed rule has no effect on calls. */
function isInForce(input: object | null): boolean {
  const { active, mode } = (input ?? {}) as { readonly active?: unknown; readonly mode?: unknown };
  return active !== false && mode !== "observe";
}
