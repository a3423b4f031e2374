import { EmptyList } from "@/components/resource/list/empty-list";
import { ListHeader } from "@/components/resource/list/list-header";
import type { ListProps } from "@/components/resource/list/list-props";
import { ListRows } from "@/components/resource/list/list-rows";
import { useListState } from "@/components/resource/list/use-list-state";
import { ProblemNote } from "@/components/resource/problem-note";
import { toTimeFilters } from "@/components/resource/filters/time-choice";
import { Skeleton } from "@/components/ui/skeleton";

/** A list that the server filters, sorts and pages. The URL holds its state. */
export function List<T extends object>(props: ListProps<T>) {
  const state = useListState(props);
  const { pages, setSeen } = state;
  const { peek } = state.seen;
  // The answer to a decision may come when the person has closed the panel, moved on, or left the list.
  const peekNext = (decided: string) => {
    if (new URLSearchParams(window.location.search).get("peek") !== decided) return;
    void setSeen({ peek: neighbour(pages.rows.map(props.idOf), decided) }, { history: "replace" });
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <ListHeader of={props} state={state} />
      {props.renderAbove?.(state.apiQuery, (from, to) => state.narrow(toTimeFilters({ from, to })))}
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
          note={state.seen.q === "" ? undefined : props.searchNote}
          begin={props.begin}
          onClear={state.narrowed ? state.clear : undefined}
        />
      )}
      {peek !== null &&
        props.renderPeek(
          peek,
          () => void setSeen({ peek: null }),
          () => peekNext(peek),
        )}
    </div>
  );
}

/** The row after this one, or before it at the end; `null` without another. */
function neighbour(ids: readonly string[], id: string): string | null {
  const at = ids.indexOf(id);
  return ids[at + 1] ?? ids[at - 1] ?? null;
}

/** The placeholder of a list that is loading. */
function ListSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col">
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className="flex h-9 items-center gap-6 border-b border-line px-5">
          <Skeleton className="w-40" />
          <Skeleton className="w-72" />
          <Skeleton className="ml-auto w-20" />
        </div>
      ))}
    </div>
  );
}
