/** Whether a key belongs to a field, a menu or a dialog rather than to the page. A peek is part of the page. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (target === null) return false;
  return (
    target.isContentEditable ||
    target.closest(
      "input, textarea, select, [role=menu], [role=listbox], [role=dialog]:not([data-toast], [data-peek])",
    ) !== null
  );
}
