import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { useListedApproval, type ApprovalAnswer } from "@/components/approvals/use-approvals";
import { useIsShown } from "@/components/resource/use-is-shown";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import { Skeleton } from "@/components/ui/skeleton";
import { VisibleText } from "@/components/ui/visible-text";
import type { ApprovalRow } from "@/lib/contracts/log/approval";

const AnswerDialog = lazyPart(async () => (await import("@/components/approvals/answer-bar")).AnswerDialog);

/**
 * The arguments of a call that waits, short. Sensitive ones are shown on its page only. After the answer the arguments stay;
 * of calls that were answered before, the list reads none, because each read is an audit event.
 */
export function RowArguments({ row }: { row: ApprovalRow }) {
  const approval = useListedApproval(row);
  if (approval.data === undefined) {
    if (row.status !== "waiting") return <span className="text-faint">Open to view</span>;
    return approval.isPending ? <Skeleton className="h-4 w-40" /> : null;
  }
  const { arguments: given, argumentsHidden, sensitive } = approval.data;
  if (argumentsHidden) return <span className="text-muted">hidden from your role</span>;
  if (sensitive.length > 0)
    return <span className="block truncate text-muted">sensitive values: open the approval to see them</span>;
  const text = JSON.stringify(given);
  return (
    <span className="block truncate font-mono text-xs" title={text}>
      <VisibleText text={text} />
    </span>
  );
}

/** The answers to a call that waits, in its row. Afterwards its panel opens and shows the result, except on a phone. */
export function RowAnswer({ row }: { row: ApprovalRow }) {
  const [answer, setAnswer] = useState<ApprovalAnswer | null>(null);
  const [, setPeek] = useQueryState("peek", parseAsString);
  const approval = useListedApproval(row);
  const isShown = useIsShown();
  const close = () => {
    setAnswer(null);
    // Not on another page, to which the person may have gone meanwhile. Not on a phone, where the panel would cover the list.
    if (isShown.current && window.matchMedia("(width >= 40rem)").matches) void setPeek(row.id);
  };
  if (answer === null && (row.status !== "waiting" || approval.data?.mayAnswer !== true)) return null;
  return (
    <span className="relative z-1 flex gap-1">
      <Button size="sm" onClick={() => setAnswer("refuse")}>
        Refuse<span className="sr-only"> {row.toolId}</span>
      </Button>
      <Button size="sm" variant="primary" onClick={() => setAnswer("approve")}>
        Approve<span className="sr-only"> {row.toolId}</span>
      </Button>
      {answer !== null && (
        <AnswerDialog approval={row} answer={answer} onClose={() => setAnswer(null)} onAnswered={close} />
      )}
    </span>
  );
}
