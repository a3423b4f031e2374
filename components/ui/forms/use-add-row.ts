import { useRef, type RefObject } from "react";
import { flushSync } from "react-dom";
import { firstField } from "@/components/ui/forms/first-field";

/**
 * For rows that are added at the end. Moves the focus into the new row, whose fields come before the button in tab order.
 *
 * @returns the ref of the rows' container, and a function that runs `add` and focuses the new row
 */
export function useAddRow<E extends HTMLElement>(): readonly [RefObject<E | null>, (add: () => void) => void] {
  const rows = useRef<E>(null);
  const addRow = (add: () => void) => {
    flushSync(add);
    firstField(rows.current?.lastElementChild)?.focus();
  };
  return [rows, addRow];
}
