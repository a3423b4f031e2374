import { useRef, useState } from "react";
import { changesInWords } from "@/components/changes/change-words";
import { RestoreDialog } from "@/components/configuration/restore-dialog";
import { useRevisions } from "@/components/configuration/use-revisions";
import { useRowKeys } from "@/components/keyboard/use-row-keys";
import { LoadMore } from "@/components/resource/list/load-more";
import { ProblemNote } from "@/components/resource/problem-note";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Skeleton } from "@/components/ui/skeleton";
import { Headers, Table, Td } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { RevisionRow } from "@/lib/contracts/changes/revision";

interface RevisionListProps {
  canWrite: boolean;
  onCompare: (from: number, to: number) => void;
}

/** Every revision, newest first, with its changes, the differences since, and the restore. */
export function RevisionList({ canWrite, onCompare }: RevisionListProps) {
  const frame = useRef<HTMLDivElement>(null);
  useRowKeys(frame);
  const list = useRevisions();
  const [restoring, setRestoring] = useState<number | null>(null);
  const newest = list.rows[0]?.number ?? 0;
  if (list.isLoadingError) return <ProblemNote error={list.error} onRetry={() => void list.refetch()} />;
  if (list.isPending) return <Skeleton className="h-72" />;
  if (list.rows.length === 0)
    return <EmptyState title="No revisions yet">The first saved change creates a revision.</EmptyState>;
  return (
    <div ref={frame} className="flex min-h-0 flex-1 flex-col">
      {canWrite && <RestoreHint />}
      <Table label="Revisions" frameClassName="flex-1" stacks>
        <Headers
          of={[
            ["Revision", "text-right"],
            ["What", "w-full"],
            "Who",
            ["Objects", "text-right"],
            "When",
            { hidden: "Actions" },
          ]}
        />
        <tbody>
          {list.rows.map((row) => (
            <tr
              key={row.number}
              data-row={row.number}
              tabIndex={-1}
              className="hover:bg-hover/60 focus-visible:-outline-offset-2"
            >
              <Revision row={row} isNewest={row.number === newest} />
              <Td className="whitespace-nowrap max-sm:order-1 max-sm:-ml-2.25 max-sm:whitespace-normal">
                <Button variant="ghost" size="sm" onClick={() => onCompare(row.number - 1, row.number)}>
                  Changes<span className="sr-only"> of revision {row.number}</span>
                </Button>
                {row.number !== newest && (
                  <Button variant="ghost" size="sm" onClick={() => onCompare(row.number, newest)}>
                    Compare with now<span className="sr-only">: revision {row.number}</span>
                  </Button>
                )}
                {canWrite && row.number !== newest && (
                  <Button variant="ghost" size="sm" onClick={() => setRestoring(row.number)}>
                    Restore<span className="sr-only"> revision {row.number}</span>
                  </Button>
                )}
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
      <LoadMore pages={list} shown={list.rows.length} total={list.first} />
      {restoring !== null && <RestoreDialog number={restoring} newest={newest} onClose={() => setRestoring(null)} />}
    </div>
  );
}

function RestoreHint() {
  return (
    <p className="mb-2 text-sm text-muted">
      Restore brings back the configuration as it was after that revision. To undo a revision, restore the one below it.
    </p>
  );
}

function Revision({ row, isNewest }: { row: RevisionRow; isNewest: boolean }) {
  return (
    <>
      <Td data-label="Revision" data-short className="text-right tabular-nums">
        {row.number}
      </Td>
      <Td className="text-muted max-sm:order-first">
        <span className="text-ink">{changesInWords(row)}</span>
        {row.note !== "" && ` · ${row.note}`}
        {isNewest && <Badge className="ml-2">current</Badge>}
      </Td>
      <Td data-label="Who" className="whitespace-nowrap max-sm:order-1 max-sm:whitespace-normal">
        {row.actor.name}
      </Td>
      <Td className="text-right text-muted tabular-nums max-sm:hidden">{row.changes.toLocaleString("en")}</Td>
      <Td data-label="When" data-short>
        <Time at={row.at} />
      </Td>
    </>
  );
}
