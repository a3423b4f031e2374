"use client";

import { ExecutionView } from "@/components/executions/execution-detail";
import { Peek } from "@/components/resource/peek";

/** One call in a peek panel over the log. */
export function ExecutionPeek({ callId, onClose }: { callId: string; onClose: () => void }) {
  return (
    <Peek id={callId} title={callId} description="call" href={`/admin/executions/${callId}`} onClose={onClose}>
      {/* The detail has its own frame. */}
      <div className="-mx-5 -my-4">
        <ExecutionView id={callId} />
      </div>
    </Peek>
  );
}
