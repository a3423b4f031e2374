import { HomeCard } from "@/components/agents/home-card";
import { Latest } from "@/components/agents/latest-list";
import { reasonInWords, reasonOf, toolOf } from "@/components/executions/reason-words";
import { stateInWords, transitionInWords } from "@/components/executions/state-words";
import { StatusBadge } from "@/components/executions/status-badge";
import { RequestBadge } from "@/components/requests/request-words";
import { LifeBadge } from "@/components/sessions/session-words";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { RequestRow } from "@/lib/contracts/changes/request";
import type { AuditRow } from "@/lib/contracts/log/audit-trail";
import type { DenialRow } from "@/lib/contracts/decisions/denial";
import type { ExecutionRow } from "@/lib/contracts/log/execution";
import { isRefusedAttempts } from "@/lib/contracts/log/refused-attempts";
import type { SessionRow } from "@/lib/contracts/log/session";

function When({ at }: { at: string }) {
  return (
    <span className="ml-auto shrink-0 text-muted">
      <Time at={at} />
    </span>
  );
}

function Until({ at }: { at: string }) {
  return (
    <span className="ml-auto shrink-0 text-muted">
      ends <Time at={at} />
    </span>
  );
}

const MONO = "min-w-0 truncate font-mono text-xs";

export function LatestCalls({ agent }: { agent: string }) {
  return (
    <HomeCard title="Last calls" href={`/admin/executions?${new URLSearchParams({ agent })}`}>
      <CallList filters={{ agent }} />
    </HomeCard>
  );
}

/** The latest calls, each with the state that it led to. */
export function CallList({ filters }: { filters: Readonly<Record<string, string>> }) {
  return (
    <Latest<ExecutionRow> list="executions" filters={filters} none="No calls yet.">
      {(row) => (
        <>
          <StatusBadge status={row.status} />
          <TextLink href={`/admin/executions/${encodeURIComponent(row.callId)}`} className={MONO}>
            {isRefusedAttempts(row) ? reasonOf(row) : toolOf(row)}
          </TextLink>
          {transitionInWords(row) !== "—" && (
            <span className="min-w-0 truncate text-muted">{transitionInWords(row)}</span>
          )}
          <When at={row.at} />
        </>
      )}
    </Latest>
  );
}

/** The latest denials of an agent: its refusals, counted by kind. */
export function LatestRefusals({ agent }: { agent: string }) {
  return (
    <HomeCard
      title="Open refusals"
      href={`/admin/denials?${new URLSearchParams({ agent })}`}
      hint="Calls that the rules refused, and that nobody has marked as resolved."
    >
      <Latest<DenialRow> list="denials" filters={{ agent }} none="None in the last 7 days.">
        {({ id, tool, reason, calls, lastAt }) => (
          <>
            <TextLink href={`/admin/denials/${encodeURIComponent(id)}`} className={MONO}>
              {tool}
            </TextLink>
            <span className="min-w-0 truncate text-muted">
              {reasonInWords(reason)}
              {calls > 1 && ` · ${calls.toLocaleString("en")} calls`}
            </span>
            <When at={lastAt} />
          </>
        )}
      </Latest>
    </HomeCard>
  );
}

export function LatestAccess({ agent }: { agent: string }) {
  const filters = { asker: agent };
  return (
    <HomeCard title="Access requests" href={`/admin/requests?${new URLSearchParams({ kind: "access", ...filters })}`}>
      <Latest<RequestRow> list="access-requests" filters={filters} none="No access requests yet.">
        {(request) => (
          <>
            <RequestBadge of={request} />
            <TextLink href={`/admin/requests/${encodeURIComponent(request.id)}`} className={MONO}>
              {request.target}
            </TextLink>
            {request.grant !== null && !request.ended ? <Until at={request.grant.until} /> : <When at={request.at} />}
          </>
        )}
      </Latest>
    </HomeCard>
  );
}

export function LatestSessions({ agent }: { agent: string }) {
  return (
    <HomeCard title="Sessions" href={`/admin/sessions?${new URLSearchParams({ agent })}`}>
      <Latest<SessionRow> list="sessions" filters={{ agent }} none="No sessions yet.">
        {({ id, state, machine, live, lastUsedAt }) => (
          <>
            <LifeBadge live={live} />
            <TextLink href={`/admin/sessions/${encodeURIComponent(id)}`} className={MONO}>
              {id}
            </TextLink>
            <span className="text-muted">{stateInWords(state, machine)}</span>
            <When at={lastUsedAt} />
          </>
        )}
      </Latest>
    </HomeCard>
  );
}

/** Requests with a credential of the agent that were refused before any call. */
export function RefusedAttempts({ agent }: { agent: string }) {
  const filters = { actor: agent, action: "refused.credential" };
  return (
    <HomeCard
      title="Refused attempts to connect"
      href={`/admin/audit?${new URLSearchParams(filters)}`}
      hint="Requests that were refused because the agent is disabled, or its key has expired or is revoked."
    >
      <Latest<AuditRow> list="audit" filters={filters} none="None. The audit trail records refusals within a minute.">
        {({ detail, count, at }) => (
          <>
            <span className="min-w-0 truncate">{detail}</span>
            {count > 1 && <span className="whitespace-nowrap text-muted">{count.toLocaleString("en")} times</span>}
            <When at={at} />
          </>
        )}
      </Latest>
    </HomeCard>
  );
}
