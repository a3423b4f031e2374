import { useState } from "react";
import { KIND_WORDS, SEVERITY_TONES, DECISIONS } from "@/components/drift/drift-words";
import { List } from "@/components/resource/list/list";
import { textColumn, timeColumn, wideColumn } from "@/components/resource/columns";
import type { Column, Filter } from "@/components/resource/view";
import { Badge } from "@/components/ui/badge";
import { lazyPart } from "@/components/ui/lazy-part";
import { VisibleText } from "@/components/ui/visible-text";
import type { DriftItem } from "@/lib/contracts/sources/drift";
import { DRIFT_KINDS, SEVERITIES } from "@/lib/resources/parts/words";
import { ApproveDialog } from "@/components/drift/approve-dialog";
import { RejectDialog } from "@/components/drift/reject-dialog";
import { useCan } from "@/components/resource/who";
import { Button } from "@/components/ui/button";

const Peek = lazyPart(async () => (await import("@/components/drift/drift-view")).DriftPeek);

const COLUMNS: readonly Column<DriftItem>[] = [
  { id: "id", header: "Tool", sorts: true, cell: ({ id }) => <span className="font-mono text-xs">{id}</span> },
  {
    id: "severity",
    header: "Severity",
    cell: ({ severity }) => <Badge tone={SEVERITY_TONES[severity]}>{severity}</Badge>,
  },
  { id: "kind", header: "Kind", cell: ({ kind }) => <Badge tone="outline">{KIND_WORDS[kind]}</Badge> },
  wideColumn("notes", "Differences", ({ notes }) => (
    <VisibleText text={notes.map((note) => note.text.replaceAll("`", "")).join(" · ")} />
  )),
  textColumn("source", "Source", ({ source }) => source, { sorts: true }),
  timeColumn("since", "Found", { sorts: true }),
  { id: "request", header: "Requested by", aside: true, cell: ({ request }) => request?.asker },
  { id: "rejectedBy", header: "Rejected by", aside: true, cell: ({ rejectedBy }) => rejectedBy },
];

const FILTERS: readonly Filter[] = [
  { key: "kind", label: "Kind", options: DRIFT_KINDS.map((value) => ({ value, label: KIND_WORDS[value] })) },
  { key: "severity", label: "Severity", options: SEVERITIES.map((value) => ({ value, label: value })) },
  { key: "source", label: "Source", names: "sources" },
  {
    key: "decision",
    label: "Decision",
    options: [{ value: "rejected", label: "Rejected" }],
    unset: "pending",
  },
];

/** The tools whose source describes them differently from the catalogue. A person approves or rejects each. */
export function DriftList() {
  return (
    <List<DriftItem>
      list="drift"
      title="Drift review"
      words={["tool to review", "tools to review"]}
      columns={COLUMNS}
      idOf={({ id }) => id}
      filters={FILTERS}
      searches="Search tools…"
      sort="-since"
      exports
      whenEmpty="Tools that a sync finds new, changed or removed wait here for a decision. A changed tool stays quarantined until somebody approves its new definition."
      renderSelected={(rows, onDone) => <SelectedDrift rows={rows} onDone={onDone} />}
      renderPeek={(id, onClose, onNext) => <Peek id={id} onClose={onClose} onDecided={onNext} />}
    />
  );
}

interface SelectedDriftProps {
  rows: readonly DriftItem[];
  onDone: () => void;
}

/** The two decisions about several tools. Each is for all of them or none. */
function SelectedDrift({ rows, onDone }: SelectedDriftProps) {
  const mayWrite = useCan("configuration:write");
  const [deciding, setDeciding] = useState<"approve" | "reject" | null>(null);
  const close = () => setDeciding(null);
  const rejectable = rows.filter(({ kind, rejectedBy }) => DECISIONS[kind].reject !== null && rejectedBy === null);
  if (!mayWrite) return null;
  return (
    <>
      {rejectable.length > 0 && (
        <Button size="sm" onClick={() => setDeciding("reject")}>
          Reject {rejectable.length}…
        </Button>
      )}
      <Button size="sm" variant="primary" onClick={() => setDeciding("approve")}>
        Approve {rows.length}…
      </Button>
      {deciding === "approve" && <ApproveDialog rows={rows} onClose={close} onDecided={onDone} />}
      {deciding === "reject" && (
        <RejectDialog rows={rejectable} leftOut={rows.length - rejectable.length} onClose={close} onDecided={onDone} />
      )}
    </>
  );
}
