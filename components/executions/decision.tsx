import { LoggedReason } from "@/components/executions/logged-reason";
import { Replay } from "@/components/executions/replay";
import { stateInWords } from "@/components/executions/state-words";
import { ExplanationView } from "@/components/preview/results/explanation";
import { useExplanation } from "@/components/preview/use-preview";
import { Problem } from "@/components/resource/request";
import { Skeleton } from "@/components/ui/skeleton";
import type { ExecutionDetail } from "@/lib/contracts/log/execution";

interface DecisionProps {
  execution: ExecutionDetail;
  /** The viewer may approve the waiting call, so the trace shows even without the permission to read bodies. */
  approving?: boolean;
}

/** Says that the steps explain the request of a call, when the call was refused at a later decision. */
function LaterRefusal({ execution }: { execution: ExecutionDetail }) {
  const { status, reason, approval, stateBefore, stateAfter } = execution;
  const isMoved = stateAfter !== null && stateAfter !== stateBefore;
  if (status !== "denied" || reason === null || (approval?.status !== "approved" && !isMoved)) return null;
  return (
    <p className="text-sm text-warn">
      These steps explain the request{isMoved && `, in the state ${stateInWords(stateBefore)}`}. Quartermaster decided
      again before the run{isMoved && `, in the state ${stateInWords(stateAfter)}`}, and refused the call:{" "}
      <LoggedReason reason={reason} call={execution} />.
    </p>
  );
}

/** The decision as it was made: resolved again from the call's own inputs at its revision. */
export function Decision({ execution, approving = false }: DecisionProps) {
  const { callId, toolId, bodiesHidden, claims, revision, at } = execution;
  // Without its revision and its time, the rules of today would be shown as those of the call.
  const made = { executionId: callId, revision, now: at };
  const explained = useExplanation(toolId === null || (claims === null && !approving) ? null : made, toolId);
  const explanation = toolId === null ? undefined : explained.data?.explanations?.[toolId];
  if (toolId === null)
    return (
      <p className="text-sm text-muted">No tool had this name. The caller got the same answer as for a hidden tool.</p>
    );
  if (bodiesHidden && !approving)
    return (
      <p className="text-sm text-muted">
        Only administrators and auditors can see the decision steps, because they show the claims of the caller.
      </p>
    );
  if (claims === null && !approving)
    return (
      <p className="text-sm text-muted">
        The claims of this decision were erased. The policies and groups remain in the row above.
      </p>
    );
  if (explained.isLoadingError)
    return (
      <p className="text-sm text-muted">
        The decision cannot be shown:{" "}
        {explained.error instanceof Problem ? explained.error.message : "it could not be computed."}
      </p>
    );
  if (explained.data === undefined) return <Skeleton className="h-80" />;
  if (explanation === undefined)
    return (
      <p className="text-sm text-muted">This tool is not in the configuration of revision {explained.data.revision}.</p>
    );
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-col items-start gap-2">
        <p className="text-xs text-faint">As decided under revision {explained.data.revision}</p>
        {!bodiesHidden && <Replay callId={callId} />}
      </div>
      <LaterRefusal execution={execution} />
      <ExplanationView explanation={explanation} answer={explained.data} />
    </div>
  );
}
