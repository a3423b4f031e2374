import { actionInWords, foldsOf, KIND_WORDS, targetInWords } from "@/components/audit/trail-words";
import { ACTION_WORDS } from "@/components/changes/change-words";
import { List } from "@/components/resource/list/list";
import { textColumn, timeColumn, wideColumn } from "@/components/resource/columns";
import type { Chip, Column, Filter } from "@/components/resource/view";
import { Badge } from "@/components/ui/badge";
import { lazyPart } from "@/components/ui/lazy-part";
import { VisibleText } from "@/components/ui/visible-text";
import type { AuditRow } from "@/lib/contracts/log/audit-trail";
import { AUDIT_ACTIONS } from "@/lib/contracts/log/audit-actions";
import { AUDIT_KINDS, CHANGE_ACTIONS } from "@/lib/resources/parts/words";

const Peek = lazyPart(async () => (await import("@/components/audit/trail-entry")).AuditPeek);

const COLUMNS: readonly Column<AuditRow>[] = [
  {
    id: "action",
    header: "What",
    fields: ["action", "detail"],
    className: "max-w-72",
    cell: (row) => <span className="block truncate">{actionInWords(row)}</span>,
  },
  {
    id: "kind",
    header: "Kind",
    cell: ({ kind }) => <Badge tone={KIND_WORDS[kind].tone}>{KIND_WORDS[kind].text}</Badge>,
  },
  wideColumn(
    "target",
    "Target or reason",
    (row) => <VisibleText text={row.kind === "refusal" ? (row.detail ?? "") : targetInWords(row)} />,
    { fields: ["target", "detail"] },
  ),
  {
    id: "count",
    header: "Count",
    className: "text-right",
    cell: ({ count }) => (
      <span className="text-muted tabular-nums">{count === 1 ? "" : count.toLocaleString("en")}</span>
    ),
  },
  textColumn("actor", "Who", ({ actor }) => <VisibleText text={actor.name} />, { className: "max-w-56" }),
  textColumn("address", "Address", ({ address }) => address, { aside: true }),
  timeColumn("at", "When", { sorts: true }),
];

const FILTERS: readonly Filter[] = [
  {
    key: "kind",
    label: "Kind",
    options: AUDIT_KINDS.map((value) => ({ value, label: KIND_WORDS[value].text })),
  },
  {
    key: "action",
    label: "What",
    options: [
      ...Object.entries(AUDIT_ACTIONS).map(([value, label]) => ({ value, label })),
      ...CHANGE_ACTIONS.map((value) => ({ value, label: `${ACTION_WORDS[value].text} configuration` })),
    ],
  },
];

const CHIPS: readonly Chip[] = [
  { key: "actor", label: "Who", example: "ada@example.com" },
  { key: "target", label: "Target", example: "call_…" },
];

/** Audit events, refusals and changes of the configuration in one list. */
export function AuditTrailList() {
  return (
    <List<AuditRow>
      list="audit"
      title="Audit trail"
      words={["entry", "entries"]}
      columns={COLUMNS}
      idOf={(row) => row.id}
      filters={FILTERS}
      chips={CHIPS}
      folds={foldsOf}
      searches="Exact name, address or id…"
      sort="-at"
      live
      exports
      renderPeek={(id, onClose) => <Peek id={id} onClose={onClose} />}
    />
  );
}
