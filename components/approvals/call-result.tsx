import { LoggedReason } from "@/components/executions/logged-reason";
import { StatusBadge } from "@/components/executions/status-badge";
import { useExecution } from "@/components/executions/use-execution";
import { Section } from "@/components/preview/results/explanation";
import { ProblemNote } from "@/components/resource/problem-note";
import { Json } from "@/components/ui/json/json";
import { Skeleton } from "@/components/ui/skeleton";
import { WithCode } from "@/components/ui/json/with-code";
import type { ApprovalDetail } from "@/lib/contracts/log/approval";
import { MASK } from "@/lib/resources/parts/words";

/** Milliseconds between two reads of a running call. */
const POLL_MS = 1_000;

/** The result of a call that no longer waits for approval. Polls until the call has ended. */
export function CallResult({ approval: { id, status } }: { approval: ApprovalDetail }) {
  if (status === "waiting") return null;
  return (
    <Section title="Result">
      <Outcome id={id} />
    </Section>
  );
}

function Outcome({ id }: { id: string }) {
  const execution = useExecution(id, (call) => (hasEnded(call) ? false : POLL_MS));
  if (execution.isLoadingError) return <ProblemNote error={execution.error} onRetry={() => void execution.refetch()} />;
  if (execution.isPending) return <Skeleton className="h-16" />;
  const { error, result, bodiesHidden, status, reason, approval } = execution.data;
  const isRefusedLater = status === "denied" && approval?.status === "approved" && reason !== null;
  return (
    <div aria-live="polite" className="flex flex-col gap-2 text-sm">
      <p>
        <StatusBadge status={status} />
      </p>
      {isRefusedLater && (
        <p>
          Quartermaster refused the call after the approval: <LoggedReason reason={reason} call={execution.data} />. Its
          caller received:
        </p>
      )}
      {error !== null && <WithCode as="p" text={error.message} />}
      {result !== null && <Json value={result} label="result" mask={MASK} />}
      {bodiesHidden && status === "succeeded" && (
        <p className="text-muted">Administrators and auditors can read the result.</p>
      )}
    </div>
  );
}

function hasEnded({ status }: { readonly status: string }): boolean {
  return !["pending", "running", "awaiting_approval"].includes(status);
}
