import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { pageQuery } from "@/components/resource/list/page-query";
import type { ViewedList } from "@/lib/resources/saved-view";

interface Refetching {
  /** Milliseconds between two polls, when a person waits for new rows. */
  readonly pollMs?: number | undefined;
  /** Other people change the list often, so it is refetched at every visit. */
  readonly live?: boolean | undefined;
}

/** Reads a list page by page. The old rows stay while new rows load (`isPlaceholderData`). */
export function usePages<T>(
  list: ViewedList,
  apiQuery: Readonly<Record<string, string>>,
  { pollMs, live }: Refetching = {},
) {
  // Picks single fields, because the whole result is a new object at each render. The list would render at each key.
  const {
    data,
    error: latest,
    isPending,
    isPlaceholderData,
    refetch,
    hasNextPage,
    isFetchingNextPage,
    fetchNextPage,
  } = useInfiniteQuery({
    ...pageQuery<T>([list, "list", apiQuery], `/api/admin/${list}`, apiQuery),
    placeholderData: keepPreviousData,
    refetchInterval: pollMs ?? false,
    ...(live === true && { staleTime: 0 }),
  });
  const rows = data?.pages.flatMap((page) => page.items) ?? [];
  const first = data?.pages[0];
  // A later failure keeps the rows. The frame says that they may be outdated.
  const error = data === undefined ? latest : null;
  return { rows, first, error, isPending, isPlaceholderData, refetch, hasNextPage, isFetchingNextPage, fetchNextPage };
}
