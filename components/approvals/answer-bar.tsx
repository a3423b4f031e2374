"use client";

import { Check, X } from "lucide-react";
import { useId, useState, type FormEvent, type KeyboardEvent } from "react";
import { Countdown } from "@/components/approvals/approval-words";
import { useAnswer, type Verdict } from "@/components/approvals/use-approvals";
import { useKey } from "@/components/keyboard/use-key";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/overlays/dialog";
import { Field } from "@/components/ui/forms/field";
import { Kbd } from "@/components/ui/kbd";
import { Textarea } from "@/components/ui/forms/textarea";
import { WithCode } from "@/components/ui/json/with-code";
import type { ApprovalDetail } from "@/lib/contracts/log/approval";

const OWN = {
  caller: "You made this call. Another administrator or editor must answer it.",
  agent: "You created this agent or one of its keys. An administrator or another editor must answer its calls.",
} as const;

/** The answers that this person may give to a waiting call. Keys work on the call's page and in its peek panel. */
export function AnswerBar({ approval }: { approval: ApprovalDetail }) {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const { status, mayAnswer, own } = approval;
  const answerable = mayAnswer && verdict === null;
  if (status !== "waiting") return null;
  if (!mayAnswer)
    return (
      <p className="rounded-md bg-panel px-3 py-2 text-sm text-muted">
        {own === null ? "An administrator or an editor must answer it." : OWN[own]}
      </p>
    );
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-panel px-3 py-2">
      <p className="min-w-0 flex-1 text-sm text-muted max-sm:basis-full">
        This call waits for your answer. <Countdown until={approval.closesAt} />
      </p>
      <Button onClick={() => setVerdict("refuse")}>
        <X aria-hidden /> Refuse <Kbd>x</Kbd>
      </Button>
      <Button variant="primary" onClick={() => setVerdict("approve")}>
        <Check aria-hidden /> Approve <Kbd>a</Kbd>
      </Button>
      {answerable && <AnswerKeys onVerdict={setVerdict} />}
      {verdict !== null && <AnswerDialog approval={approval} verdict={verdict} onClose={() => setVerdict(null)} />}
    </div>
  );
}

function AnswerKeys({ onVerdict }: { onVerdict: (verdict: Verdict) => void }) {
  useKey("approve", () => onVerdict("approve"));
  useKey("refuse", () => onVerdict("refuse"));
  return null;
}

interface AnswerDialogProps {
  approval: Pick<ApprovalDetail, "id" | "toolId" | "agent" | "subject">;
  verdict: Verdict;
  onClose: () => void;
  /** Called instead of `onClose` when the call was answered. */
  onAnswered?: () => void;
}

/** Says what will happen and takes the reason. Ctrl-Enter sends it. */
export function AnswerDialog({
  approval: { id, toolId, agent, subject },
  verdict,
  onClose,
  onAnswered = onClose,
}: AnswerDialogProps) {
  const form = useId();
  const [reason, setReason] = useState("");
  const answer = useAnswer(id, onAnswered);
  const approves = verdict === "approve";
  const send = () => answer.mutate({ verdict, reason });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || answer.isPending) return;
    event.preventDefault();
    send();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${approves ? "Approve" : "Refuse"} ${toolId} for ${agent ?? subject}`}
      description={
        approves
          ? "The call runs once with these arguments, if the rules still allow it."
          : "The call ends. Its caller receives your reason."
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant={approves ? "primary" : "danger"} pending={answer.isPending}>
            {approves ? "Approve call" : "Refuse call"} <Kbd>Ctrl Enter</Kbd>
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
        {answer.error !== null && (
          <p role="alert" className="rounded-lg bg-deny-soft px-3 py-2 text-sm text-deny">
            <WithCode text={answer.error.message} />
          </p>
        )}
        <Field
          label="Reason (optional)"
          hint={approves ? "The log keeps the reason with the approval" : "The agent receives this reason"}
        >
          <Textarea
            value={reason}
            maxLength={500}
            onChange={(event) => setReason(event.target.value)}
            onKeyDown={onKeyDown}
          />
        </Field>
      </form>
    </Dialog>
  );
}
