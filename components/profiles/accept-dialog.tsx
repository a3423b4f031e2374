"use client";

import { useAccept } from "@/components/profiles/use-drift";
import { Problem } from "@/components/resource/request";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
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
    <ActionDialog
      title={rows.length === 1 ? "Accept one tool" : `Accept ${rows.length} tools`}
      description={`From their next request, callers with the profile ${profile} see ${count} if a policy grants them. If a definition changes again, it must be accepted again.`}
      action="Accept"
      pending={accept.isPending}
      error={accept.error === null ? undefined : refusalOf(accept.error)}
      onAct={() => accept.mutate({ tools: rows.map(({ tool, hash }) => ({ tool, hash })) })}
      onClose={onClose}
    >
      <ul aria-label="Tools that become visible" className="flex flex-col gap-1">
        {rows.map(({ tool }) => (
          <li key={tool} className="flex gap-2 font-mono text-xs">
            <span className="font-semibold text-allow">+</span>
            {tool}
          </li>
        ))}
      </ul>
    </ActionDialog>
  );
}

function refusalOf(error: Error): string {
  const problems = error instanceof Problem ? error.errors : [];
  return [error.message, ...problems.map(({ message }) => message)].join(" ");
}
