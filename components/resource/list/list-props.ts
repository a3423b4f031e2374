import type { ReactNode } from "react";
import type { BulkAction, Chip, Column, Filter } from "@/components/resource/view";
import type { ConfigSection } from "@/lib/resources/sections";
import type { ViewedList } from "@/lib/resources/saved-view";

/** Some of a list's rows, and their heading. */
export interface Folds<T> {
  readonly label: string;
  readonly of: (row: T) => boolean;
}

/** What a list shows, and what one can do with its rows. */
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
  /** The page that a row opens, where that is not the row's own. */
  hrefOf?: (row: T) => string;
  filters: readonly Filter[];
  chips?: readonly Chip[];
  /** Rows that fold away below the others, under a heading; shown where there are no others. */
  folds?: Folds<T>;
  /** What the filter box searches, if it is more than names. */
  searches?: string;
  /** The list grows by itself: offers time ranges (the API knows `from`) and a refresh. */
  live?: boolean;
  /** A column's id with an optional `-`; absent where the API knows one order. */
  sort?: string;
  /** How the first row comes to be, shown while there is none; by default the purpose of the page. */
  whenEmpty?: string | undefined;
  /** `onNext` peeks into the row after it, for a person who decides about one row after another. */
  renderPeek: (id: string, onClose: () => void, onNext: () => void) => ReactNode;
  /** Content between the filters and the rows. Gets the query and a function that sets the times. */
  renderAbove?: (apiQuery: Readonly<Record<string, string>>, onTimes: (from: string, to: string) => void) => ReactNode;
  /** When a row of a list that grows came (ISO 8601), for a list of the newest first that can be followed. */
  timeOf?: (row: T) => string;
  /** Milliseconds between two polls, for a list whose new rows a person waits for. */
  every?: number;
  canWrite?: boolean;
  /** Its rows can be changed together, in these ways. */
  bulk?: { readonly section: ConfigSection; readonly actions: readonly BulkAction[] } | undefined;
  /** Other actions on the selected rows. They get the rows themselves, so only rows that are shown can be selected. */
  renderSelected?: (rows: readonly T[], onDone: () => void) => ReactNode;
  /** Its rows can be exported by this person. */
  exports?: boolean;
  /** Ways to get rows, above the list. */
  actions?: ReactNode;
  /** The way to a new row: above the list, and in the middle while there is none. */
  begin?: ReactNode;
}
