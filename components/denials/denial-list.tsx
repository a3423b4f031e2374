import { isResolved, useMarkResolved } from "@/components/denials/use-denials";
import { LOGGED_REASONS, reasonInWords, SEARCH_NOTE } from "@/components/executions/reason-words";
import { List } from "@/components/resource/list/list";
import type { Chip, Column, Filter } from "@/components/resource/view";
import { useCan } from "@/components/resource/who";
import { NOT_ON_PHONE, textColumn, timeColumn } from "@/components/resource/columns";
import { Button } from "@/components/ui/button";
import { toContent } from "@/components/ui/to-content";
import { lazyPart } from "@/components/ui/lazy-part";
import type { DenialRow } from "@/lib/contracts/decisions/denial";
import { REFUSED_BY_PERSON } from "@/lib/resources/parts/words";

const Peek = lazyPart(async () => (await import("@/components/denials/denial-view")).DenialPeek);

function causeOf({ reason, policy }: DenialRow): string {
  return `${reasonInWords(reason)}${policy === null ? "" : ` · ${policy}`}`;
}

const COLUMNS: readonly Column<DenialRow>[] = [
  {
    id: "tool",
    header: "Tool",
    cell: (row) => (
      <>
        <span className="font-mono text-xs">{row.tool}</span>
        <span className="hidden text-xs font-normal text-muted max-sm:block">{row.agent ?? row.subject}</span>
        <span className="hidden text-xs font-normal text-pretty whitespace-normal max-sm:block">{causeOf(row)}</span>
      </>
    ),
  },
  {
    id: "caller",
    header: "Caller",
    fields: ["agent", "issuer", "subject"],
    className: NOT_ON_PHONE,
    cell: (row) => <span className="block max-w-56 truncate">{row.agent ?? row.subject}</span>,
  },
  textColumn("reason", "Refused because", causeOf, {
    fields: ["reason", "policy"],
    className: `w-full max-w-0 min-w-40 ${NOT_ON_PHONE}`,
  }),
  {
    id: "calls",
    header: "Calls",
    sorts: true,
    className: "text-right",
    cell: ({ calls }) => <span className="tabular-nums">{calls.toLocaleString("en")}</span>,
  },
  { ...timeColumn("firstAt", "First"), className: "max-lg:hidden" },
  timeColumn("lastAt", "Last", { sorts: true }),
];

const FILTERS: readonly Filter[] = [
  { key: "state", label: "Status", options: [{ value: "handled", label: "resolved" }] },
  { key: "agent", label: "Agent", names: "agents" },
  { key: "source", label: "Source", names: "sources" },
];

const CHIPS: readonly Chip[] = [
  { key: "tool", label: "Tool", example: "support:get_order", names: "tools" },
  {
    key: "reason",
    label: "Reason",
    example: "no_policy_grant",
    options: LOGGED_REASONS.map((value) => ({ value, label: reasonInWords(value) })),
  },
  { key: "policy", label: "Policy", names: "policies" },
  { key: "subject", label: "Subject" },
];

/** The refusals of agents' calls by caller, tool and rule, to grant them or to confirm them. */
export function DenialList() {
  return (
    <List<DenialRow>
      list="denials"
      title="Refusals"
      words={["kind of refusal", "kinds of refusal"]}
      columns={COLUMNS}
      idOf={(row) => row.id}
      filters={FILTERS}
      chips={CHIPS}
      searchNote={SEARCH_NOTE}
      sort="-lastAt"
      live
      exports={useCan("executions:export")}
      renderSelected={(rows, onDone) => <MarkSelected rows={rows} onDone={onDone} />}
      renderPeek={(id, onClose) => <Peek id={id} onClose={onClose} />}
    />
  );
}

interface MarkSelectedProps {
  rows: readonly DenialRow[];
  onDone: () => void;
}

/** Marks the selected kinds as resolved, or puts them back in a list of resolved ones. A person's answer stays. */
function MarkSelected({ rows: selected, onDone }: MarkSelectedProps) {
  const mayWrite = useCan("configuration:write");
  const mark = useMarkResolved();
  const rows = selected.filter(({ reason }) => reason !== REFUSED_BY_PERSON);
  if (!mayWrite || rows.length === 0) return null;
  const done = () => {
    onDone();
    toContent();
  };
  const handled = !rows.every(isResolved);
  return (
    <Button size="sm" pending={mark.isPending} onClick={() => mark.mutate({ rows, handled, onDone: done })}>
      {handled ? `Mark ${rows.length} resolved` : `Reopen ${rows.length}`}
    </Button>
  );
}
