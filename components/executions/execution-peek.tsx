import { ExecutionView } from "@/components/executions/execution-detail";
import { toolOf } from "@/components/executions/reason-words";
import { statusInWords } from "@/components/executions/status-badge";
import { useExecution } from "@/components/executions/use-execution";
import { Peek } from "@/components/resource/peek";
import type { ExecutionDetail } from "@/lib/contracts/log/execution";
import { isRefusedAttempts } from "@/lib/contracts/log/refused-attempts";

/** The panel's title, such as "support:refund_order: refused". */
function titleOf(call: ExecutionDetail): string {
  return isRefusedAttempts(call) ? "Refused attempts" : `${toolOf(call)}: ${statusInWords(call.status)}`;
}

/** One call in a peek panel over the log. */
export function ExecutionPeek({ callId, onClose }: { callId: string; onClose: () => void }) {
  const { data: call } = useExecution(callId);
  return (
    <Peek
      id={callId}
      title={call === undefined ? callId : titleOf(call)}
      description="call"
      href={`/admin/executions/${callId}`}
      onClose={onClose}
    >
      {/* Removes the panel's padding: the detail has its own. */}
      <div className="-mx-5 -my-4">
        <ExecutionView id={callId} />
      </div>
    </Peek>
  );
}
