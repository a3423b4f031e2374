"use client";

import { useMemo } from "react";
import { useChangeRemembered, useRemembered } from "@/components/resource/remembered";
import type { Column } from "@/components/resource/view";
import type { ViewedList } from "@/lib/resources/saved-view";

/** How a person likes one list: which columns show (`[]` = the list's own choice), and how close its rows are. */
export interface Look {
  readonly columns: readonly string[];
  readonly density: "regular" | "compact";
}

/** The columns and layout of a list as this person left them, and how to change them. */
export function useLook(list: ViewedList): readonly [Look, (next: Look) => void] {
  return useRemembered(nameOf(list), readLook);
}

/** Gives any list the columns of a view; its density stays. */
export function useGiveColumns(): (list: ViewedList, columns: readonly string[]) => void {
  const change = useChangeRemembered();
  return (list, columns) => change(nameOf(list), readLook, (look) => ({ ...look, columns }));
}

/** The columns that show, the same list of them until something about them changes: a row is drawn from it. */
export function useShownColumns<T>(columns: readonly Column<T>[], look: Look): readonly Column<T>[] {
  return useMemo(() => shownColumns(columns, look), [columns, look]);
}

/** The columns that show. The first always does: it is the row's link. */
export function shownColumns<T>(columns: readonly Column<T>[], { columns: chosen }: Look): readonly Column<T>[] {
  if (chosen.length === 0) return columns.filter(({ aside }) => aside !== true);
  return columns.filter(({ id }, index) => index === 0 || chosen.includes(id));
}

function nameOf(list: ViewedList): string {
  return `look:${list}`;
}

function readLook(stored: unknown): Look {
  const { columns, density } = (stored ?? {}) as { columns?: unknown; density?: unknown };
  return {
    columns: Array.isArray(columns) ? columns.filter((id): id is string => typeof id === "string") : [],
    density: density === "compact" ? "compact" : "regular",
  };
}
