"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import type { ResourceName, Row } from "@/lib/resources";
import type { Page } from "@/lib/resources/list";

/** A list's question; absent parts are not sent. */
export interface ListQuestion {
  readonly q?: string | undefined;
  readonly sort?: string | undefined;
  readonly limit?: number | undefined;
  readonly filters?: Readonly<Record<string, string>> | undefined;
}

/** Rows of a resource, page by page; old ones stay while new ones are on their way (`isPlaceholderData`). */
export function useList<R extends ResourceName>(resource: R, question: ListQuestion = {}) {
  const list = useInfiniteQuery({
    queryKey: [resource, "list", question],
    queryFn: ({ pageParam, signal }) =>
      request<Page<Row<R>>>(`/api/admin/${resource}${searchOf(question, pageParam)}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });
  const rows = list.data?.pages.flatMap((page) => page.items) ?? [];
  return { ...list, rows, total: list.data?.pages[0]?.total ?? null };
}

function searchOf({ q, sort, limit, filters }: ListQuestion, cursor: string | null): string {
  const search = new URLSearchParams(filters);
  if (q !== undefined && q !== "") search.set("q", q);
  if (sort !== undefined) search.set("sort", sort);
  if (limit !== undefined) search.set("limit", String(limit));
  if (cursor !== null) search.set("cursor", cursor);
  return search.size === 0 ? "" : `?${search}`;
}
