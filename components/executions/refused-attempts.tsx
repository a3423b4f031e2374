import { Integrity } from "@/components/audit/integrity";
import { reasonInWords, reasonOf } from "@/components/executions/reason-words";
import { StatusBadge } from "@/components/executions/status-badge";
import { DetailLayout } from "@/components/resource/detail/detail-layout";
import { ObjectHeading } from "@/components/resource/object-heading";
import { Fact, Facts, TimeFact } from "@/components/ui/text/facts";
import { TextLink } from "@/components/ui/text-link";
import { VisibleText } from "@/components/ui/visible-text";
import type { ExecutionRow } from "@/lib/contracts/log/execution";

/** The attempts of a disabled agent within a minute: nothing was read from the requests, so there is no decision. */
export function RefusedAttempts({ row }: { row: ExecutionRow }) {
  const { agent, subject, attempts, at, callId, reason } = row;
  return (
    <DetailLayout label="Refused attempts" aside={null} asideLabel="Decision">
      <ObjectHeading
        title={<VisibleText text={reasonOf(row)} />}
        badges={<StatusBadge status={row.status} />}
        copy={{ text: callId, what: "id" }}
        path={`executions/${encodeURIComponent(callId)}`}
        value={row}
      />
      <p className="text-sm text-muted">
        Quartermaster refused these requests at sign-in, because the agent is disabled. It read nothing else from them.
        To let the agent connect, enable it on its page.
      </p>
      <Facts>
        <Fact label="Agent">
          <TextLink href={`/admin/agents/${encodeURIComponent(agent ?? subject)}`}>{agent ?? subject}</TextLink>
        </Fact>
        <Fact label="Attempts">{attempts.toLocaleString("en")}, within one minute</Fact>
        <TimeFact label="Counted until" at={at} exact />
        {reason !== null && <Fact label="Reason">{reasonInWords(reason)}</Fact>}
        <Fact label="Revision">{row.revision}</Fact>
        <Integrity callId={callId} />
      </Facts>
    </DetailLayout>
  );
}
