/** Who works by keyboard goes on in the content, not above the navigation: for where what was pressed is gone. */
export function toContent(): void {
  document.getElementById("main")?.focus({ preventScroll: true });
}

/** The same for whoever is nowhere: what had the focus is gone. */
export function toContentIfLost(): void {
  if (document.activeElement === document.body) toContent();
}
