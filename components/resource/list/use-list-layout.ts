import { useMemo } from "react";
import { useChangeRemembered, useRemembered } from "@/components/resource/remembered";
import type { Column } from "@/components/resource/view";
import type { ViewedList } from "@/lib/resources/saved-view";

/** A person's layout of one list: the visible columns (`[]` = the list's default), and the row density. */
export interface ListLayout {
  readonly columns: readonly string[];
  readonly density: "regular" | "compact";
}

/** This person's stored layout of a list, and a function that changes it. */
export function useListLayout(list: ViewedList): readonly [ListLayout, (next: ListLayout) => void] {
  return useRemembered(storedNameOf(list), readLayout);
}

/** Returns a function that applies the columns of a saved view to a list. Keeps the density. */
export function useApplyColumns(): (list: ViewedList, columns: readonly string[]) => void {
  const change = useChangeRemembered();
  return (list, columns) => change(storedNameOf(list), readLayout, (layout) => ({ ...layout, columns }));
}

/** `shownColumns`, as the same array until it changes, so that rows are not rendered again. */
export function useShownColumns<T>(columns: readonly Column<T>[], layout: ListLayout): readonly Column<T>[] {
  return useMemo(() => shownColumns(columns, layout), [columns, layout]);
}

/** The visible columns. The first is always visible, because it is the row's link. */
export function shownColumns<T>(columns: readonly Column<T>[], { columns: chosen }: ListLayout): readonly Column<T>[] {
  if (chosen.length === 0) return columns.filter(({ aside }) => aside !== true);
  return columns.filter(({ id }, index) => index === 0 || chosen.includes(id));
}

function storedNameOf(list: ViewedList): string {
  return `look:${list}`;
}

function readLayout(stored: unknown): ListLayout {
  const { columns, density } = (stored ?? {}) as { columns?: unknown; density?: unknown };
  return {
    columns: Array.isArray(columns) ? columns.filter((id): id is string => typeof id === "string") : [],
    density: density === "compact" ? "compact" : "regular",
  };
}
