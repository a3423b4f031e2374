import { ApprovalBadge, Countdown } from "@/components/approvals/approval-words";
import { RefuseSelected } from "@/components/approvals/refuse-selected";
import { RowAnswer, RowArguments } from "@/components/approvals/row-cells";
import { InboxTabs } from "@/components/requests/inbox-tabs";
import { NOT_ON_PHONE, textColumn, timeColumn } from "@/components/resource/columns";
import { List } from "@/components/resource/list/list";
import type { Column, Filter } from "@/components/resource/view";
import { useCan } from "@/components/resource/who";
import { lazyPart } from "@/components/ui/lazy-part";
import type { ApprovalRow } from "@/lib/contracts/log/approval";
import { APPROVAL_STATUSES } from "@/lib/resources/parts/words";

const Peek = lazyPart(async () => (await import("@/components/approvals/approval-view")).ApprovalPeek);

/** Milliseconds between two polls for waiting calls. */
const POLL_MS = 10_000;

/** At most six by default, so that a row with its answer fits a screen of 1440 px. */
const CLOSED = timeColumn("closesAt", "Closed", { sorts: true });

const COLUMNS: readonly Column<ApprovalRow>[] = [
  {
    id: "toolId",
    header: "Tool",
    cell: (row) => (
      // A fixed width on a phone: long names and arguments must not move the answer off the screen.
      <span className="block max-sm:w-40">
        <span className="block truncate font-mono text-xs">{row.toolId}</span>
        <span className="hidden truncate text-xs font-normal text-muted max-sm:block">{row.agent ?? row.subject}</span>
        <span className="hidden max-sm:block max-sm:[&_.truncate]:line-clamp-4 max-sm:[&_.truncate]:break-words max-sm:[&_.truncate]:whitespace-normal">
          <RowArguments row={row} />
        </span>
        <span className="hidden max-sm:block">
          <StatusCell row={row} />
        </span>
      </span>
    ),
  },
  {
    id: "agent",
    header: "Caller",
    fields: ["agent", "issuer", "subject"],
    className: NOT_ON_PHONE,
    cell: (row) => <span className="block max-w-48 truncate">{row.agent ?? row.subject}</span>,
  },
  {
    id: "arguments",
    header: "Arguments",
    fields: [],
    className: `w-full max-w-0 min-w-48 ${NOT_ON_PHONE}`,
    cell: (row) => <RowArguments row={row} />,
  },
  { id: "answer", header: "Answer", fields: [], cell: (row) => <RowAnswer row={row} /> },
  {
    id: "status",
    header: "Approval",
    fields: ["status", "decidedBy", "closesAt"],
    className: `whitespace-nowrap ${NOT_ON_PHONE}`,
    cell: (row) => <StatusCell row={row} />,
  },
  { ...timeColumn("at", "Requested", { sorts: true }), className: NOT_ON_PHONE },
  {
    ...CLOSED,
    aside: true,
    cell: (row, canWrite) =>
      row.status === "waiting" ? <Countdown until={row.closesAt} /> : CLOSED.cell(row, canWrite),
  },
  textColumn("reason", "Reason", (row) => row.reason, { aside: true, className: "max-w-72" }),
];

/** The status, with the time that is left or the person who answered. */
function StatusCell({ row: { status, closesAt, decidedBy } }: { row: ApprovalRow }) {
  return (
    <span className="flex items-center gap-1.5">
      <ApprovalBadge status={status} />
      <span className="max-w-40 truncate text-xs text-muted">
        {status === "waiting" ? <Countdown until={closesAt} /> : decidedBy !== null && `by ${decidedBy}`}
      </span>
    </span>
  );
}

const FILTERS: readonly Filter[] = [
  {
    key: "status",
    label: "Approval",
    options: APPROVAL_STATUSES.map((value) => ({ value, label: value })),
  },
  { key: "agent", label: "Agent", names: "agents" },
];

const CHIPS = [
  { key: "tool", label: "Tool" },
  { key: "subject", label: "Subject" },
  { key: "decidedBy", label: "By" },
] as const;

/** The calls that wait for a person, and those that were answered. */
export function ApprovalList() {
  return (
    <>
      <InboxTabs />
      <List<ApprovalRow>
        list="approvals"
        words={["approval", "approvals"]}
        columns={COLUMNS}
        idOf={(row) => row.id}
        filters={FILTERS}
        chips={CHIPS}
        sort="-closesAt"
        exports={useCan("executions:export")}
        whenEmpty="Calls that require approval wait here until somebody approves or refuses them. To require approval, edit the tool, or use General settings for all tools with side effects."
        renderSelected={(rows, onDone) => <RefuseSelected rows={rows} onDone={onDone} />}
        renderPeek={(id, onClose) => <Peek id={id} onClose={onClose} />}
        pollMs={POLL_MS}
      />
    </>
  );
}
