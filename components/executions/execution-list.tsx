import { NOT_ON_PHONE, textColumn } from "@/components/resource/columns";
import { useMemo } from "react";
import { toOptions } from "@/components/ui/forms/options";
import { SealLine } from "@/components/audit/seal-line";
import { milliseconds } from "@/components/charts/milliseconds";
import { LogHistogram } from "@/components/executions/log-histogram";
import { RuledReason } from "@/components/executions/logged-reason";
import {
  LOGGED_REASONS,
  reasonInWords,
  ruledReasonOf,
  SEARCH_NOTE,
  toolOf,
} from "@/components/executions/reason-words";
import { transitionInWords } from "@/components/executions/state-words";
import { StatusBadge, statusInWords } from "@/components/executions/status-badge";
import { List } from "@/components/resource/list/list";
import type { Chip, Column, Filter } from "@/components/resource/view";
import { useWho } from "@/components/resource/who";
import { lazyPart } from "@/components/ui/lazy-part";
import { Time } from "@/components/ui/time";
import { VisibleText } from "@/components/ui/visible-text";
import type { ListedExecution } from "@/lib/contracts/log/execution";
import { ERRORS } from "@/lib/errors";
import { CALL_STATUSES } from "@/lib/resources/parts/words";
import { can } from "@/lib/resources/permissions";

const Peek = lazyPart(async () => (await import("@/components/executions/execution-peek")).ExecutionPeek);

const COLUMNS: readonly Column<ListedExecution>[] = [
  {
    id: "tool",
    header: "Tool",
    fields: ["toolId", "asked"],
    cell: (row) => (
      // Narrower than other name columns, so that the outcome fits beside it on a phone, and the time at 1440 pixels.
      <>
        <span className="block max-w-72 truncate font-mono text-xs max-sm:max-w-52">
          <VisibleText text={toolOf(row)} />
        </span>
        <OnPhone row={row} />
      </>
    ),
  },
  { id: "status", header: "Outcome", cell: (row) => <StatusBadge status={row.status} /> },
  {
    id: "reason",
    header: "Reason",
    fields: ["reason", "code", "attempts"],
    className: `w-full max-w-0 min-w-48 ${NOT_ON_PHONE}`,
    cell: (row) => {
      const { words, names } = ruledReasonOf(row);
      return (
        <span className="block truncate text-muted" title={words + names.join(", ")}>
          <RuledReason call={row} />
        </span>
      );
    },
  },
  {
    id: "caller",
    header: "Caller",
    fields: ["agent", "issuer", "subject"],
    className: NOT_ON_PHONE,
    cell: (row) => <span className="block max-w-44 truncate">{row.agent ?? row.subject}</span>,
  },
  {
    id: "state",
    header: "State",
    fields: ["stateBefore", "stateAfter"],
    className: "max-xl:hidden",
    cell: (row) => {
      const text = transitionInWords(row);
      return (
        <span className="block max-w-40 truncate text-muted" title={text}>
          {text}
        </span>
      );
    },
  },
  {
    id: "ms",
    header: "Duration",
    fields: ["gatewayMs", "upstreamMs"],
    className: "text-right max-lg:hidden",
    cell: (row) => <Duration row={row} />,
  },
  textColumn("policies", "Policies", ({ policies }) => policies.join(", ") || "none", {
    aside: true,
    className: "max-w-56",
  }),
  textColumn("approver", "Approver", ({ approver }) => approver ?? "—", {
    fields: ["approver", "answeredAt", "answerReason"],
    aside: true,
    className: "max-w-48",
  }),
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
    className: `text-right ${NOT_ON_PHONE}`,
    cell: (row) => (
      <span className="relative z-1 text-muted">
        <Time at={row.at} />
      </span>
    ),
  },
];

/** The caller, the time and the reason, for phones, which hide these columns. */
function OnPhone({ row }: { row: ListedExecution }) {
  const { words, names } = ruledReasonOf(row);
  return (
    <span className="hidden max-w-52 text-xs font-normal text-pretty whitespace-normal text-muted max-sm:block">
      {row.agent ?? row.subject} · <Time at={row.at} />
      {/* Plain text instead of links, because the cell is already a link. */}
      <span className="block">
        {words}
        {names.join(", ")}
      </span>
    </span>
  );
}

/** Only for people who may read bodies. The server refuses arguments to others. */
const ARGUMENTS: Column<ListedExecution> = {
  id: "arguments",
  header: "Arguments",
  aside: true,
  asks: { arguments: "true" },
  className: "max-w-80",
  cell: ({ arguments: given }) => {
    const text = given === undefined || given === null ? "—" : JSON.stringify(given);
    return (
      <span className="block truncate font-mono text-xs text-muted" title={text}>
        <VisibleText text={text} />
      </span>
    );
  },
};

const FILTERS: readonly Filter[] = [
  {
    key: "status",
    label: "Outcome",
    options: CALL_STATUSES.map((value) => ({ value, label: statusInWords(value) })),
  },
  { key: "agent", label: "Agent", names: "agents" },
  { key: "source", label: "Source", names: "sources" },
];

const CHIPS: readonly Chip[] = [
  { key: "tool", label: "Tool", example: "support:get_order", names: "tools" },
  { key: "tag", label: "Tool tag", example: "orders" },
  {
    key: "sideEffects",
    label: "Side effects",
    options: toOptions({ true: "Yes", false: "No" }),
    isClosed: true,
  },
  { key: "group", label: "Tool group", names: "groups" },
  { key: "policy", label: "Policy", names: "policies" },
  {
    key: "reason",
    label: "Reason",
    example: "no_policy_grant",
    options: LOGGED_REASONS.map((value) => ({ value, label: reasonInWords(value) })),
  },
  {
    key: "code",
    label: "Error code",
    example: "invalid_arguments",
    options: Object.entries(ERRORS).map(([value, { title }]) => ({ value, label: title })),
  },
  { key: "subject", label: "Subject" },
  { key: "session", label: "Session" },
  { key: "parent", label: "Parent call" },
  { key: "traceId", label: "Trace", example: "4bf92f3577b34da6a3ce929d0e0e4736" },
  { key: "revision", label: "Revision", example: "42" },
];

/** The execution log, newest first. */
export function ExecutionList() {
  const { role } = useWho();
  const columns = useMemo(() => (can(role, "executions:bodies") ? [...COLUMNS, ARGUMENTS] : COLUMNS), [role]);
  return (
    <List<ListedExecution>
      list="executions"
      title="Executions"
      words={["call", "calls"]}
      columns={columns}
      idOf={(row) => row.callId}
      filters={FILTERS}
      chips={CHIPS}
      searches="Search tool, agent or id…"
      searchNote={SEARCH_NOTE}
      live
      timeOf={({ at }) => at}
      renderAbove={(apiQuery, onTimes) => (
        <>
          <SealLine apiQuery={apiQuery} />
          <LogHistogram apiQuery={apiQuery} onTimes={onTimes} />
        </>
      )}
      exports={can(role, "executions:export")}
      whenEmpty="This page lists every call of every agent, allowed or refused. To make a call, open “Try it” on the page of a tool, or POST /api/agents/tools/call with an API key."
      renderPeek={(id, onClose) => <Peek callId={id} onClose={onClose} />}
    />
  );
}

function Duration({ row }: { row: ListedExecution }) {
  if (row.gatewayMs === null) return <span className="text-faint">—</span>;
  return <span className="whitespace-nowrap tabular-nums">{milliseconds(row.gatewayMs + (row.upstreamMs ?? 0))}</span>;
}
