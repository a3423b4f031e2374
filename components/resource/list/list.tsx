"use client";

import { RefreshCw } from "lucide-react";
import { lazy, Suspense, useRef, useState, type ReactNode } from "react";
import { EmptyList } from "@/components/resource/list/empty-list";
import { ExportButton } from "@/components/resource/list/export-button";
import { FilterBox } from "@/components/resource/filters/filter-box";
import { filterAsText, extractFilters } from "@/components/resource/filters/filter-text";
import { ListFilters } from "@/components/resource/filters/list-filters";
import { ListSkeleton } from "@/components/resource/list/list-skeleton";
import { LoadMore } from "@/components/resource/list/load-more";
import { ListLayoutMenu } from "@/components/resource/list/list-layout-menu";
import { ProblemNote } from "@/components/resource/problem-note";
import { ResourceTable } from "@/components/resource/list/resource-table";
import { TAIL_EVERY, TailNote, TailSwitch, useTail } from "@/components/resource/tail";
import { onlyTime, TIMES } from "@/components/resource/filters/time-choice";
import { totalText } from "@/components/resource/list/total-text";
import { useDebounced } from "@/components/resource/use-debounced";
import { useListLayout, useShownColumns } from "@/components/resource/list/use-list-layout";
import { usePages } from "@/components/resource/list/use-pages";
import { toApiQuery, useSeen } from "@/components/resource/list/use-seen";
import { useSame } from "@/components/resource/use-same";
import { useSelection } from "@/components/resource/list/use-selection";
import type { BulkAction, Chip, Column, Filter } from "@/components/resource/view";
import { ViewsMenu } from "@/components/resource/list/views-menu";
import { Button } from "@/components/ui/button";
import type { ConfigSection } from "@/lib/resources/sections";
import type { ViewedList } from "@/lib/resources/saved-view";

const BulkBar = lazy(async () => ({ default: (await import("@/components/resource/list/bulk-bar")).BulkBar }));

export interface ListProps<T extends object> {
  /** Its name in the addresses of page and API. */
  list: ViewedList;
  /** Its title where that is not the plural. */
  title?: string;
  /** Singular and plural. */
  words: readonly [string, string];
  /** The first column is the row's link. */
  columns: readonly Column<T>[];
  idOf: (row: T) => string;
  filters: readonly Filter[];
  chips?: readonly Chip[];
  /** What the filter box searches, if it is more than names. */
  searches?: string;
  /** The list grows by itself: offers time ranges (the API knows `from`) and a refresh. */
  live?: boolean;
  /** A column's id with an optional `-`; absent where the API knows one order. */
  sort?: string;
  /** The purpose of the list, shown while it is empty. */
  purpose: string;
  renderPeek: (id: string, onClose: () => void) => ReactNode;
  /** Content between the filters and the rows. Gets the query and a function that sets the times. */
  renderAbove?: (asked: Readonly<Record<string, string>>, onTimes: (from: string, to: string) => void) => ReactNode;
  /** When a row of a list that grows came (ISO 8601), for a list of the newest first that can be followed. */
  timeOf?: (row: T) => string;
  /** Milliseconds between two polls, for a list whose new rows a person waits for. */
  every?: number;
  canWrite?: boolean;
  /** Its rows can be changed together, in these ways. */
  bulk?: { readonly section: ConfigSection; readonly actions: readonly BulkAction[] } | undefined;
  /** Its rows can be exported by this person. */
  exports?: boolean;
  /** Ways to get rows, above the list. */
  actions?: ReactNode;
  /** The way to a new row: above the list, and in the middle while there is none. */
  begin?: ReactNode;
}

const NO_CHIPS: readonly Chip[] = [];

/** A list that the server filters, sorts and pages. The URL holds its state. */
export function List<T extends object>(props: ListProps<T>) {
  const { list, words, columns, idOf, filters, chips = NO_CHIPS, live = false, sort, canWrite = false } = props;
  const narrowing = [...filters, ...chips].map(({ key }) => key).concat(live ? TIMES : []);
  const { seen, setSeen, chosen } = useSeen(narrowing, sort);
  const [layout, setLayout] = useListLayout(list);
  // Fixed until a refresh: a range that changes with every render would refetch for ever.
  const [now, setNow] = useState(() => Date.now());
  const query = { ...(seen.q !== "" && { q: seen.q }), ...chosen };
  const asked = useSame(toApiQuery({ ...chosen, q: useDebounced(seen.q, 150) }, now));
  const narrowed = seen.q !== "" || Object.keys(chosen).length > 0;
  const frame = useRef<HTMLDivElement>(null);
  const tail = useTail(frame, props.timeOf !== undefined && asked["to"] === undefined, seen.peek !== null);
  const every = tail.following ? TAIL_EVERY : props.every;
  const selection = useSelection(JSON.stringify(asked));
  const shown = useShownColumns(columns, layout);
  const forColumns = Object.assign({}, ...shown.map(({ asks }) => asks)) as Record<string, string>;
  const wanted = { ...asked, ...forColumns, ...(sort !== undefined && { sort: seen.sort }) };
  const pages = usePages<T>(list, wanted, { every, live });
  const narrow = (next: Readonly<Record<string, string | null>>) => void setSeen(next);
  const type = (text: string, done: boolean) => {
    const { q, filters: typed } = extractFilters(text, narrowing, done);
    const history = Object.keys(typed).length > 0 ? "push" : "replace";
    void setSeen({ q: q === "" ? null : q, ...typed }, { history });
  };
  const takeBack = () => {
    const last = Object.entries(chosen).at(-1);
    if (last !== undefined) void setSeen({ q: filterAsText(...last), [last[0]]: null });
  };
  const clear = () => void setSeen({ q: null, ...Object.fromEntries(narrowing.map((key) => [key, null])) });
  const nothing = !narrowed && !pages.isPending && pages.error === null && pages.rows.length === 0;
  const [one, many] = words;
  const title = props.title ?? capital(many);
  const exporting =
    props.exports === true && pages.rows.length > 0
      ? {
          list,
          words,
          asked: { ...asked, ...(sort !== undefined && { sort: seen.sort }) },
          columns: shown.flatMap<string>(({ id, fields }) => fields ?? [id]),
          rows: pages.rows,
          idOf,
          of: pages.first,
          selection,
        }
      : undefined;

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-start gap-2 px-5 py-3 max-sm:flex-col max-sm:items-stretch">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
          <h1 className="sr-only">{title}</h1>
          <FilterBox
            label={`Filter ${many}`}
            placeholder={props.searches}
            value={seen.q}
            onChange={(text) => type(text ?? "", false)}
            onDone={() => type(seen.q, true)}
            onTakeBack={takeBack}
            className={props.searches === undefined ? "max-w-64 grow basis-44" : "max-w-80 grow basis-52"}
          />
          <ViewsMenu
            list={list}
            query={{ ...query, ...(seen.sort !== (sort ?? "") && { sort: seen.sort }) }}
            layout={layout}
            onLayoutChange={setLayout}
          />
          <ListFilters filters={filters} chips={chips} live={live} chosen={chosen} onChange={narrow} />
          <span aria-live="polite" className="text-xs text-faint tabular-nums">
            {pages.first !== undefined && `${totalText(pages.first)} ${pages.first.total === 1 ? one : many}`}
          </span>
        </div>
        <div className="flex min-h-8 items-center gap-2 max-sm:flex-wrap">
          {tail.offered && <TailSwitch tail={tail} />}
          <ListLayoutMenu columns={columns} layout={layout} onChange={setLayout} />
          {live && (
            <Button
              variant="ghost"
              aria-label="Refresh"
              size="icon"
              onClick={() => {
                setNow(Date.now());
                void pages.refetch();
              }}
            >
              <RefreshCw aria-hidden />
            </Button>
          )}
          {exporting !== undefined && <ExportButton {...exporting} />}
          {props.actions}
          {!nothing && props.begin}
        </div>
      </div>
      {props.renderAbove?.(asked, (from, to) => narrow(onlyTime({ from, to })))}
      {pages.error !== null ? (
        <ProblemNote error={pages.error} onRetry={() => void pages.refetch()} />
      ) : pages.isPending ? (
        <ListSkeleton />
      ) : pages.rows.length > 0 ? (
        <div ref={frame} onScrollCapture={tail.onScroll} className="relative flex min-h-0 flex-1 flex-col">
          {tail.on && !tail.following && props.timeOf !== undefined && (
            <TailNote
              list={list}
              asked={asked}
              times={pages.rows.map(props.timeOf)}
              onResume={() => {
                void setSeen({ peek: null });
                tail.resume();
              }}
            />
          )}
          <ResourceTable
            label={title}
            columns={shown}
            rows={pages.rows}
            idOf={idOf}
            hrefOf={(row) => `/admin/${list}/${encodeURIComponent(idOf(row))}`}
            sort={seen.sort}
            onSort={(next) => void setSeen({ sort: next })}
            stale={pages.isPlaceholderData}
            canWrite={canWrite}
            compact={layout.density === "compact"}
            selection={props.bulk === undefined && exporting === undefined ? undefined : selection}
            peeking={{
              peeked: seen.peek,
              // Moving on with an open peek is no new step back.
              onPeek: (peek) => void setSeen({ peek }, { history: seen.peek === null ? "push" : "replace" }),
            }}
          />
          {(selection.all || selection.ids.size > 0) && (
            <Suspense>
              <BulkBar
                bulk={props.bulk}
                words={words}
                selection={selection}
                shown={pages.rows.length}
                of={pages.first}
                query={asked}
              >
                {props.bulk === undefined && exporting !== undefined && (
                  <ExportButton {...exporting} label="Export chosen…" />
                )}
              </BulkBar>
            </Suspense>
          )}
          <LoadMore pages={pages} shown={pages.rows.length} of={pages.first} />
        </div>
      ) : (
        <EmptyList many={many} purpose={props.purpose} begin={props.begin} onClear={narrowed ? clear : undefined} />
      )}
      {seen.peek !== null && <Suspense>{props.renderPeek(seen.peek, () => void setSeen({ peek: null }))}</Suspense>}
    </div>
  );
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
