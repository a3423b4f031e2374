"use client";

import { useAccept } from "@/components/profiles/use-drift";
import { Problem } from "@/components/resource/request";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/overlays/dialog";
import type { DriftRow } from "@/lib/contracts/decisions/profile-drift";

interface AcceptDialogProps {
  profile: string;
  rows: readonly DriftRow[];
  onClose: () => void;
}

/** Shows the tools that an acceptance would make visible. */
export function AcceptDialog({ profile, rows, onClose }: AcceptDialogProps) {
  const accept = useAccept(profile, onClose);
  const count = rows.length === 1 ? "this tool" : `these ${rows.length} tools`;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={rows.length === 1 ? "Accept one tool" : `Accept ${rows.length} tools`}
      description={`From their next request, callers with the profile ${profile} see ${count} if a policy grants them. If a definition changes again, it must be accepted again.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            pending={accept.isPending}
            onClick={() => accept.mutate({ tools: rows.map(({ tool, hash }) => ({ tool, hash })) })}
          >
            Accept
          </Button>
        </>
      }
    >
      {accept.error !== null && <Refusal error={accept.error} />}
      <ul aria-label="Tools that become visible" className="flex flex-col gap-1">
        {rows.map(({ tool }) => (
          <li key={tool} className="flex gap-2 font-mono text-xs">
            <span className="font-semibold text-allow">+</span>
            {tool}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function Refusal({ error }: { error: Error }) {
  const problems = error instanceof Problem ? error.errors : [];
  return (
    <p role="alert" className="mb-3 rounded-lg bg-deny-soft px-3 py-2 text-sm text-deny">
      {[error.message, ...problems.map(({ message }) => message.replaceAll("`", ""))].join(" ")}
    </p>
  );
}
