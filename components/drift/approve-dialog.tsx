"use client";

import { KIND_WORDS, SEVERITY_TONES } from "@/components/drift/drift-words";
import { useDecide } from "@/components/drift/use-drift-review";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { WithCode } from "@/components/ui/with-code";
import type { DriftItem } from "@/lib/resources/drift";

/** What approving several would do, before it does: all of them, or none when one changed meanwhile. */
export function ApproveDialog({ rows, onClose }: { rows: readonly DriftItem[]; onClose: () => void }) {
  const decide = useDecide(onClose);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={rows.length === 1 ? "Approve one tool" : `Approve ${rows.length} tools`}
      description="Each takes what its source says now, from the next request on. All of them, or none when one of them changed meanwhile."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            pending={decide.isPending}
            onClick={() => decide.mutate({ what: "approve", items: rows })}
          >
            Approve
          </Button>
        </>
      }
    >
      {decide.error !== null && (
        <p role="alert" className="mb-3 rounded-lg bg-deny-soft px-3 py-2 text-sm text-deny">
          <WithCode text={decide.error.message} />
        </p>
      )}
      <ul aria-label="Approves" className="flex flex-col gap-1.5">
        {rows.map(({ id, kind, severity, notes }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-2 text-xs">
            <Badge tone={SEVERITY_TONES[severity]}>{severity}</Badge>
            <span className="font-mono">{id}</span>
            <span className="text-muted">
              {KIND_WORDS[kind]}. <WithCode text={notes[0]?.text ?? ""} />
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
