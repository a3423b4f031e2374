"use client";

import { Check, Undo2, X } from "lucide-react";
import { useState } from "react";
import { AnswerKeys } from "@/components/approvals/answer-keys";
import { Countdown } from "@/components/approvals/approval-words";
import { subjectOf } from "@/components/requests/request-words";
import { useEnding, type Ending } from "@/components/requests/use-requests";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { ReasonDialog } from "@/components/ui/overlays/reason-dialog";
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
          {ending === null && <AnswerKeys onAnswer={setEnding} />}
        </>
      )}
      {ending !== null && <EndingDialog request={request} ending={ending} onClose={() => setEnding(null)} />}
    </div>
  );
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

function EndingDialog({ request, ending, onClose }: EndingDialogProps) {
  const answer = useEnding(request, onClose);
  const { verb, says } = WORDS[ending];
  return (
    <ReasonDialog
      title={`${verb} ${subjectOf(request)}`}
      description={says}
      action={`${verb} request`}
      tone={ending === "refuse" ? "danger" : "primary"}
      pending={answer.isPending}
      error={answer.error?.message}
      hint="Kept with the request"
      onSend={(reason) => answer.mutate({ ending, reason })}
      onClose={onClose}
    />
  );
}
