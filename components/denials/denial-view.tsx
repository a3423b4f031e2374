import { CallerName } from "@/components/agents/caller-name";
import { Check, Undo2 } from "lucide-react";
import { useState } from "react";
import { ArgumentConditions, Cause, HiddenByFlow, OnRequest } from "@/components/denials/denial-causes";
import { Grants } from "@/components/denials/grants";
import { isResolved, markResolved, useDenial, useMarkResolved } from "@/components/denials/use-denials";
import { LoggedReason } from "@/components/executions/logged-reason";
import { RaisedLabels } from "@/components/executions/raised-labels";
import { reasonInWords } from "@/components/executions/reason-words";
import { Section, SmallestChange } from "@/components/preview/results/explanation";
import { RuleLink } from "@/components/preview/results/rule-link";
import { StatePath } from "@/components/preview/results/state-path";
import { Peek } from "@/components/resource/peek";
import { ObjectHeading } from "@/components/resource/object-heading";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { DetailLayout } from "@/components/resource/detail/detail-layout";
import { useCan } from "@/components/resource/who";
import { counted } from "@/components/ui/counted";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Fact, Facts } from "@/components/ui/text/facts";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { DenialDetail } from "@/lib/contracts/decisions/denial";
import { REFUSED_BY_PERSON } from "@/lib/resources/parts/words";

export function DenialPage({ id }: { id: string }) {
  return (
    <WhenLoaded page of={useDenial(id)} skeleton="m-5 h-96">
      {(denial) => (
        <DetailLayout label="Refusal" asideLabel="Caller and count" aside={<CallerAndCount denial={denial} />}>
          <ObjectHeading
            title={headingOf(denial)}
            copy={{ text: id, what: "call id" }}
            path={`denials/${encodeURIComponent(id)}`}
            value={denial}
          >
            <MarkResolved denial={denial} />
          </ObjectHeading>
          <WhatToDo denial={denial} />
        </DetailLayout>
      )}
    </WhenLoaded>
  );
}

/** What happened, as a heading: "support-bot was refused support:refund_order". */
function headingOf({ tool, agent, subject }: DenialDetail): string {
  return `${agent ?? subject} was refused ${tool}`;
}

/** The content of the page in a peek panel over the list. */
export function DenialPeek({ id, onClose }: { id: string; onClose: () => void }) {
  const found = useDenial(id);
  const href = `/admin/denials/${encodeURIComponent(id)}`;
  return (
    <Peek
      id={id}
      title={found.data === undefined ? id : headingOf(found.data)}
      description="refusal"
      href={href}
      onClose={onClose}
    >
      <WhenLoaded of={found} skeleton="h-64">
        {(denial) => (
          <div key={id} className="flex flex-col gap-6">
            <WhoAndWhat denial={denial} />
            <WhatToDo denial={denial} />
            <LatestCalls denial={denial} />
            <div>
              <MarkResolved denial={denial} />
            </div>
          </div>
        )}
      </WhenLoaded>
    </Peek>
  );
}

function CallerAndCount({ denial }: { denial: DenialDetail }) {
  return (
    <>
      <WhoAndWhat denial={denial} />
      <LatestCalls denial={denial} />
    </>
  );
}

/** The decision under the current rules, and the smallest change that would allow the call. */
function WhatToDo({ denial }: { denial: DenialDetail }) {
  const { today, grants, cause, revision, raisedBy, flow } = denial;
  const [granted, setGranted] = useState<{ readonly policy: string; readonly revision: number } | null>(null);
  const onGranted = (policy: string) => {
    setGranted({ policy, revision });
    return markResolved(denial.id);
  };
  return (
    <>
      <h2 className="sr-only">Decision under the current rules</h2>
      {granted?.revision === revision ? (
        <p role="status" className="text-sm text-muted">
          Granted. Checking this call with the new rules…
        </p>
      ) : (
        <CurrentDecision denial={denial} />
      )}
      {cause !== null && <Cause cause={cause} />}
      {today.offers.length > 0 && <OnRequest denial={denial} />}
      {today.conditions.length > 0 && <ArgumentConditions conditions={today.conditions} callId={denial.id} />}
      {flow !== null && <HiddenByFlow flow={flow} isOver={today.verdict !== "refused"} />}
      {raisedBy.length > (flow?.held.length ?? 0) && (
        <Section title="Labels held at the latest call">
          <RaisedLabels raisedBy={raisedBy} />
        </Section>
      )}
      <Grants
        grants={grants}
        revision={revision}
        onGranted={onGranted}
        liftsConditions={today.conditions.length > 0}
        needsApproval={today.needsApproval}
      />
      {granted !== null && (
        <p className="text-sm">
          You granted it by the <RuleLink rule={{ kind: "policy", name: granted.policy }} />.
        </p>
      )}
      {today.statePath !== null && <StatePath path={today.statePath} machine={today.machine} />}
      {today.fix !== null && <SmallestChange fix={today.fix} />}
    </>
  );
}

function LatestCalls({ denial }: { denial: DenialDetail }) {
  return (
    <Section title="Latest calls">
      <ul className="flex flex-col gap-1 text-sm">
        {denial.examples.map(({ callId, at }) => (
          <li key={callId} className="flex items-center gap-3">
            <TextLink href={`/admin/executions/${encodeURIComponent(callId)}`} className="truncate font-mono text-xs">
              {callId}
            </TextLink>
            <span className="ml-auto text-muted">
              <Time at={at} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function WhoAndWhat({ denial }: { denial: DenialDetail }) {
  const { subject, tool, known, reason, code, policy, calls, firstAt, lastAt } = denial;
  const log = new URLSearchParams({ status: "denied", subject, tool, ...(code !== null && { code }) });
  return (
    <Facts>
      <Fact label="Caller">
        <CallerName caller={denial} />
      </Fact>
      {known && (
        <Fact label="Tool">
          <TextLink href={`/admin/tools/${encodeURIComponent(tool)}`} className="font-mono text-xs">
            {tool}
          </TextLink>
        </Fact>
      )}
      <Fact label="Refused because">
        <LoggedReason reason={reason} />
        {policy !== null && (
          <>
            {" "}
            <RuleLink rule={{ kind: "policy", name: policy }} />
          </>
        )}
      </Fact>
      <Fact label="Count">
        <TextLink href={`/admin/executions?${log}`}>{counted(calls, "call")}</TextLink>, {calls > 1 && "first "}
        <Time at={firstAt} />
        {calls > 1 && (
          <>
            , last <Time at={lastAt} />
          </>
        )}
      </Fact>
      {denial.handledAt !== null && (
        <Fact label="Resolved">
          <Time at={denial.handledAt} /> by {denial.handledBy}
        </Fact>
      )}
    </Facts>
  );
}

const VERDICTS: Readonly<Record<DenialDetail["today"]["verdict"], readonly [Tone, string]>> = {
  allowed: ["allow", "would be allowed"],
  conditional: ["warn", "may be allowed, depending on its arguments"],
  refused: ["deny", "would be refused"],
  unknown: ["neutral", "cannot be decided"],
};

const WAITS_FOR_APPROVAL = ["warn", "would wait for approval"] as const;

function CurrentDecision({ denial: { today, revision, cause } }: { denial: DenialDetail }) {
  const [tone, words] =
    today.verdict === "allowed" && today.needsApproval ? WAITS_FOR_APPROVAL : VERDICTS[today.verdict];
  // No rule decided these calls, so the current rules say nothing about them.
  if (cause !== null) return <p className="text-sm">{today.problem}</p>;
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1 text-sm">
      With the current rules (revision {revision}), this call <Badge tone={tone}>{words}</Badge>
      {today.reason !== null && <span className="text-muted">{reasonInWords(today.reason)}</span>}
      {today.verdict === "refused" && today.conditions.length > 0 && (
        <span className="text-muted">The conditions that refused its arguments have not changed</span>
      )}
      {today.problem !== null && <span className="text-muted">{today.problem.replaceAll("`", "")}</span>}
    </p>
  );
}

/** Removes a kind of refusal from the inbox, or puts it back. */
function MarkResolved({ denial }: { denial: DenialDetail }) {
  const mayWrite = useCan("configuration:write");
  const mark = useMarkResolved();
  // A person's answer stays: there is nothing to reopen.
  if (!mayWrite || denial.reason === REFUSED_BY_PERSON) return null;
  const wasResolved = isResolved(denial);
  return (
    <Button size="sm" pending={mark.isPending} onClick={() => mark.mutate({ rows: [denial], handled: !wasResolved })}>
      {wasResolved ? (
        <>
          <Undo2 aria-hidden /> Reopen
        </>
      ) : (
        <>
          <Check aria-hidden /> Mark resolved
        </>
      )}
    </Button>
  );
}
