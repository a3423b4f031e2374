import { useState } from "react";
import { ExportButton } from "@/components/resource/list/export-button";
import { titleOf } from "@/components/resource/list/list-header";
import { LoadMore } from "@/components/resource/list/load-more";
import { ResourceTable } from "@/components/resource/list/resource-table";
import type { ListPartProps } from "@/components/resource/list/use-list-state";
import { TailNote } from "@/components/resource/tail";
import { lazyPart } from "@/components/ui/lazy-part";

const BulkBar = lazyPart(async () => (await import("@/components/resource/bulk/bulk-bar")).BulkBar);

/** The rows of a list in a table, and the actions on the selected ones. */
export function ListRows<T extends object>({ of, state }: ListPartProps<T>) {
  const { list, idOf, hrefOf = (row) => `/admin/${list}/${encodeURIComponent(idOf(row))}`, timeOf } = of;
  const { apiQuery, seen, setSeen, layout, shown, frame, tail, pages, selection, exporting } = state;
  const isSelecting = selection.all || selection.ids.size > 0;
  // The bar stays mounted, because a dialog of it may hold text when the last selected row leaves the list.
  const [hasBar, setHasBar] = useState(isSelecting);
  if (isSelecting && !hasBar) setHasBar(true);
  return (
    <div ref={frame} onScrollCapture={tail.onScroll} className="relative flex min-h-0 flex-1 flex-col">
      {tail.on && !tail.following && timeOf !== undefined && (
        <TailNote
          list={list}
          apiQuery={apiQuery}
          times={pages.rows.map(timeOf)}
          onResume={() => {
            void setSeen({ peek: null });
            tail.resume();
          }}
        />
      )}
      <ResourceTable
        label={titleOf(of)}
        columns={shown}
        rows={pages.rows}
        idOf={idOf}
        hrefOf={hrefOf}
        folds={of.folds}
        sort={seen.sort}
        onSort={(next) => void setSeen({ sort: next })}
        stale={pages.isPlaceholderData}
        canWrite={of.canWrite ?? false}
        compact={layout.density === "compact"}
        selection={
          of.bulk === undefined && of.renderSelected === undefined && exporting === undefined ? undefined : selection
        }
        peeking={{
          peeked: seen.peek,
          // Moving to another row with an open peek panel adds no entry to the history.
          onPeek: (peek) => void setSeen({ peek }, { history: seen.peek === null ? "push" : "replace" }),
        }}
      />
      {hasBar && <SelectionBar of={of} state={state} />}
      <LoadMore pages={pages} shown={pages.rows.length} total={pages.first} />
    </div>
  );
}

function SelectionBar<T extends object>({ of, state }: ListPartProps<T>) {
  const { apiQuery, pages, selection, exporting } = state;
  return (
    <BulkBar
      bulk={of.bulk}
      words={of.words}
      selection={selection}
      shown={pages.rows.length}
      of={pages.first}
      query={apiQuery}
      onlyShown={of.renderSelected !== undefined}
    >
      {of.renderSelected?.(
        pages.rows.filter((row) => selection.has(of.idOf(row))),
        selection.clear,
      )}
      {of.bulk === undefined && exporting !== undefined && <ExportButton {...exporting} label="Export selected…" />}
    </BulkBar>
  );
}
