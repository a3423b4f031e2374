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
