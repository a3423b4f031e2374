"use client";

import { useRef, type RefObject } from "react";
import { flushSync } from "react-dom";
import { firstField } from "@/components/ui/first-field";

/**
 * For rows that are added at the end. Whoever adds one goes on in it: with the keyboard its fields lie behind the button.
 *
 * @returns where the rows are, and what takes the focus into the one that `add` has made
 */
export function useAddRow<E extends HTMLElement>(): readonly [RefObject<E | null>, (add: () => void) => void] {
  const rows = useRef<E>(null);
  const addRow = (add: () => void) => {
    flushSync(add);
    firstField(rows.current?.lastElementChild)?.focus();
  };
  return [rows, addRow];
}
