import { Check, X } from "lucide-react";
import { useState, type ReactNode } from "react";
import { AnswerKeys } from "@/components/approvals/answer-keys";
import { ApprovalArguments } from "@/components/approvals/approval-arguments";
import { Countdown, refusalInWords } from "@/components/approvals/approval-words";
import { useAnswer, useApproval, type ApprovalAnswer } from "@/components/approvals/use-approvals";
import { whatOf } from "@/components/pause/change-pauses";
import { usePausesOfCall } from "@/components/pause/use-pauses";
import { useRow } from "@/components/resource/use-row";
import { hrefOf } from "@/components/resource/view";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { ReasonDialog } from "@/components/ui/overlays/reason-dialog";
import { upperFirst } from "@/components/ui/text/letter-case";
import { TextLink } from "@/components/ui/text-link";
import type { ApprovalDetail } from "@/lib/contracts/log/approval";

const OWN = {
  caller: "You, or a client that you connected, made this call. Another administrator or editor must answer it.",
  agent: "You created this agent or one of its keys. An administrator or another editor must answer its calls.",
} as const;

/** The answers that this person may give to a waiting call. Keys work on the call's page and in its peek panel. */
export function AnswerBar({ approval }: { approval: ApprovalDetail }) {
  const [answer, setAnswer] = useState<ApprovalAnswer | null>(null);
  const { status, mayAnswer, own } = approval;
  const answerable = mayAnswer && answer === null;
  if (status !== "waiting") return null;
  if (!mayAnswer)
    return (
      <p className="rounded-md bg-panel px-3 py-2 text-sm text-muted">
        {own === null ? "An administrator or an editor must answer it." : OWN[own]}
      </p>
    );
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-panel px-3 py-2">
      <StoppedNotes call={approval} />
      <RefusedNote approval={approval} />
      <p className="min-w-0 flex-1 text-sm text-muted max-sm:basis-full">
        This call waits for your answer. <Countdown until={approval.closesAt} />
      </p>
      <Button onClick={() => setAnswer("refuse")}>
        <X aria-hidden /> Refuse <Kbd>x</Kbd>
      </Button>
      <Button variant="primary" onClick={() => setAnswer("approve")}>
        <Check aria-hidden /> Approve <Kbd>a</Kbd>
      </Button>
      {answerable && <AnswerKeys onAnswer={setAnswer} />}
      {answer !== null && <AnswerDialog approval={approval} answer={answer} onClose={() => setAnswer(null)} />}
    </div>
  );
}

/** Reasons that have a note of their own, with a link. */
const NOTED: ReadonlySet<string> = new Set(["paused", "tool_disabled"]);

/** Says that the rules would refuse the call after its approval, and why. */
function RefusedNote({ approval }: { approval: ApprovalDetail }) {
  const { agent, refusedNow } = approval;
  const why = refusalInWords(approval);
  if (why === null || NOTED.has(refusedNow?.reason ?? "")) return null;
  const note = (
    <p className="basis-full text-sm text-warn">{why} If you approve the call now, Quartermaster refuses it.</p>
  );
  if (refusedNow?.reason !== "unauthenticated" || agent === null) return note;
  return <UnlessDisabled agent={agent}>{note}</UnlessDisabled>;
}

/** A disabled agent cannot sign in, and its own note says that it is disabled. */
function UnlessDisabled({ agent, children }: { agent: string; children: ReactNode }) {
  const { data: row, isPending } = useRow("agents", agent);
  return isPending || row?.enabled === false ? null : children;
}

type StoppedCall = Pick<ApprovalDetail, "agent" | "toolId">;

/** Says what would refuse the call after its approval: a pause, or that its agent or its tool is disabled. */
function StoppedNotes({ call }: { call: StoppedCall }) {
  const { agent, toolId } = call;
  return (
    <>
      <PausedNote call={call} />
      {agent !== null && <DisabledNote resource="agents" id={agent} word="agent" />}
      <DisabledNote resource="tools" id={toolId} word="tool" />
    </>
  );
}

function DisabledNote({ resource, id, word }: { resource: "agents" | "tools"; id: string; word: string }) {
  const { data: row } = useRow(resource, id);
  if (row === undefined || row.enabled) return null;
  return (
    <p className="basis-full text-sm text-warn">
      The {word} {id} is disabled. If you approve the call now, Quartermaster refuses it.{" "}
      <TextLink href={hrefOf(resource, id)}>Open the {word}</TextLink>
    </p>
  );
}

/** With a link to what is paused. */
function PausedNote({ call }: { call: StoppedCall }) {
  return usePausesOfCall(call).map((pause) => (
    <p key={pause.scope} className="basis-full text-sm text-warn">
      {upperFirst(whatOf(pause))} are paused. If you approve the call now, Quartermaster refuses it.{" "}
      {pause.scope === "all" || pause.name === null ? (
        "An administrator can resume calls at the top of the page."
      ) : (
        <TextLink href={hrefOf(pause.scope === "agent" ? "agents" : "sources", pause.name)}>
          Open the {pause.scope}
        </TextLink>
      )}
    </p>
  ));
}

interface AnswerDialogProps {
  approval: Pick<ApprovalDetail, "id" | "toolId" | "agent" | "subject">;
  answer: ApprovalAnswer;
  onClose: () => void;
  /** Called instead of `onClose` when the call was answered. */
  onAnswered?: () => void;
}

/** Shows the effect of the answer and asks for the reason. */
export function AnswerDialog({
  approval: { id, toolId, agent, subject },
  answer,
  onClose,
  onAnswered = onClose,
}: AnswerDialogProps) {
  const send = useAnswer(id, onAnswered);
  const approval = useApproval(id);
  const approves = answer === "approve";
  return (
    <ReasonDialog
      title={`${approves ? "Approve" : "Refuse"} ${toolId} for ${agent ?? subject}`}
      description={
        approves
          ? "The call runs once with these arguments, if the rules still allow it."
          : "The call ends. Its caller receives your reason."
      }
      action={approves ? "Approve call" : "Refuse call"}
      tone={approves ? "primary" : "danger"}
      pending={send.isPending}
      error={send.error?.message}
      hint={approves ? "The log keeps the reason with the approval" : "The agent receives this reason"}
      onSend={(reason) => send.mutate({ answer, reason })}
      onClose={onClose}
    >
      {approves && (
        <div className="mb-3 empty:hidden">
          <StoppedNotes call={{ agent, toolId }} />
          {approval.data !== undefined && <RefusedNote approval={approval.data} />}
        </div>
      )}
      {approval.data !== undefined && (
        <div className="mb-3">
          <ApprovalArguments approval={approval.data} />
        </div>
      )}
    </ReasonDialog>
  );
}
