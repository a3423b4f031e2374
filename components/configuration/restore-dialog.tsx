import { RowDifferences } from "@/components/configuration/row-differences";
import { Impact } from "@/components/impact/impact";
import { useDiff, useRestore } from "@/components/configuration/use-revisions";
import { ProblemNote } from "@/components/resource/problem-note";
import { Problem } from "@/components/resource/request";
import { counted } from "@/components/ui/counted";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import { Skeleton } from "@/components/ui/skeleton";
import { WithCode } from "@/components/ui/json/with-code";
import { listFirst } from "@/lib/access/model/lists";
import type { RowDifference } from "@/lib/contracts/changes/revision-diff";
import { restorable } from "@/lib/contracts/changes/restorable";
import { kindInWords } from "@/lib/contracts/changes/row-words";

interface RestoreDialogProps {
  number: number;
  /** The revision that is current. */
  newest: number;
  onClose: () => void;
  /** Absent: as `onClose`. */
  onRestored?: () => void;
}

/** Shows what a restore would change, with the button that restores. */
export function RestoreDialog({ number, newest, onClose, onRestored = onClose }: RestoreDialogProps) {
  const diff = useDiff(newest, number);
  const changes = diff.data === undefined ? undefined : restorable(diff.data);
  const restore = useRestore(onRestored);
  return (
    <ActionDialog
      size="lg"
      title={`Restore revision ${number}`}
      description="Restores the configuration of that revision as a new revision. Users, keys, tokens, pauses and answers to drift do not change."
      action="Restore"
      pending={restore.isPending}
      // A newer revision arrived, and the differences on the page are not yet those to it.
      disabled={changes === undefined || changes.changes.length === 0 || diff.isPlaceholderData}
      onAct={() => restore.mutate({ number, newest })}
      onClose={onClose}
    >
      {restore.error !== null && <Refusal error={restore.error} />}
      {diff.isError ? (
        <ProblemNote error={diff.error} onRetry={() => void diff.refetch()} />
      ) : changes === undefined ? (
        <Skeleton className="h-40" />
      ) : (
        <div className="flex flex-col gap-4">
          <Deletions changes={changes.changes} />
          {changes.changes.length > 0 && (
            <Impact
              // The impact is measured again when another revision is the newest.
              key={newest}
              change={{ resource: "restore", revision: number }}
              label="Impact of the restore"
            />
          )}
          <RowDifferences diff={changes} />
        </div>
      )}
    </ActionDialog>
  );
}

/** How many rows are named before the rest are counted. */
const NAMED = 12;

/** The rows that a restore deletes: they were created since. */
function Deletions({ changes }: { changes: readonly RowDifference[] }) {
  const deleted = changes.filter(({ action }) => action === "delete");
  if (deleted.length === 0) return null;
  return (
    <p role="note" className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
      This restore deletes {counted(deleted.length, "object")} created since then:{" "}
      <WithCode text={listFirst(deleted, NAMED, ({ resource, id }) => `${kindInWords(resource)} \`${id}\``)} />
    </p>
  );
}

function Refusal({ error }: { error: Error }) {
  const problems = error instanceof Problem ? error.errors : [];
  return (
    <div role="alert" className="rounded-lg bg-deny-soft px-3 py-2 text-sm text-deny">
      <WithCode as="p" className="font-medium" text={error.message} />
      <ul className="list-disc pl-5">
        {problems.slice(0, 12).map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            <code className="mr-1 font-mono text-xs">{path}</code>
            <WithCode text={message} />
          </li>
        ))}
      </ul>
    </div>
  );
}
