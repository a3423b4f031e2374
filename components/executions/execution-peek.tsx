"use client";

import { ExecutionView } from "@/components/executions/execution-detail";
import { toolOf } from "@/components/executions/reason-words";
import { statusInWords } from "@/components/executions/status-badge";
import { useExecution } from "@/components/executions/use-execution";
import { Peek } from "@/components/resource/peek";

/** One call in a peek panel over the log. */
export function ExecutionPeek({ callId, onClose }: { callId: string; onClose: () => void }) {
  const { data: call } = useExecution(callId);
  return (
    <Peek
      id={callId}
      title={call === undefined ? callId : `${toolOf(call)}: ${statusInWords(call.status)}`}
      description="call"
      href={`/admin/executions/${callId}`}
      onClose={onClose}
    >
      {/* The detail has its own frame. */}
      <div className="-mx-5 -my-4">
        <ExecutionView id={callId} />
      </div>
    </Peek>
  );
}
