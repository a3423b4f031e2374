import { useEffectEvent, useLayoutEffect, type RefObject } from "react";
import { isKey } from "@/components/keyboard/keys";
import { isTyping } from "@/components/ui/forms/is-typing";

/** The row in the peek panel, and the function that shows another row there. */
export interface Peeking {
  readonly peeked: string | null;
  readonly onPeek: (id: string) => void;
}

/**
 * The keys of a list's rows. A row is an element with `data-row` (its id): a link, or an element whose first link or button
 * opens it. j and k move the focus, or change the row of an open peek panel; s selects the row. These keys also work on other
 * controls of the row, such as its checkbox. Enter shows the peek panel, or opens the row in a list without one, and
 * Ctrl-Enter opens the row. On another control of the row, Enter is for that control.
 */
export function useRowKeys(
  frame: RefObject<HTMLElement | null>,
  peeking?: Peeking,
  onChoose?: (id: string) => void,
): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const typing = isTyping(event);
    const rows = [...(frame.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
    const peeked = peeking?.peeked ?? null;
    const focused = rows.find((row) => row === document.activeElement);
    const current = rows.find((row) => (peeked === null ? holdsFocus(row) : idOf(row) === peeked));
    const at = current === undefined ? -1 : rows.indexOf(current);
    const move = (row: HTMLElement | undefined) => {
      if (row === undefined) return;
      if (peeked === null) row.focus();
      else peeking?.onPeek(idOf(row));
      row.scrollIntoView({ block: "nearest" });
    };
    if (isKey(event, "next", typing)) move(rows[Math.min(at + 1, rows.length - 1)]);
    else if (isKey(event, "previous", typing)) move(rows[Math.max(at - 1, 0)]);
    else if (isKey(event, "open", typing) && current !== undefined && (peeked !== null || current === focused))
      open(current);
    else if (isKey(event, "choose", typing) && onChoose !== undefined && current !== undefined) onChoose(idOf(current));
    else if (isKey(event, "peek", typing) && focused !== undefined)
      if (peeking === undefined) open(focused);
      else peeking.onPeek(idOf(focused));
    else return;
    event.preventDefault();
  });
  useLayoutEffect(() => {
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

/** Whether the focus is on a row, or on another control in its place in the list. */
function holdsFocus(row: HTMLElement): boolean {
  return (row.closest("tr, li") ?? row).contains(document.activeElement);
}

function idOf(row: HTMLElement): string {
  return row.dataset["row"] ?? "";
}

function open(row: HTMLElement): void {
  (row.matches("a") ? row : row.querySelector<HTMLElement>("a, button"))?.click();
}
