import { useState } from "react";
import { ACTION_WORDS, sentencesFor } from "@/components/changes/change-words";
import { Sentences } from "@/components/resource/editor/review-dialog";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { Json } from "@/components/ui/json/json";
import { JsonDiff } from "@/components/ui/json/json-diff";
import type { RevisionDiff, RowDifference } from "@/lib/contracts/changes/revision-diff";
import { kindInWords } from "@/lib/contracts/changes/row-words";

/** Most rows that a page shows. */
const MAX_SHOWN = 300;

/** The differences between two revisions by row: in sentences, with the raw values on demand. */
export function RowDifferences({ diff }: { diff: RevisionDiff }) {
  if (diff.changes.length === 0)
    return (
      <EmptyState title="No difference">{`Revisions ${diff.from} and ${diff.to} contain the same configuration.`}</EmptyState>
    );
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm tabular-nums">
        {diff.created} created, {diff.changed} changed, {diff.deleted} deleted
      </p>
      <DifferenceList changes={diff.changes.slice(0, MAX_SHOWN)} />
      {diff.changes.length > MAX_SHOWN && (
        <p className="text-xs text-muted">
          {(diff.changes.length - MAX_SHOWN).toLocaleString("en")} more rows are not shown.
        </p>
      )}
    </div>
  );
}

/** Rows with their differences in sentences. */
export function DifferenceList({ changes }: { changes: readonly RowDifference[] }) {
  return (
    <ul className="flex flex-col divide-y divide-line rounded-lg border border-line">
      {changes.map((change) => (
        <li key={`${change.resource} ${change.id}`} className="flex flex-col gap-1.5 px-3 py-2">
          <Difference change={change} />
        </li>
      ))}
    </ul>
  );
}

function Difference({ change }: { change: RowDifference }) {
  const { id, action, before, after } = change;
  const word = kindInWords(change.resource);
  const { text, tone } = ACTION_WORDS[action];
  const [open, setOpen] = useState(false);
  const sentences = action === "update" && <Sentences sentences={sentencesFor(change)} />;
  return (
    <>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary aria-label={`${text} ${word} ${id}`} className="rounded text-sm">
          <span className="inline-flex max-w-full min-w-0 flex-wrap items-center gap-2 pl-1 align-middle">
            <Badge tone={tone}>{text}</Badge>
            <span className="text-muted">{word}</span>
            <span className="min-w-0 font-mono text-xs break-all">{id}</span>
          </span>
        </summary>
        <div className="mt-2 flex flex-col gap-3">
          {open && sentences && <div className="pl-5">{sentences}</div>}
          {open && before !== null && after !== null && (
            <JsonDiff
              label={`${id} before and after`}
              before={{ title: "Before", value: before }}
              after={{ title: "After", value: after }}
            />
          )}
          {open && (before === null || after === null) && (
            <Json value={before ?? after} label={`${id} ${before === null ? "after" : "before"}`} />
          )}
        </div>
      </details>
      {!open && sentences && <div className="pl-5">{sentences}</div>}
    </>
  );
}
