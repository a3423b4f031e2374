import { useState } from "react";
import { DriftNote } from "@/components/drift/drift-note";
import { KIND_WORDS, seriousNotes } from "@/components/drift/drift-words";
import { useDecide } from "@/components/drift/use-drift-review";
import { Badge } from "@/components/ui/badge";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import type { DriftItem } from "@/lib/contracts/sources/drift";

interface ApproveDialogProps {
  rows: readonly DriftItem[];
  onClose: () => void;
  /** Called after the approval, when the dialog is closed. */
  onDecided: () => void;
}

/** Shows what approving would do, with serious changes by name, most serious first. Approves all tools or none. */
export function ApproveDialog({ rows: shown, onClose, onDecided }: ApproveDialogProps) {
  // As they were when the dialog opened: a later answer of the server must not change what a person decides here.
  const [rows] = useState(shown);
  const decide = useDecide(() => {
    onClose();
    onDecided();
  });
  const [first] = rows;
  const serious = rows.filter((row) => seriousNotes(row).length > 0);
  const one = rows.length === 1;
  return (
    <ActionDialog
      title={one && first !== undefined ? `Approve ${first.id}?` : `Approve ${rows.length} tools?`}
      description={
        one
          ? "The tool takes the new definition from its source and is callable from the next request."
          : "Each tool takes the new definition from its source and is callable from the next request. If one of them changed in the meantime, none is approved."
      }
      action={serious.length > 0 ? "Approve anyway" : "Approve"}
      tone={serious.length > 0 ? "danger" : "primary"}
      pending={decide.isPending}
      error={decide.error?.message}
      onAct={() => decide.mutate({ what: "approve", items: rows })}
      onClose={onClose}
    >
      {!one && serious.length > 0 && (
        <p className="text-sm text-deny">
          {serious.length} of {rows.length} {serious.length === 1 ? "has" : "have"} high severity.
        </p>
      )}
      <ul aria-label="Approves" className="flex flex-col gap-3">
        {[...serious, ...rows.filter((row) => !serious.includes(row))].map((row) => (
          <Change key={row.id} row={row} named={!one} />
        ))}
      </ul>
    </ActionDialog>
  );
}

/** One tool with all its serious differences; without any, with its first difference. */
function Change({ row, named }: { row: DriftItem; named: boolean }) {
  const serious = seriousNotes(row);
  return (
    <li className="flex flex-col gap-1">
      {named && (
        <span className="font-mono text-xs break-all">
          {row.id} <Badge tone="outline">{KIND_WORDS[row.kind]}</Badge>
        </span>
      )}
      {(serious.length > 0 ? serious : row.notes.slice(0, 1)).map((note) => (
        <DriftNote key={note.text} {...note} />
      ))}
    </li>
  );
}
