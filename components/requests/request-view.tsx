import { Countdown } from "@/components/approvals/approval-words";
import { ACTION_WORDS, allSentencesFor, requestedAction, unchangedInWords } from "@/components/changes/change-words";
import { AccessRequest } from "@/components/requests/access-view";
import { RequestAnswer } from "@/components/requests/request-answer";
import { RequestImpactSection } from "@/components/requests/request-impact";
import { RequestBadge, subjectOf } from "@/components/requests/request-words";
import { useRequest } from "@/components/requests/use-requests";
import { DetailLayout } from "@/components/resource/detail/detail-layout";
import { Sentences } from "@/components/resource/editor/review-dialog";
import { ObjectHeading } from "@/components/resource/object-heading";
import { Peek } from "@/components/resource/peek";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { Badge } from "@/components/ui/badge";
import { Json } from "@/components/ui/json/json";
import { WithCode } from "@/components/ui/json/with-code";
import { Fact, Facts, TimeFact } from "@/components/ui/text/facts";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { RequestDetail } from "@/lib/contracts/changes/request";
import { reasonInWords } from "@/lib/contracts/changes/verdict-words";
import { kindInWords } from "@/lib/contracts/changes/row-words";

/** The page of one request: what it changes and does on the left, who asked on the right. */
export function RequestPage({ id }: { id: string }) {
  return (
    <WhenLoaded page of={useRequest(id)} skeleton="m-5 h-96">
      {(request) => (
        <DetailLayout label="Request" asideLabel="Who and when" aside={<WhoAndWhen request={request} />}>
          <ObjectHeading
            title={subjectOf(request)}
            badges={<RequestBadge of={request} />}
            copy={{ text: id, what: "request id" }}
            path={`requests/${encodeURIComponent(id)}`}
            value={request}
          />
          <EffectAndChanges request={request} />
        </DetailLayout>
      )}
    </WhenLoaded>
  );
}

/** The same request in a peek panel over the list. */
export function RequestPeek({ id, onClose }: { id: string; onClose: () => void }) {
  const found = useRequest(id);
  const title = found.data === undefined ? id : subjectOf(found.data);
  const href = `/admin/requests/${encodeURIComponent(id)}`;
  return (
    <Peek id={id} title={title} description="request" href={href} onClose={onClose}>
      <WhenLoaded of={found} skeleton="h-64">
        {(request) => (
          <div className="flex flex-col gap-6">
            <EffectAndChanges request={request} />
            <WhoAndWhen request={request} />
          </div>
        )}
      </WhenLoaded>
    </Peek>
  );
}

function EffectAndChanges({ request }: { request: RequestDetail }) {
  if (request.kind === "access")
    return (
      <div className="flex flex-col gap-5">
        <AskersReason reason={request.reason} />
        <AccessRequest id={request.id} />
      </div>
    );
  return (
    <div className="flex flex-col gap-5">
      <AskersReason reason={request.reason} />
      <RequestAnswer request={request} />
      <Effect request={request} />
      <RequestImpactSection request={request} />
      <Changes request={request} />
    </div>
  );
}

/** The reason of the person who asked, above the buttons that answer. */
function AskersReason({ reason }: { reason: string }) {
  if (reason === "") return null;
  return (
    <p className="text-sm break-words">
      <span className="text-muted">Reason:</span> {reason}
    </p>
  );
}

function Effect({ request: { facts, sentence } }: { request: RequestDetail }) {
  if (facts.kind !== "change") return null;
  const { reasons } = facts.verdict;
  return (
    <section aria-label="Effect" className="flex flex-col gap-2 text-sm">
      <h2 className="font-medium">Effect</h2>
      {reasons.length === 0 && <p>{sentence}</p>}
      <ul className="flex flex-col gap-2">
        {reasons.map((reason, at) => (
          <li key={at}>
            <WithCode text={reasonInWords(reason)} />
            {reason.witness !== null && (
              <details className="mt-1">
                <summary className="text-xs text-muted">Claims of this caller</summary>
                <Json label="Claims" value={reason.witness.claims} />
              </details>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Changes({ request: { changes, status } }: { request: RequestDetail }) {
  if (changes === null)
    return <p className="text-sm text-warn">The changes cannot be decrypted: their master key is gone.</p>;
  return (
    <section aria-label="Changes" className="flex flex-col gap-4">
      <h2 className="text-sm font-medium">Changes</h2>
      {changes.length === 0 && <p className="text-sm text-muted">Your role cannot see them.</p>}
      {changes.map((change) => (
        <div key={`${change.resource}/${change.id}`} className="flex flex-col gap-2">
          <p className="flex items-center gap-2 text-sm">
            <Badge tone={ACTION_WORDS[change.action].tone}>{requestedAction(change.action, status)}</Badge>
            {kindInWords(change.resource)} <span className="font-mono text-xs">{change.id}</span>
          </p>
          <Sentences sentences={allSentencesFor(change)} />
          <Unchanged texts={unchangedInWords(change)} />
        </div>
      ))}
    </section>
  );
}

/** What the row is, for a person who has not seen it. */
function Unchanged({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <div className="pl-5 text-sm text-muted">
      <h3 className="text-xs font-medium">Unchanged</h3>
      <ul>
        {texts.map((text) => (
          <WithCode as="li" key={text} className="break-words" text={text} />
        ))}
      </ul>
    </div>
  );
}

function WhoAndWhen({ request }: { request: RequestDetail }) {
  const { asker, status, at, closesAt, decidedBy, decidedReason, basis, revision, bypass } = request;
  return (
    <Facts>
      <Fact label="Requester">
        {asker.name} <span className="text-faint">· {asker.kind}</span>
      </Fact>
      <TimeFact label="Requested" at={at} />
      <Fact label={status === "open" ? "Expires" : status === "bypassed" ? "Reverts" : "Closed"}>
        {status === "open" || status === "bypassed" ? <Countdown until={closesAt} /> : <Time at={closesAt} />}
        {decidedBy !== null && <span className="text-muted"> by {decidedBy}</span>}
      </Fact>
      {bypass !== null && (
        <Fact label="Applied without review">
          <Time at={bypass.at} /> <span className="text-muted">by {bypass.by}</span>: {bypass.reason}
        </Fact>
      )}
      {decidedReason !== null && decidedReason !== "" && <Fact label="Answer">{decidedReason}</Fact>}
      <Fact label="Based on revision">{basis}</Fact>
      {revision !== null && (
        <Fact label="Saved as">
          <TextLink href={`/admin/changes?${new URLSearchParams({ revision: String(revision) })}`}>
            revision {revision}
          </TextLink>
        </Fact>
      )}
    </Facts>
  );
}
