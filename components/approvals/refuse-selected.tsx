import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { RowArguments } from "@/components/approvals/row-cells";
import { refetchAnswered, useIsForOthers } from "@/components/approvals/use-approvals";
import { adminPath, request } from "@/components/resource/request";
import { sendToEach } from "@/components/resource/bulk/send-to-each";
import { toastFailure } from "@/components/resource/review/toast-failure";
import { useCan } from "@/components/resource/who";
import { counted } from "@/components/ui/counted";
import { Button } from "@/components/ui/button";
import { ReasonDialog } from "@/components/ui/overlays/reason-dialog";
import { toContent } from "@/components/ui/to-content";
import { toast } from "@/components/ui/overlays/toast";
import type { ApprovalRow } from "@/lib/contracts/log/approval";

interface RefuseSelectedProps {
  rows: readonly ApprovalRow[];
  onDone: () => void;
}

/** Refuses the selected calls that wait. Nothing approves many calls at once: each approval shows the facts of its call. */
export function RefuseSelected({ rows, onDone }: RefuseSelectedProps) {
  const mayAnswer = useCan("calls:approve");
  const [refusing, setRefusing] = useState<readonly ApprovalRow[] | null>(null);
  const isForOthers = useIsForOthers();
  const waiting = rows.filter(({ id, status }) => status === "waiting" && !isForOthers(id));
  if (!mayAnswer || (waiting.length === 0 && refusing === null)) return null;
  return (
    <>
      <Button size="sm" onClick={() => setRefusing(waiting)}>
        Refuse {waiting.length}…
      </Button>
      {refusing !== null && (
        <RefuseDialog
          rows={refusing}
          onClose={() => setRefusing(null)}
          onRefused={() => {
            setRefusing(null);
            onDone();
            toContent();
          }}
        />
      )}
    </>
  );
}

interface RefuseDialogProps {
  rows: readonly ApprovalRow[];
  onClose: () => void;
  onRefused: () => void;
}

function RefuseDialog({ rows, onClose, onRefused }: RefuseDialogProps) {
  const send = useRefuseAll(rows, onRefused);
  const calls = counted(rows.length, "call");
  return (
    <ReasonDialog
      title={`Refuse ${calls}`}
      description="Each call ends. Its caller receives your reason."
      action={`Refuse ${calls}`}
      tone="danger"
      pending={send.isPending}
      error={send.error?.message}
      hint="Each agent receives this reason"
      onSend={(reason) => send.mutate(reason)}
      onClose={onClose}
    >
      <ul
        aria-label="Calls to refuse"
        tabIndex={0}
        className="mb-3 flex max-h-72 flex-col overflow-y-auto rounded-lg border border-line"
      >
        {rows.map((row) => (
          <li key={row.id} className="border-b border-line px-3 py-1.5 text-sm last:border-b-0">
            <span className="font-mono text-xs">{row.toolId}</span>{" "}
            <span className="text-muted">{row.agent ?? row.subject}</span>
            <RowArguments row={row} />
          </li>
        ))}
      </ul>
    </ReasonDialog>
  );
}

/** Refuses each call. Another person may have answered one, or it is the person's own: the others are refused anyway. */
function useRefuseAll(rows: readonly ApprovalRow[], onRefused: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (reason: string) =>
      sendToEach(rows, ({ id }) => request(adminPath("approvals", id, "refuse"), { method: "POST", body: { reason } })),
    onSuccess: ({ done, failures }) => {
      toast({ title: `Refused ${counted(done.length, "call")}` });
      const [first] = failures;
      if (first !== undefined) toastFailure(`${counted(failures.length, "call was", "calls were")} not refused`, first);
      onRefused();
    },
    onSettled: () =>
      refetchAnswered(
        client,
        rows.map(({ id }) => id),
      ),
  });
}
