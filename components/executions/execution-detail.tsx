import { CallerName } from "@/components/agents/caller-name";
import { Eye } from "lucide-react";
import { Integrity } from "@/components/audit/integrity";
import { milliseconds } from "@/components/charts/milliseconds";
import { toCurl } from "@/components/executions/curl";
import { Decision } from "@/components/executions/decision";
import { EraseButton } from "@/components/executions/erase-button";
import { LoggedReason } from "@/components/executions/logged-reason";
import { MadeCalls } from "@/components/executions/made-calls";
import { RaisedLabels } from "@/components/executions/raised-labels";
import { toolOf } from "@/components/executions/reason-words";
import { RefusedAttempts } from "@/components/executions/refused-attempts";
import { transitionInWords } from "@/components/executions/state-words";
import { StatusBadge } from "@/components/executions/status-badge";
import { useExecution } from "@/components/executions/use-execution";
import { Section } from "@/components/preview/results/explanation";
import { RuleNames } from "@/components/preview/results/rule-link";
import { DetailLayout } from "@/components/resource/detail/detail-layout";
import { ObjectHeading } from "@/components/resource/object-heading";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { Badge } from "@/components/ui/badge";
import { CopyButton } from "@/components/ui/copy-button";
import { Json } from "@/components/ui/json/json";
import { LinkButton } from "@/components/ui/link-button";
import { Fact, Facts, TimeFact } from "@/components/ui/text/facts";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { VisibleText } from "@/components/ui/visible-text";
import type { ExecutionDetail } from "@/lib/contracts/log/execution";
import { isRefusedAttempts } from "@/lib/contracts/log/refused-attempts";
import { MASK } from "@/lib/resources/parts/words";

/** One call: who made it, what it called, the reasons, the revision and the result. */
export function ExecutionView({ id }: { id: string }) {
  return (
    <WhenLoaded page of={useExecution(id)} skeleton="m-5 h-96">
      {(execution) => <Loaded execution={execution} />}
    </WhenLoaded>
  );
}

function Loaded({ execution }: { execution: ExecutionDetail }) {
  if (isRefusedAttempts(execution)) return <RefusedAttempts row={execution} />;
  return (
    <DetailLayout label="Call" asideLabel="Decision" aside={<Decision key={execution.callId} execution={execution} />}>
      <Heading execution={execution} />
      <WhoAndWhat execution={execution} />
      <Bodies execution={execution} />
    </DetailLayout>
  );
}

function Heading({ execution }: { execution: ExecutionDetail }) {
  const { callId, status, code, claims, revision } = execution;
  return (
    <ObjectHeading
      mono
      title={<VisibleText text={toolOf(execution)} />}
      badges={
        <>
          <StatusBadge status={status} />
          {code !== null && <Badge mono>{code}</Badge>}
        </>
      }
      copy={{ text: callId, what: "call id" }}
      path={`executions/${encodeURIComponent(callId)}`}
      value={execution}
    >
      <CopyButton text={() => toCurl(execution, window.location.origin)} label="Copy curl to call again" showLabel />
      {claims !== null && (
        <LinkButton
          size="sm"
          href={`/admin/preview?execution=${encodeURIComponent(callId)}&revision=${revision}${toolPart(execution)}`}
        >
          <Eye aria-hidden /> Open in preview
        </LinkButton>
      )}
    </ObjectHeading>
  );
}

function WhoAndWhat({ execution }: { execution: ExecutionDetail }) {
  const { callId, reason, approval, policies, groups, revision, raisedBy, flowRules } = execution;
  return (
    <Facts>
      <CallFacts execution={execution} />
      {reason !== null && (
        <Fact label="Reason">
          <LoggedReason reason={reason} call={execution} />
        </Fact>
      )}
      {flowRules.length > 0 && (
        <Fact label="Flow rules">
          <RuleNames kind="flow" names={flowRules} />
        </Fact>
      )}
      {raisedBy.length > 0 && (
        <Fact label="Labels held">
          <RaisedLabels raisedBy={raisedBy} />
        </Fact>
      )}
      <Fact label="State">{transitionInWords(execution)}</Fact>
      <LinkFact label="Session" href="/admin/sessions/" id={execution.session} />
      {approval !== null && <ApprovalFact callId={callId} approval={approval} />}
      <Fact label="Policies">
        <RuleNames kind="policy" names={policies} />
      </Fact>
      <Fact label="Groups">
        <RuleNames kind="group" names={groups} />
      </Fact>
      <Fact label="Revision">{revision}</Fact>
      <TimeTaken execution={execution} />
      <Integrity callId={callId} />
      <Fact label="Request id">
        <span className="font-mono text-xs">{execution.requestId}</span>{" "}
        <CopyButton text={execution.requestId} label="Copy request id" />
      </Fact>
      <LinkFact label="Trace id" href="/admin/executions?traceId=" id={execution.traceId} isCopied />
    </Facts>
  );
}

/** When the call was made, by whom, and the calls that it belongs to. */
function CallFacts({ execution }: { execution: ExecutionDetail }) {
  const { at, parent, callId } = execution;
  return (
    <>
      <TimeFact label="When" at={at} exact />
      <Fact label="Caller">
        <CallerName caller={execution} />
      </Fact>
      <LinkFact label="Called by a script" href="/admin/executions/" id={parent} />
      <MadeCalls callId={callId} />
    </>
  );
}

interface LinkFactProps {
  label: string;
  /** The address without the id. */
  href: string;
  id: string | null;
  isCopied?: boolean;
}

/** An id, linked to the object that it names. */
function LinkFact({ label, href, id, isCopied = false }: LinkFactProps) {
  if (id === null) return null;
  return (
    <Fact label={label}>
      <TextLink href={`${href}${id}`} className="font-mono text-xs">
        {id}
      </TextLink>
      {isCopied && (
        <>
          {" "}
          <CopyButton text={id} label={`Copy ${label.toLowerCase()}`} />
        </>
      )}
    </Fact>
  );
}

function TimeTaken({ execution: { gatewayMs, upstreamMs, attempts } }: { execution: ExecutionDetail }) {
  return (
    <Fact label="Duration">
      {gatewayMs === null ? "—" : <TimeSplit gateway={gatewayMs} upstream={upstreamMs} />}
      {attempts > 1 && ` · ${attempts} attempts`}
    </Fact>
  );
}

/** The gateway's and the tool's time, as figures and as bars. */
function TimeSplit({ gateway, upstream }: { gateway: number; upstream: number | null }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 tabular-nums">
      {milliseconds(gateway + (upstream ?? 0))}
      <span aria-hidden className="flex h-1.5 w-24 overflow-hidden rounded-full bg-sunken forced-color-adjust-none">
        <span className="bg-accent" style={{ flexGrow: gateway }} />
        <span className="bg-accent/40" style={{ flexGrow: upstream ?? 0 }} />
      </span>
      <span className="text-muted">
        gateway {milliseconds(gateway)}
        {upstream === null ? ", nothing was sent upstream" : `, upstream ${milliseconds(upstream)}`}
      </span>
    </span>
  );
}

function Bodies({ execution }: { execution: ExecutionDetail }) {
  if (execution.bodiesHidden)
    return (
      <p className="rounded-md bg-panel px-3 py-2 text-sm text-muted">
        Arguments and results are visible to administrators and auditors.
      </p>
    );
  return (
    <>
      {execution.erased === null ? (
        <Section title="Arguments">
          <Json value={execution.arguments} label="arguments" mask={MASK} />
        </Section>
      ) : (
        <p className="rounded-md bg-panel px-3 py-2 text-sm text-muted">
          The arguments and the result of this call were erased <Time at={execution.erased.at} /> by{" "}
          {execution.erased.by}.
        </p>
      )}
      {execution.error !== null && (
        <Section title="Error">
          <Json value={execution.error} label="error" mask={MASK} />
        </Section>
      )}
      {execution.result !== null && (
        <Section title="Result">
          {execution.truncated !== null && (
            <p className="text-xs text-warn">
              Cut to 64 KiB of {execution.truncated.bytes.toLocaleString("en")} bytes; SHA-256 of the whole{" "}
              {execution.truncated.sha256.slice(0, 16)}…
            </p>
          )}
          <Json value={execution.result} label="result" mask={MASK} />
        </Section>
      )}
      {execution.claims !== null && (
        <Section title="Claims">
          <Json value={execution.claims} label="claims" mask={MASK} />
        </Section>
      )}
      {execution.erased === null && (
        <div className="-ml-2">
          <EraseButton
            erasure={{ issuer: execution.issuer, subject: execution.subject }}
            label="Erase arguments and results of this subject…"
          />
        </div>
      )}
    </>
  );
}

/** Who answered the call's approval, when, and with which reason. */
function ApprovalFact({ callId, approval }: { callId: string; approval: NonNullable<ExecutionDetail["approval"]> }) {
  const { status, closesAt, decidedBy, reason } = approval;
  return (
    <Fact label="Approval">
      <span className="flex flex-wrap items-center gap-x-2">
        <TextLink href={`/admin/approvals/${encodeURIComponent(callId)}`}>{status}</TextLink>
        {decidedBy !== null && <span>by {decidedBy}</span>}
        <span className="text-muted">
          {status === "waiting" && "until "}
          <Time at={closesAt} exact />
        </span>
      </span>
      {reason !== null && reason !== "" && <span className="block text-muted">“{reason}”</span>}
    </Fact>
  );
}

function toolPart(execution: ExecutionDetail): string {
  return execution.toolId === null ? "" : `&tool=${encodeURIComponent(execution.toolId)}`;
}
