import type { ReactNode } from "react";
import type { BulkAction, Chip, Column, Filter } from "@/components/resource/view";
import type { ConfigSection } from "@/lib/resources/sections";
import type { ViewedList } from "@/lib/resources/saved-view";

/** Rows of a list that fold away together. */
export interface Fold {
  readonly id: string;
  /** The heading, which shows and hides the rows. */
  readonly label: string;
}

/** Finds the rows that fold away, each with its fold. */
export type Folds<T> = (rows: readonly T[]) => ReadonlyMap<T, Fold>;

/** What a list shows, and the actions on its rows. */
export interface ListProps<T extends object> {
  /** Its name in the addresses of page and API. */
  list: ViewedList;
  /** Its title, if that is not the plural. */
  title?: string;
  /** Singular and plural. */
  words: readonly [string, string];
  /** The first column is the row's link. */
  columns: readonly Column<T>[];
  idOf: (row: T) => string;
  /** The page that a row opens, if that is not the row's own. */
  hrefOf?: (row: T) => string;
  filters: readonly Filter[];
  chips?: readonly Chip[];
  /** The filters that the page's tab sets: with them alone, an empty list says that there are no rows. */
  tab?: Readonly<Record<string, string>>;
  /** Rows that fold away, each fold where its first row is; shown where there are no others. */
  folds?: Folds<T>;
  /** What the filter box searches, if it is more than names. */
  searches?: string;
  /** What a search compares. Shown when a search finds nothing. */
  searchNote?: string;
  /** The list grows by itself: offers time ranges (the API knows `from`) and a refresh. */
  live?: boolean;
  /** A column's id with an optional `-`; absent where the API knows one order. */
  sort?: string;
  /** How to create the first row. Shown while the list is empty; by default, the purpose of the page. */
  whenEmpty?: string | undefined;
  /** `onNext` peeks into the row after it, for a person who decides about one row after another. */
  renderPeek: (id: string, onClose: () => void, onNext: () => void) => ReactNode;
  /** Content between the filters and the rows. Gets the query and a function that sets the times. */
  renderAbove?: (apiQuery: Readonly<Record<string, string>>, onTimes: (from: string, to: string) => void) => ReactNode;
  /** The time of a row (ISO 8601), for a list with the newest row first, whose tail a person can follow. */
  timeOf?: (row: T) => string;
  /** Milliseconds between two polls, for a list whose new rows a person waits for. */
  pollMs?: number;
  canWrite?: boolean;
  /** The changes that apply to many rows at once. */
  bulk?: { readonly section: ConfigSection; readonly actions: readonly BulkAction[] } | undefined;
  /** Other actions on the selected rows. They get the rows themselves, so only rows that are shown can be selected. */
  renderSelected?: (rows: readonly T[], onDone: () => void) => ReactNode;
  /** Whether this person may export its rows. */
  exports?: boolean;
  /** Actions above the list that create rows, such as imports. */
  actions?: ReactNode;
  /** The action that creates a row: above the list, and in its middle while it is empty. */
  begin?: ReactNode;
}
