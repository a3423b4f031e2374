/** Dialogs, which get all keys. Peek panels and toasts are part of the page. */
const DIALOG = "[role=dialog]:not([data-toast], [data-peek])";

/** Whether a key was pressed in a dialog. */
export function isInDialog({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest(DIALOG) !== null;
}

/** Whether a key belongs to a field, a menu or a dialog instead of the page. A peek panel is part of the page. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (target === null) return false;
  return (
    target.isContentEditable ||
    target.closest(
      `input:not([type=radio], [type=checkbox]), textarea, select, [role=menu], [role=listbox], ${DIALOG}`,
    ) !== null
  );
}
