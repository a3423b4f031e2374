"use client";

import { Suspense } from "react";
import { EmptyList } from "@/components/resource/list/empty-list";
import { ListHeader } from "@/components/resource/list/list-header";
import type { ListProps } from "@/components/resource/list/list-props";
import { ListRows } from "@/components/resource/list/list-rows";
import { ListSkeleton } from "@/components/resource/list/list-skeleton";
import { useListState } from "@/components/resource/list/use-list-state";
import { ProblemNote } from "@/components/resource/problem-note";
import { onlyTime } from "@/components/resource/filters/time-choice";

/** A list that the server filters, sorts and pages. The URL holds its state. */
export function List<T extends object>(props: ListProps<T>) {
  const state = useListState(props);
  const { pages, setSeen } = state;
  const { peek } = state.seen;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <ListHeader of={props} state={state} />
      {props.renderAbove?.(state.apiQuery, (from, to) => state.narrow(onlyTime({ from, to })))}
      {pages.error !== null ? (
        <ProblemNote error={pages.error} onRetry={() => void pages.refetch()} />
      ) : pages.isPending ? (
        <ListSkeleton />
      ) : pages.rows.length > 0 ? (
        <ListRows of={props} state={state} />
      ) : (
        <EmptyList
          many={props.words[1]}
          whenEmpty={props.whenEmpty}
          begin={props.begin}
          onClear={state.narrowed ? state.clear : undefined}
        />
      )}
      {peek !== null && (
        <Suspense>
          {props.renderPeek(
            peek,
            () => void setSeen({ peek: null }),
            () => void setSeen({ peek: neighbour(pages.rows.map(props.idOf), peek) }, { history: "replace" }),
          )}
        </Suspense>
      )}
    </div>
  );
}

/** The row after this one, or before it at the end; `null` without another. */
function neighbour(ids: readonly string[], id: string): string | null {
  const at = ids.indexOf(id);
  return ids[at + 1] ?? ids[at - 1] ?? null;
}
