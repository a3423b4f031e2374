import { useRef, useState } from "react";
import { TIME_KEYS } from "@/components/resource/filters/time-choice";
import type { ExportDialogProps } from "@/components/resource/list/export-dialog";
import type { ListProps } from "@/components/resource/list/list-props";
import { useListLayout, useShownColumns } from "@/components/resource/list/use-list-layout";
import { usePages } from "@/components/resource/list/use-pages";
import { toApiQuery, useSeen } from "@/components/resource/list/use-seen";
import { useSelection, type Listed } from "@/components/resource/list/use-selection";
import { TAIL_POLL_MS, useTail } from "@/components/resource/tail";
import { useDebounced } from "@/components/resource/use-debounced";
import { useStable } from "@/components/resource/use-stable";
import type { Chip, Filter } from "@/components/resource/view";

const NO_CHIPS: readonly Chip[] = [];

/** The state of a list: the URL's filters, the rows that match them, the person's layout and selection. */
type ListState<T extends object> = ReturnType<typeof useListState<T>>;

export interface ListPartProps<T extends object> {
  of: ListProps<T>;
  state: ListState<T>;
}

/** Reads the state of a list from the URL, and its rows from the server. */
export function useListState<T extends object>(props: ListProps<T>) {
  const { list, columns, filters, chips = NO_CHIPS, live = false, sort } = props;
  const keys = [...filters, ...chips].map(({ key }) => key).concat(live ? TIME_KEYS : []);
  const { seen, setSeen, chosen } = useSeen(keys, sort);
  const [layout, setLayout] = useListLayout(list);
  // Fixed until a refresh: a range that changes with every render would refetch for ever.
  const [now, setNow] = useState(() => Date.now());
  const apiQuery = useStable(toApiQuery({ ...unchosen(filters), ...chosen, q: useDebounced(seen.q, 150) }, now));
  const order = sort === undefined ? {} : { sort: seen.sort };
  const frame = useRef<HTMLDivElement>(null);
  const tail = useTail(frame, props.timeOf !== undefined && apiQuery["to"] === undefined, seen.peek !== null);
  const shown = useShownColumns(columns, layout);
  const forColumns = Object.assign({}, ...shown.map(({ asks }) => asks)) as Record<string, string>;
  const pollMs = tail.following ? TAIL_POLL_MS : props.pollMs;
  const pages = usePages<T>(list, { ...apiQuery, ...forColumns, ...order }, { pollMs, live });
  const selection = useSelection(JSON.stringify(apiQuery), listedOf(pages, props.idOf, { ...apiQuery, ...order }));
  const narrowed = seen.q !== "" || Object.entries(chosen).some(([key, value]) => value !== props.tab?.[key]);
  const exporting: Omit<ExportDialogProps, "onClose"> | undefined =
    props.exports === true && pages.rows.length > 0
      ? {
          list,
          words: props.words,
          apiQuery: { ...apiQuery, ...order },
          columns: shown.flatMap<string>(({ id, fields }) => fields ?? [id]),
          rows: pages.rows,
          idOf: props.idOf,
          of: pages.first,
          selection,
        }
      : undefined;
  return {
    keys,
    chips,
    seen,
    setSeen,
    /** The filters that are set, by key. */
    chosen,
    narrow: (next: Readonly<Record<string, string | null>>) => void setSeen(next),
    clear: () => void setSeen({ q: null, ...Object.fromEntries(keys.map((key) => [key, null])) }),
    narrowed,
    /** The query to the server, without the order. */
    apiQuery,
    layout,
    setLayout,
    /** The visible columns. */
    shown,
    frame,
    tail,
    pages,
    refresh: () => {
      setNow(Date.now());
      void pages.refetch();
    },
    selection,
    /** The list as a file; absent where there is nothing to export. */
    exporting,
  };
}

/** The loaded rows, for the selection. */
function listedOf<T>(pages: ReturnType<typeof usePages<T>>, idOf: (row: T) => string, query: object): Listed {
  const isOther = pages.first === undefined || pages.isPlaceholderData;
  return { ids: pages.rows.map(idOf), of: isOther ? null : JSON.stringify(query), hasMore: pages.hasNextPage };
}

/** The API query while nobody has set a filter. */
function unchosen(filters: readonly Filter[]): Record<string, string> {
  return Object.fromEntries(filters.flatMap(({ key, unset }) => (unset === undefined ? [] : [[key, unset]])));
}
