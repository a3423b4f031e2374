"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { parseAsString, useQueryStates } from "nuqs";
import { Suspense, useState, type ComponentType } from "react";
import { FilterBox } from "@/components/resource/filter-box";
import { FilterChip, FilterChoice, NamesChoice } from "@/components/resource/filter-chip";
import { LoadMore } from "@/components/resource/load-more";
import { LookMenu } from "@/components/resource/look-menu";
import { ProblemNote } from "@/components/resource/problem-note";
import { request } from "@/components/resource/request";
import { ResourceTable } from "@/components/resource/resource-table";
import { useDebounced } from "@/components/resource/use-debounced";
import { shownColumns, useLook } from "@/components/resource/use-look";
import type { Column, Filter } from "@/components/resource/view";
import { ViewsMenu } from "@/components/resource/views-menu";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Skeleton } from "@/components/ui/skeleton";
import type { Page } from "@/lib/resources/list";
import type { ViewedList } from "@/lib/resources/saved-view";

/** A list of what nobody writes by hand: of changes, of sessions. */
export interface PlainListProps<T extends { readonly id: string }> {
  /** Its name in the addresses of page and API. */
  list: ViewedList;
  /** Singular and plural. */
  words: readonly [string, string];
  /** The first column is the row's link. */
  columns: readonly Column<T>[];
  filters: readonly Filter[];
  /** Filters that only a link from elsewhere sets. */
  chips: readonly { readonly key: string; readonly label: string }[];
  /** Offers ranges of time, where the API knows `from`. */
  ranges?: boolean;
  /** A column's id with an optional `-`. */
  sort: string;
  /** What is here, while nothing is. */
  purpose: string;
  Peek: ComponentType<{ id: string; onClose: () => void }>;
  /** Milliseconds after which it is asked for again, where somebody waits for what comes. */
  every?: number;
}

const HOUR = 3_600_000;
const RANGES = [
  { value: "hour", label: "Last hour", length: HOUR },
  { value: "day", label: "Last 24 hours", length: 24 * HOUR },
  { value: "week", label: "Last 7 days", length: 7 * 24 * HOUR },
  { value: "month", label: "Last 30 days", length: 30 * 24 * HOUR },
] as const;

/** A list that the server filters, sorts and pages, and that is only read. The URL holds what is seen. */
export function PlainList<T extends { readonly id: string }>(props: PlainListProps<T>) {
  const { list, words, columns, filters, chips, ranges = false, sort, purpose, Peek, every } = props;
  const narrowing = [...filters, ...chips].map(({ key }) => key).concat(ranges ? ["range"] : []);
  const [seen, setSeen] = useQueryStates(
    {
      q: parseAsString.withDefault(""),
      sort: parseAsString.withDefault(sort),
      peek: parseAsString,
      ...Object.fromEntries(narrowing.map((key) => [key, parseAsString])),
    },
    { history: "push" },
  );
  const [look, setLook] = useLook(list);
  const of = (key: string): string | null => (seen as Readonly<Record<string, string | null>>)[key] ?? null;
  const chosen = Object.fromEntries(narrowing.flatMap((key) => (of(key) === null ? [] : [[key, of(key) ?? ""]])));
  const rows = usePages<T>(list, { q: useDebounced(seen.q, 150), sort: seen.sort, ...chosen }, every);
  const narrowed = seen.q !== "" || Object.keys(chosen).length > 0;
  const set = (key: string) => (value: string | null) => void setSeen({ [key]: value });
  const [one, many] = words;

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-2 px-5 py-3">
        <h1 className="sr-only">{capital(many)}</h1>
        <FilterBox
          label={`Filter ${many}`}
          value={seen.q}
          onChange={(q) => void setSeen({ q }, { history: "replace" })}
        />
        <ViewsMenu
          list={list}
          query={{ ...(seen.q !== "" && { q: seen.q }), ...(seen.sort !== sort && { sort: seen.sort }), ...chosen }}
          look={look}
          onLook={setLook}
        />
        {ranges && <FilterChoice label="Time" value={of("range")} onChange={set("range")} options={RANGES} />}
        {filters.map((filter) => {
          const choice = { label: filter.label, value: of(filter.key), onChange: set(filter.key) };
          return "names" in filter ? (
            <NamesChoice key={filter.key} {...choice} names={filter.names} />
          ) : (
            <FilterChoice key={filter.key} {...choice} options={filter.options} />
          );
        })}
        {chips.map(({ key, label }) => {
          const value = of(key);
          return value !== null && <FilterChip key={key} label={label} value={value} onRemove={() => set(key)(null)} />;
        })}
        <span aria-live="polite" className="text-xs text-faint tabular-nums">
          {rows.total === null ? "" : `${rows.total.toLocaleString("en")} ${rows.total === 1 ? one : many}`}
        </span>
        <div className="ml-auto">
          <LookMenu columns={columns} look={look} onChange={setLook} />
        </div>
      </div>
      {rows.isError ? (
        <ProblemNote error={rows.error} onRetry={() => void rows.refetch()} />
      ) : rows.isPending ? (
        <div role="status" aria-label="Loading" className="flex flex-col gap-3 px-5 py-3">
          {["a", "b", "c", "d", "e", "f"].map((row) => (
            <Skeleton key={row} className="h-6" />
          ))}
        </div>
      ) : rows.items.length > 0 ? (
        <div className="flex min-h-0 flex-1 flex-col">
          <ResourceTable
            label={capital(many)}
            columns={shownColumns(columns, look)}
            rows={rows.items}
            idOf={(row) => row.id}
            hrefOf={(row) => `/admin/${list}/${encodeURIComponent(row.id)}`}
            sort={seen.sort}
            onSort={set("sort")}
            stale={rows.isPlaceholderData}
            canWrite={false}
            compact={look.density === "compact"}
            peeking={{
              peeked: seen.peek,
              // Moving on with an open peek is no new step back.
              onPeek: (peek) => void setSeen({ peek }, { history: seen.peek === null ? "push" : "replace" }),
            }}
          />
          <LoadMore pages={rows} shown={rows.items.length} total={rows.total} />
        </div>
      ) : narrowed ? (
        <EmptyState
          title={`No ${many} match`}
          action={
            <Button
              onClick={() => void setSeen({ q: null, ...Object.fromEntries(narrowing.map((key) => [key, null])) })}
            >
              Clear filters
            </Button>
          }
        >
          Nothing fits what you typed and chose above.
        </EmptyState>
      ) : (
        <EmptyState title={`No ${many} yet`}>{purpose}</EmptyState>
      )}
      {seen.peek !== null && (
        <Suspense>
          <Peek id={seen.peek} onClose={() => void setSeen({ peek: null })} />
        </Suspense>
      )}
    </div>
  );
}

function usePages<T>(
  list: ViewedList,
  { q, range, ...rest }: Readonly<Record<string, string>>,
  every: number | undefined,
) {
  // One "now" per visit: a range that moved with every render would ask for ever.
  const [now] = useState(() => Date.now());
  const length = RANGES.find(({ value }) => value === range)?.length;
  const asked = {
    ...rest,
    ...(q !== undefined && q !== "" && { q }),
    ...(length !== undefined && { from: new Date(now - length).toISOString() }),
  };
  const pages = useInfiniteQuery({
    queryKey: [list, "list", asked],
    queryFn: ({ pageParam, signal }) => {
      const search = new URLSearchParams({ ...asked, ...(pageParam !== null && { cursor: pageParam }) });
      return request<Page<T>>(`/api/admin/${list}?${search}`, { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: every ?? false,
  });
  const items = pages.data?.pages.flatMap((page) => page.items) ?? [];
  return { ...pages, items, total: pages.data?.pages[0]?.total ?? null };
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
