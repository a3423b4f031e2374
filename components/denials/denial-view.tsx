import { CallerName } from "@/components/agents/caller-name";
import { Check, Undo2 } from "lucide-react";
import { Fragment, useState } from "react";
import { HeldItems } from "@/components/views/flow/held-labels";
import { Grants } from "@/components/denials/grants";
import { AgentLimits, ToolLimits } from "@/components/denials/present-limits";
import { markResolved, useDenial, useMarkResolved } from "@/components/denials/use-denials";
import { LoggedReason } from "@/components/executions/logged-reason";
import { RaisedLabels } from "@/components/executions/raised-labels";
import { reasonInWords } from "@/components/executions/reason-words";
import { Section, SmallestChange } from "@/components/preview/results/explanation";
import { RuleLink, ruleHref } from "@/components/preview/results/rule-link";
import { Peek } from "@/components/resource/peek";
import { ObjectHeading } from "@/components/resource/object-heading";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { DetailLayout } from "@/components/resource/detail/detail-layout";
import { useCan } from "@/components/resource/who";
import { counted } from "@/components/ui/counted";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Fact, Facts } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { DenialDetail } from "@/lib/contracts/decisions/denial";

/** The page of one kind of refusal. */
export function DenialPage({ id }: { id: string }) {
  return (
    <WhenLoaded page of={useDenial(id)} skeleton="m-5 h-96">
      {(denial) => (
        <DetailLayout label="Refusal" asideLabel="Caller and count" aside={<HowOften denial={denial} />}>
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

/** What happened, as a heading: "support:refund_order refused to support-bot". */
function headingOf({ tool, agent, subject }: DenialDetail): string {
  return `${tool} refused to ${agent ?? subject}`;
}

/** The same kind of refusal in a peek panel over the list. */
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
          <div className="flex flex-col gap-6">
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

function HowOften({ denial }: { denial: DenialDetail }) {
  return (
    <>
      <WhoAndWhat denial={denial} />
      <LatestCalls denial={denial} />
    </>
  );
}

/** Today's decision, and the smallest change that would allow the call. */
function WhatToDo({ denial }: { denial: DenialDetail }) {
  const { today, grants, cause, revision, raisedBy, flow } = denial;
  const [granted, setGranted] = useState<string | null>(null);
  const onGranted = (policy: string) => {
    setGranted(policy);
    return markResolved(denial.id);
  };
  return (
    <>
      <h2 className="sr-only">Decision under the current rules</h2>
      <Today denial={denial} />
      {cause !== null && <Cause cause={cause} />}
      {today.conditions.length > 0 && <ArgumentConditions conditions={today.conditions} />}
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
        liftsConditions={today.verdict === "conditional"}
      />
      {granted !== null && (
        <p className="text-sm">
          You granted it by the <RuleLink rule={{ kind: "policy", name: granted }} />.
        </p>
      )}
      {grants.length === 0 && flow === null && today.fix !== null && <SmallestChange fix={today.fix} />}
    </>
  );
}

/** The policies whose conditions the arguments of a call must satisfy. */
function ArgumentConditions({ conditions }: { conditions: DenialDetail["today"]["conditions"] }) {
  return (
    <section aria-label="Cause" className="flex flex-col gap-2 rounded-lg border border-line p-4 text-sm">
      <h2 className="font-semibold">The arguments decide</h2>
      <ul className="flex flex-col gap-2">
        {conditions.map(({ policy, text }) => (
          <li key={policy}>
            <RuleLink rule={{ kind: "policy", name: policy }} />
            <p className="text-muted">{text}</p>
          </li>
        ))}
      </ul>
      <p>
        To allow other arguments, change the argument conditions of {conditions.length === 1 ? "it" : "one of them"}.
      </p>
    </section>
  );
}

/** The tab of a tool's page where the cause is set. */
const TOOL_TABS = { limit: "limits", approval: "approval" } as const;

/** The limit or the approval that refused the calls, with a link to where it is set. */
function Cause({ cause: { kind, rule } }: { cause: NonNullable<DenialDetail["cause"]> }) {
  return (
    <section aria-label="Cause" className="flex flex-col gap-1 rounded-lg border border-line p-4 text-sm">
      <h2 className="font-semibold">{kind === "limit" ? "A limit was reached" : "No person approved the call"}</h2>
      {kind === "limit" && rule === null ? (
        <p className="text-muted">This limit is built in. The caller can call again after some of its calls end.</p>
      ) : (
        <p>
          {kind === "limit" ? "Change it under " : "Change which calls need approval under "}
          {rule?.kind === "settings" ? (
            <TextLink href="/admin/settings">General settings</TextLink>
          ) : (
            rule !== null && (
              <TextLink href={`${ruleHref(rule)}?tab=${rule.kind === "tool" ? TOOL_TABS[kind] : "settings"}`}>
                {kind === "limit" ? "Limits" : "Approval"} of {rule.name}
              </TextLink>
            )
          )}
          .
        </p>
      )}
      {kind === "limit" && rule?.kind === "tool" && <ToolLimits tool={rule.name} />}
      {kind === "limit" && rule?.kind === "agent" && <AgentLimits agent={rule.name} />}
    </section>
  );
}

/** The flow rules that hid the tool, and the labels that a person can clear. No grant helps, because rules only restrict. */
interface HiddenByFlowProps {
  flow: NonNullable<DenialDetail["flow"]>;
  /** The call is not refused any more. */
  isOver: boolean;
}

function HiddenByFlow({ flow: { rules, held }, isOver }: HiddenByFlowProps) {
  return (
    <section aria-label="Cause" className="flex flex-col gap-3 rounded-lg border border-line p-4 text-sm">
      <div className="flex flex-col gap-1">
        <h2 className="font-semibold">
          {isOver ? "Was hidden" : "Hidden"} by {rules.length === 1 ? "a flow rule" : "flow rules"}
        </h2>
        <p>
          {isOver
            ? "Nothing to do. The rule is "
            : "A grant does not help. Clear a label that no longer applies, or change "}
          {rules.map((name, place) => (
            <Fragment key={name}>
              {place > 0 && ", "}
              <RuleLink rule={{ kind: "flow", name }} />
            </Fragment>
          ))}
          .
        </p>
      </div>
      <h3 className="text-xs text-muted">Labels of the rule that the caller holds now</h3>
      <HeldItems items={held} queryKey={["denials"]} />
    </section>
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
  conditional: ["warn", "depends on the arguments"],
  refused: ["deny", "would be refused"],
  unknown: ["neutral", "cannot be decided"],
};

const WAITS = ["warn", "would wait for approval"] as const;

function Today({ denial: { today, revision, cause } }: { denial: DenialDetail }) {
  const [tone, words] = today.verdict === "allowed" && today.needsApproval ? WAITS : VERDICTS[today.verdict];
  // No rule decided these calls, so the rules of today say nothing about them.
  if (cause !== null) return <p className="text-sm">{today.problem}</p>;
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1 text-sm">
      With the current rules (revision {revision}), this call <Badge tone={tone}>{words}</Badge>
      {today.reason !== null && <span className="text-muted">{reasonInWords(today.reason)}</span>}
      {today.problem !== null && <span className="text-muted">{today.problem.replaceAll("`", "")}</span>}
    </p>
  );
}

/** Removes a kind of refusal from the inbox, or puts it back. */
function MarkResolved({ denial }: { denial: DenialDetail }) {
  const mayWrite = useCan("configuration:write");
  const mark = useMarkResolved();
  if (!mayWrite) return null;
  const handled = denial.handledAt !== null && denial.handledAt >= denial.lastAt;
  return (
    <Button size="sm" pending={mark.isPending} onClick={() => mark.mutate({ row: denial, handled: !handled })}>
      {handled ? (
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
