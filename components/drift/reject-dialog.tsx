import { useState } from "react";
import { DECISIONS, KIND_WORDS } from "@/components/drift/drift-words";
import { useDecide } from "@/components/drift/use-drift-review";
import { counted } from "@/components/ui/counted";
import { Badge } from "@/components/ui/badge";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import type { DriftItem } from "@/lib/contracts/sources/drift";

interface RejectDialogProps {
  /** The selected tools that can be rejected. */
  rows: readonly DriftItem[];
  /** The number of selected tools that cannot be rejected. */
  leftOut: number;
  onClose: () => void;
  /** Called after the rejection, when the dialog is closed. */
  onDecided: () => void;
}

/** Shows what rejecting would do to each selected tool. Rejects all of them or none. */
export function RejectDialog({ rows: shown, leftOut, onClose, onDecided }: RejectDialogProps) {
  // The rows from when the dialog opened: a refetch must not change what the person rejects.
  const [rows] = useState(shown);
  const decide = useDecide(() => {
    onClose();
    onDecided();
  });
  const tools = counted(rows.length, "tool");
  return (
    <ActionDialog
      title={`Reject ${tools}?`}
      description="A changed tool stays quarantined until its source changes again. You can still approve it: filter the list by decision. A new tool is not proposed again, but you can still import it."
      action={`Reject ${tools}`}
      pending={decide.isPending}
      error={decide.error?.message}
      onAct={() => decide.mutate({ what: "reject", items: rows })}
      onClose={onClose}
    >
      <ul
        aria-label="Tools to reject"
        tabIndex={0}
        className="flex max-h-72 flex-col overflow-y-auto rounded-lg border border-line"
      >
        {rows.map(({ id, kind }) => (
          <li key={id} className="flex items-center gap-2 border-b border-line px-3 py-1.5 text-sm last:border-b-0">
            <span className="min-w-0 flex-1 font-mono text-xs break-all">{id}</span>
            <Badge tone="outline">{KIND_WORDS[kind]}</Badge>
            <span className="w-28 shrink-0 text-xs text-muted">{DECISIONS[kind].reject}</span>
          </li>
        ))}
      </ul>
      {leftOut > 0 && (
        <p className="text-sm text-muted">
          {leftOut.toLocaleString("en")} selected {leftOut === 1 ? "tool is" : "tools are"} not included: removed from
          the source, or already rejected.
        </p>
      )}
    </ActionDialog>
  );
}
