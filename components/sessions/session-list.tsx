import { stateInWords } from "@/components/executions/state-words";
import { List } from "@/components/resource/list/list";
import { useList } from "@/components/resource/list/use-list";
import { timeColumn } from "@/components/resource/columns";
import type { Column, Filter } from "@/components/resource/view";
import { useCan } from "@/components/resource/who";
import { LifeBadge, MODE_WORDS, ModeBadge } from "@/components/sessions/session-words";
import { Badge } from "@/components/ui/badge";
import { lazyPart } from "@/components/ui/lazy-part";
import type { SessionRow } from "@/lib/contracts/log/session";
import { ROUTING_MODES } from "@/lib/resources/parts/words";

/** Milliseconds between two polls of the runs' states. */
const POLL_MS = 10_000;

const Peek = lazyPart(async () => (await import("@/components/sessions/session-view")).SessionPeek);

const COLUMNS: readonly Column<SessionRow>[] = [
  {
    id: "id",
    header: "Session",
    cell: (row) => <span className="font-mono text-xs whitespace-nowrap">{row.id.slice(0, 12)}…</span>,
  },
  {
    id: "agent",
    header: "Agent",
    fields: ["agent", "issuer", "subject"],
    cell: (row) => <span className="block max-w-56 truncate">{row.agent ?? row.subject}</span>,
  },
  { id: "live", header: "Status", cell: (row) => <LifeBadge live={row.live} /> },
  {
    id: "state",
    header: "State",
    fields: ["state", "machine"],
    cell: (row) => (
      <span className="whitespace-nowrap">
        {stateInWords(row.state, row.machine)}
        {row.machine !== null && <span className="text-faint"> of {row.machine}</span>}
      </span>
    ),
  },
  {
    id: "mode",
    header: "Routing",
    fields: ["intent", "mode", "escalated"],
    cell: (row) => (
      <span className="flex items-center gap-1.5 whitespace-nowrap">
        {row.intent !== null && <span className="text-muted">{row.intent}</span>}
        <ModeBadge mode={row.mode} />
        {row.escalated && <Badge tone="warn">escalated</Badge>}
      </span>
    ),
  },
  {
    id: "calls",
    header: "Calls",
    sorts: true,
    className: "text-right",
    cell: (row) => <span className="tabular-nums">{row.calls.toLocaleString("en")}</span>,
  },
  timeColumn("createdAt", "Started", { sorts: true }),
  timeColumn("expiresAt", "Expires", { sorts: true }),
  timeColumn("lastUsedAt", "Last used", { sorts: true }),
];

const yesOrNo = (yes: string, no: string) => [
  { value: "true", label: yes },
  { value: "false", label: no },
];

const CHIPS = [
  { key: "subject", label: "Subject" },
  { key: "issuer", label: "Issuer" },
] as const;

export function SessionList() {
  const states = useList("machines", { limit: 500 }).rows.flatMap((machine) =>
    machine.states.map((state) => state.name),
  );
  const filters: readonly Filter[] = [
    { key: "live", label: "Status", options: yesOrNo("live", "expired") },
    { key: "agent", label: "Agent", names: "agents" },
    {
      key: "state",
      label: "State",
      // `undefined` is where the built-in machine starts.
      options: [...new Set(["undefined", ...states])].map((value) => ({ value, label: stateInWords(value) })),
    },
    { key: "mode", label: "Routing", options: ROUTING_MODES.map((value) => ({ value, label: MODE_WORDS[value] })) },
    { key: "escalated", label: "Escalated", options: yesOrNo("escalated", "not escalated") },
  ];
  return (
    <List<SessionRow>
      list="sessions"
      words={["session", "sessions"]}
      columns={COLUMNS}
      idOf={(row) => row.id}
      filters={filters}
      chips={CHIPS}
      sort="-lastUsedAt"
      pollMs={POLL_MS}
      exports={useCan("executions:export")}
      whenEmpty="This page lists the sessions that agents open with POST /api/agents/sessions, each with its state, intent and history."
      renderPeek={(id, onClose) => <Peek id={id} onClose={onClose} />}
    />
  );
}
