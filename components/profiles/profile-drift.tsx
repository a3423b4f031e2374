import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { DriftItem } from "@/components/profiles/drift-item";
import { useDrift, useAccept } from "@/components/profiles/use-drift";
import { CopyMenu } from "@/components/resource/copy-menu";
import { LoadMore } from "@/components/resource/list/load-more";
import { ProblemNote } from "@/components/resource/problem-note";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { EmptyState } from "@/components/ui/empty-state";
import { Skeleton } from "@/components/ui/skeleton";
import type { ProfileDriftRow } from "@/lib/contracts/decisions/profile-drift";
import { adminPath, Problem } from "@/components/resource/request";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";

/** The tools that drift holds back from a profile, and their acceptance. */
export function ProfileDrift({ id: name, canWrite }: { id: string; canWrite: boolean }) {
  const list = useDrift(name);
  const [accepting, setAccepting] = useState<readonly ProfileDriftRow[] | null>(null);
  const { rows, total } = list;
  if (list.isLoadingError) return <ProblemNote page error={list.error} onRetry={() => void list.refetch()} />;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-start gap-3 px-5 py-4">
        <div>
          <div className="flex items-center gap-1">
            <h1 className="mr-1 text-lg font-semibold tracking-tight">Held back from {name}</h1>
            <CopyButton text={name} label="Copy profile name" />
            <CopyMenu path={adminPath("profiles", name, "drift")} value={{ total, items: rows }} />
          </div>
          <p className="mt-1 max-w-2xl text-sm text-pretty text-muted">
            The profile allows these tools, but they are new or changed since the last review. Each tool stays hidden
            until an administrator accepts its definition.
          </p>
        </div>
        {canWrite && rows.length > 1 && (
          <Button variant="primary" className="ml-auto" onClick={() => setAccepting(rows)}>
            {rows.length === total ? `Accept all ${total}…` : `Accept the ${rows.length} shown…`}
          </Button>
        )}
      </div>
      {list.isPending ? (
        <Skeleton className="mx-5 h-32" />
      ) : rows.length === 0 ? (
        <EmptyState icon={<ShieldCheck aria-hidden />} title="Nothing is held back">
          All tools that {name} allows are reviewed.
        </EmptyState>
      ) : (
        <div className="min-h-0 flex-1 overflow-auto pb-8">
          <ul aria-label={`Held back from ${name}`}>
            {rows.map((row) => (
              <DriftItem key={row.tool} row={row} onAccept={canWrite ? () => setAccepting([row]) : undefined} />
            ))}
          </ul>
          <LoadMore pages={list} shown={rows.length} total={{ total }} />
        </div>
      )}
      {accepting !== null && <AcceptDialog profile={name} rows={accepting} onClose={() => setAccepting(null)} />}
    </div>
  );
}

interface AcceptDialogProps {
  profile: string;
  rows: readonly ProfileDriftRow[];
  onClose: () => void;
}

/** Shows the tools that an acceptance would make visible. */
function AcceptDialog({ profile, rows, onClose }: AcceptDialogProps) {
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
