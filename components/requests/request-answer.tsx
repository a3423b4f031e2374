"use client";

import { Check, Undo2, X } from "lucide-react";
import { useState, type KeyboardEvent } from "react";
import { Countdown } from "@/components/approvals/approval-words";
import { useKey } from "@/components/keyboard/use-key";
import { subjectOf } from "@/components/requests/request-words";
import { useEnding, type Ending } from "@/components/requests/use-requests";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Textarea } from "@/components/ui/forms/textarea";
import { Kbd } from "@/components/ui/kbd";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import type { RequestDetail } from "@/lib/contracts/changes/request";

/** The answers that this person may give to an open request. Keys work on its page and in its peek panel. */
export function RequestAnswer({ request }: { request: RequestDetail }) {
  const [ending, setEnding] = useState<Ending | null>(null);
  const { status, own, mayAnswer, closesAt } = request;
  if (status !== "open") return null;
  if (!own && !mayAnswer)
    return (
      <p className="rounded-md bg-panel px-3 py-2 text-sm text-muted">
        An administrator or an editor must answer this request.
      </p>
    );
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-panel px-3 py-2">
      <p className="min-w-0 flex-1 text-sm text-muted max-sm:basis-full">
        {own ? "You made this request. Another person must answer it." : "This change waits for your answer."}{" "}
        <Countdown until={closesAt} />
      </p>
      {own ? (
        <Button onClick={() => setEnding("withdraw")}>
          <Undo2 aria-hidden /> Withdraw
        </Button>
      ) : (
        <>
          <Button onClick={() => setEnding("refuse")}>
            <X aria-hidden /> Refuse <Kbd>x</Kbd>
          </Button>
          <Button variant="primary" onClick={() => setEnding("approve")}>
            <Check aria-hidden /> Approve <Kbd>a</Kbd>
          </Button>
          {ending === null && <AnswerKeys onEnding={setEnding} />}
        </>
      )}
      {ending !== null && <EndingDialog request={request} ending={ending} onClose={() => setEnding(null)} />}
    </div>
  );
}

function AnswerKeys({ onEnding }: { onEnding: (ending: Ending) => void }) {
  useKey("approve", () => onEnding("approve"));
  useKey("refuse", () => onEnding("refuse"));
  return null;
}

const WORDS = {
  approve: { verb: "Approve", says: "The changes are judged again and saved in one revision." },
  refuse: { verb: "Refuse", says: "Nothing is saved. The asker sees your reason." },
  withdraw: { verb: "Withdraw", says: "Nothing is saved." },
} as const;

interface EndingDialogProps {
  request: RequestDetail;
  ending: Ending;
  onClose: () => void;
}

/** Shows the effect of the answer and asks for a reason. Ctrl-Enter sends it. */
function EndingDialog({ request, ending, onClose }: EndingDialogProps) {
  const [reason, setReason] = useState("");
  const answer = useEnding(request, onClose);
  const { verb, says } = WORDS[ending];
  const send = () => answer.mutate({ ending, reason });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || answer.isPending) return;
    event.preventDefault();
    send();
  };
  return (
    <ActionDialog
      title={`${verb} ${subjectOf(request)}`}
      description={says}
      action={
        <>
          {verb} request <Kbd>Ctrl Enter</Kbd>
        </>
      }
      tone={ending === "refuse" ? "danger" : "primary"}
      pending={answer.isPending}
      error={answer.error?.message}
      isForm
      onAct={send}
      onClose={onClose}
    >
      <Field label="Reason (optional)" hint="Kept with the request">
        <Textarea
          value={reason}
          maxLength={500}
          onChange={(event) => setReason(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </Field>
    </ActionDialog>
  );
}
