import type { RefObject } from "react";

/** Moves the focus to the content instead of above the navigation, after the pressed element has disappeared. */
export function toContent(): void {
  document.getElementById("main")?.focus({ preventScroll: true });
}

/** Moves the focus back to an earlier element, or else to the content, if the focused element has disappeared. */
export function toContentIfLost(earlier?: Element | null): void {
  if (document.activeElement !== document.body) return;
  if (earlier instanceof HTMLElement) earlier.focus();
  if (document.activeElement === document.body) toContent();
}

/** Sends the focus to the content when a dialog closes, so that shortcuts work after a save and type nothing into a field. */
export function forgetOpener(openedFrom: RefObject<Element | null>): void {
  openedFrom.current = document.body;
}
