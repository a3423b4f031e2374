import { useEffect, useRef } from "react";
import { AgentKeys } from "@/components/agents/agent-keys";
import { AgentTools } from "@/components/agents/agent-tools";
import { Connect } from "@/components/agents/connect";
import { CONNECT } from "@/components/agents/connect-link";
import { LatestAccess, LatestCalls, LatestRefusals, LatestSessions, RefusedAttempts } from "@/components/agents/latest";
import { useLatest } from "@/components/agents/latest-list";
import { HomeCard } from "@/components/agents/home-card";
import { changesOf, sentencesOf } from "@/components/resource/editor/changes";
import { AgentUseNote } from "@/components/rightsizing/use-note";
import { useWho } from "@/components/resource/who";
import { HeldLabels } from "@/components/views/flow/held-labels";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import type { Row } from "@/lib/resources";
import { UNLIMITED } from "@/lib/resources/parts/no-limits";
import { can } from "@/lib/resources/permissions";

/** What an agent has and does now: tools, keys, calls, refusals, sessions and limits, and how it connects. */
export function AgentHome({ row }: { row: Row<"agents"> }) {
  const { role } = useWho();
  const { name } = row;
  const readsCalls = can(role, "executions:read");
  const calls = useLatest({ list: "executions", filters: { agent: name } }, readsCalls);
  // The order of the cards depends on the calls: a card that moved up later would push the others away.
  if (readsCalls && calls.isPending) return <Skeleton className="h-96" />;
  // Who made a new agent wants to connect it first.
  const isNew = calls.data?.items.length === 0;
  const connect = <ConnectCard agent={name} />;
  return (
    <div className="@container flex flex-col gap-4">
      {/* The demo counts example calls that are not in the log: no agent looks used before its first call. */}
      {readsCalls && !isNew && <AgentUseNote agent={name} />}
      {isNew && connect}
      {/* Columns, because cards of one row of a grid would leave holes below the shorter one. */}
      <div className="flex flex-col gap-4 @4xl:block @4xl:columns-2 @4xl:*:mb-4 @4xl:*:break-inside-avoid">
        <AgentTools row={row} />
        {can(role, "keys:read") && <AgentKeys agent={name} />}
        {readsCalls && <LatestCalls agent={name} />}
        {readsCalls && <LatestRefusals agent={name} />}
        {readsCalls && <LatestAccess agent={name} />}
        {readsCalls && <LatestSessions agent={name} />}
        {readsCalls && (
          <HomeCard title="Labels" href="/admin/labels" link="All labels">
            <p className="text-xs text-muted">
              A label records what the agent has read, such as private data. It matters only where a{" "}
              <TextLink href="/admin/flows">flow rule</TextLink> names it.
            </p>
            <HeldLabels by="agent" id={name} />
          </HomeCard>
        )}
        {can(role, "audit:read") && <RefusedAttempts agent={name} />}
        <Limits row={row} />
      </div>
      {!isNew && connect}
    </div>
  );
}

function ConnectCard({ agent }: { agent: string }) {
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The link may come from another tab, before the card is there.
    if (window.location.hash !== `#${CONNECT}`) return;
    card.current?.scrollIntoView();
    // Otherwise the page would scroll here again when a person returns to this tab of it.
    window.history.replaceState(null, "", window.location.pathname + window.location.search);
  }, []);
  return (
    <div ref={card} id={CONNECT}>
      <HomeCard title="Connect">
        <Connect agent={agent} given={{ kind: "variable" }} />
      </HomeCard>
    </div>
  );
}

function Limits({ row: { limits, name } }: { row: Row<"agents"> }) {
  const stated = sentencesOf(changesOf({ limits: UNLIMITED }, { limits }));
  return (
    <HomeCard
      title="Limits"
      href={`/admin/agents/${encodeURIComponent(name)}?tab=settings&field=limits`}
      link="Change limits"
    >
      {stated.length === 0 ? (
        <p className="text-sm text-muted">All calls of this agent together have no limit.</p>
      ) : (
        <ul className="flex flex-col gap-1 text-sm">
          {stated.map(({ text }) => (
            <li key={text}>{text.replace("none → ", "")}</li>
          ))}
        </ul>
      )}
    </HomeCard>
  );
}
