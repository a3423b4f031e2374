import { Siren } from "lucide-react";
import { useState } from "react";
import { Countdown } from "@/components/approvals/approval-words";
import { EndingDialog } from "@/components/requests/ending-dialog";
import { subjectInText, subjectOf } from "@/components/requests/request-words";
import { useRequest, type Ending } from "@/components/requests/use-requests";
import { Button } from "@/components/ui/button";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { RequestRow } from "@/lib/contracts/changes/request";

/** The changes without review, each with the answers that this person may give. */
export function UnconfirmedList({ requests }: { requests: readonly RequestRow[] }) {
  return (
    <ul>
      {requests.map((request) => (
        <Unconfirmed key={request.id} request={request} />
      ))}
    </ul>
  );
}

function Unconfirmed({ request }: { request: RequestRow }) {
  const [ending, setEnding] = useState<Ending | null>(null);
  const mayConfirm = useRequest(request.id).data?.mayConfirm ?? false;
  const { id, bypass, closesAt } = request;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-5 py-2 last:border-b-0 max-md:px-3">
      <Siren aria-hidden className="size-4 shrink-0 text-warn" />
      <p className="min-w-0 flex-1 basis-64 break-words max-sm:basis-40">
        <strong className="font-semibold">{bypass?.by}</strong> changed{" "}
        <TextLink href={`/admin/requests/${encodeURIComponent(id)}`}>{subjectInText(request)}</TextLink> without review
        {bypass !== null && (
          <span className="max-sm:sr-only">
            , <Time at={bypass.at} />: {bypass.reason}
          </span>
        )}{" "}
        · Reverted unless confirmed: <Countdown until={closesAt} />
      </p>
      <Button size="sm" onClick={() => setEnding("revert")}>
        Revert now<span className="sr-only"> {subjectOf(request)}</span>
      </Button>
      {mayConfirm && (
        <Button size="sm" variant="primary" onClick={() => setEnding("confirm")}>
          Confirm<span className="sr-only"> {subjectOf(request)}</span>
        </Button>
      )}
      {ending !== null && <EndingDialog request={request} ending={ending} onClose={() => setEnding(null)} />}
    </li>
  );
}
