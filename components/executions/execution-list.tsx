"use client";

import { lazy } from "react";
import { SealLine } from "@/components/audit/seal-line";
import { LogHistogram } from "@/components/executions/log-histogram";
import { reasonInWords } from "@/components/executions/reason-words";
import { StatusBadge } from "@/components/executions/status-badge";
import { List } from "@/components/resource/list/list";
import type { Chip, Column, Filter } from "@/components/resource/view";
import { useWho } from "@/components/resource/who";
import { Time } from "@/components/ui/time";
import { VisibleText } from "@/components/ui/visible-text";
import type { ExecutionRow } from "@/lib/contracts/log/execution";
import { CALL_STATUSES } from "@/lib/resources/parts/words";
import { can } from "@/lib/resources/permissions";

const Peek = lazy(async () => ({ default: (await import("@/components/executions/execution-peek")).ExecutionPeek }));

const COLUMNS: readonly Column<ExecutionRow>[] = [
  {
    id: "tool",
    header: "Tool",
    fields: ["toolId", "asked"],
    cell: (row) => (
      <span className="font-mono text-xs">
        <VisibleText text={row.toolId ?? row.asked} />
      </span>
    ),
  },
  { id: "status", header: "Outcome", cell: (row) => <StatusBadge status={row.status} /> },
  {
    id: "reason",
    header: "Reason",
    fields: ["reason", "code"],
    className: "w-full max-w-0 min-w-40",
    cell: ({ reason, code }) => {
      const text = reasonInWords(reason ?? code ?? "—");
      return (
        <span className="block truncate text-muted" title={text}>
          {text}
        </span>
      );
    },
  },
  {
    id: "caller",
    header: "Caller",
    fields: ["agent", "issuer", "subject"],
    cell: (row) => <span className="block max-w-56 truncate">{row.agent ?? row.subject}</span>,
  },
  {
    id: "state",
    header: "State",
    fields: ["stateBefore", "stateAfter"],
    className: "max-lg:hidden",
    cell: (row) => (
      <span className="text-muted">
        {row.stateAfter === null || row.stateAfter === row.stateBefore
          ? (row.stateBefore ?? "—")
          : `${row.stateBefore} → ${row.stateAfter}`}
      </span>
    ),
  },
  {
    id: "ms",
    header: "Time taken",
    fields: ["gatewayMs", "upstreamMs"],
    className: "text-right max-lg:hidden",
    cell: (row) => <Taken row={row} />,
  },
  {
    id: "traceId",
    header: "Trace",
    aside: true,
    cell: ({ traceId }) =>
      traceId === null ? (
        <span className="text-faint">—</span>
      ) : (
        <span className="font-mono text-xs text-muted" title={traceId}>
          {traceId.slice(0, 8)}…
        </span>
      ),
  },
  {
    id: "at",
    header: "When",
    className: "text-right",
    cell: (row) => (
      <span className="relative z-1 text-muted">
        <Time at={row.at} />
      </span>
    ),
  },
];

const FILTERS: readonly Filter[] = [
  {
    key: "status",
    label: "Outcome",
    options: CALL_STATUSES.map((value) => ({ value, label: value.replaceAll("_", " ") })),
  },
  { key: "agent", label: "Agent", names: "agents" },
  { key: "source", label: "Source", names: "sources" },
];

const CHIPS: readonly Chip[] = [
  { key: "tool", label: "Tool", example: "support:get_order" },
  { key: "code", label: "Error code", example: "invalid_arguments" },
  { key: "reason", label: "Reason", example: "no_policy_grant" },
  { key: "group", label: "Group" },
  { key: "policy", label: "Policy" },
  { key: "subject", label: "Subject" },
  { key: "session", label: "Session" },
  { key: "parent", label: "Made by the call" },
  { key: "traceId", label: "Trace", example: "4bf92f3577b34da6a3ce929d0e0e4736" },
  { key: "revision", label: "Revision", example: "42" },
];

/** The execution log, newest first. */
export function ExecutionList() {
  return (
    <List<ExecutionRow>
      list="executions"
      title="Executions"
      words={["call", "calls"]}
      columns={COLUMNS}
      idOf={(row) => row.callId}
      filters={FILTERS}
      chips={CHIPS}
      searches="Search tool or agent, or a whole id…"
      live
      timeOf={({ at }) => at}
      renderAbove={(asked, onTimes) => (
        <>
          <SealLine asked={asked} />
          <LogHistogram asked={asked} onTimes={onTimes} />
        </>
      )}
      exports={can(useWho().role, "executions:export")}
      purpose="Every call an agent makes, allowed or refused, is written here before it reaches its tool. Try it on the page of a tool, or POST /api/agents/tools/call with a key."
      renderPeek={(id, onClose) => <Peek callId={id} onClose={onClose} />}
    />
  );
}

function Taken({ row }: { row: ExecutionRow }) {
  if (row.gatewayMs === null) return <span className="text-faint">—</span>;
  return (
    <span className="tabular-nums">{Math.round(row.gatewayMs + (row.upstreamMs ?? 0)).toLocaleString("en")} ms</span>
  );
}
