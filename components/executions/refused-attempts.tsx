"use client";

import { Integrity } from "@/components/audit/integrity";
import { reasonInWords, reasonOf } from "@/components/executions/reason-words";
import { StatusBadge } from "@/components/executions/status-badge";
import { CopyMenu } from "@/components/resource/copy-menu";
import { DetailLayout } from "@/components/resource/detail-layout";
import { CopyButton } from "@/components/ui/copy-button";
import { Fact, Facts } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { VisibleText } from "@/components/ui/visible-text";
import type { ExecutionRow } from "@/lib/contracts/log/execution";

/** The attempts of a disabled agent within a minute: nothing was read from the requests, so there is no decision. */
export function RefusedAttempts({ row }: { row: ExecutionRow }) {
  const { agent, subject, attempts, at, callId, reason } = row;
  const path = encodeURIComponent(callId);
  return (
    <DetailLayout label="Refused attempts" aside={null} asideLabel="Decision">
      <div className="flex flex-wrap items-center gap-2">
        <h1 className="min-w-0 text-base font-semibold">
          <VisibleText text={reasonOf(row)} />
        </h1>
        <StatusBadge status={row.status} />
        <div className="ml-auto flex items-center gap-1">
          <CopyButton text={callId} label="Copy id" />
          <CopyMenu path={`/api/admin/executions/${path}`} href={`/admin/executions/${path}`} value={row} />
        </div>
      </div>
      <p className="text-sm text-muted">
        Quartermaster refused these requests at sign-in, because the agent is disabled. It read nothing else from them.
        To let the agent connect, enable it on its page.
      </p>
      <Facts>
        <Fact label="Agent">
          <TextLink href={`/admin/agents/${encodeURIComponent(agent ?? subject)}`}>{agent ?? subject}</TextLink>
        </Fact>
        <Fact label="Attempts">{attempts.toLocaleString("en")}, within one minute</Fact>
        <Fact label="Counted until">
          <Time at={at} exact />
        </Fact>
        {reason !== null && <Fact label="Reason">{reasonInWords(reason)}</Fact>}
        <Fact label="Revision">{row.revision}</Fact>
        <Integrity callId={callId} />
      </Facts>
    </DetailLayout>
  );
}
