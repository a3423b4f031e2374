import { Check, Siren, Undo2, X } from "lucide-react";
import { useState } from "react";
import { AnswerKeys } from "@/components/approvals/answer-keys";
import { Countdown } from "@/components/approvals/approval-words";
import { EndingDialog } from "@/components/requests/ending-dialog";
import type { Ending } from "@/components/requests/use-requests";
import { SignInAgain, StaleSignIn, useRecentSignIn } from "@/components/resource/review/recent-sign-in";
import { useCan } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import type { RequestDetail } from "@/lib/contracts/changes/request";

/** The answers that this person may give to an open request. Keys work on its page and in its peek panel. */
export function RequestAnswer({ request }: { request: RequestDetail }) {
  const answersOthers = useCan("changes:approve");
  const mayBypassOthers = useCan("changes:bypass");
  const [ending, setEnding] = useState<Ending | null>(null);
  const { status, own, mayAnswer, mayBypass, closesAt } = request;
  if (status === "bypassed") return <UnconfirmedAnswer request={request} />;
  if (status !== "open") return null;
  if (!own && !mayAnswer)
    return (
      <p className="rounded-md bg-panel px-3 py-2 text-sm text-muted">
        {answersOthers
          ? "An administrator must answer this request."
          : "An administrator or an editor must answer this request."}
      </p>
    );
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-panel px-3 py-2">
      <p className="min-w-0 flex-1 basis-64 text-sm text-muted max-sm:basis-full">
        {own
          ? `You made this request. Another person must answer it${mayBypassOthers && !mayBypass ? ", also in an emergency" : ""}.`
          : "This change waits for your answer."}{" "}
        <Countdown until={closesAt} />
      </p>
      {mayBypass && <BypassButton onBypass={() => setEnding("bypass")} />}
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
      {mayBypass && <StaleSignIn />}
      {ending !== null && <EndingDialog request={request} ending={ending} onClose={() => setEnding(null)} />}
    </div>
  );
}

/** Applies the change in an emergency, or leads to the sign-in that this requires first. */
function BypassButton({ onBypass }: { onBypass: () => void }) {
  const isRecent = useRecentSignIn();
  if (isRecent === undefined) return null;
  if (!isRecent) return <SignInAgain variant="ghost">Sign in again to apply now</SignInAgain>;
  return (
    <Button variant="ghost" onClick={onBypass}>
      <Siren aria-hidden /> Apply now without review
    </Button>
  );
}

/** A change that was applied without review: a second person confirms it, and everyone who may approve reverts it. */
function UnconfirmedAnswer({ request }: { request: RequestDetail }) {
  const [ending, setEnding] = useState<Ending | null>(null);
  const mayApprove = useCan("changes:approve");
  const { closesAt, mayConfirm } = request;
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-panel px-3 py-2">
      <p className="min-w-0 flex-1 basis-64 text-sm text-muted max-sm:basis-full">
        {mayConfirm
          ? "This change was applied without review. Unless you confirm it, it is reverted."
          : "This change was applied without review. Unless a second person confirms it, it is reverted."}{" "}
        <Countdown until={closesAt} />
      </p>
      {mayApprove && (
        <Button onClick={() => setEnding("revert")}>
          <Undo2 aria-hidden /> Revert now
        </Button>
      )}
      {mayConfirm && (
        <Button variant="primary" onClick={() => setEnding("confirm")}>
          <Check aria-hidden /> Confirm
        </Button>
      )}
      {ending !== null && <EndingDialog request={request} ending={ending} onClose={() => setEnding(null)} />}
    </div>
  );
}
