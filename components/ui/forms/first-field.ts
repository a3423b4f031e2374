/** Text fields, without buttons and the hidden inputs behind switches and selects. */
const FIELD =
  "input:not(:disabled, [aria-hidden=true], [type=checkbox], [type=radio], [type=hidden], [type=file]), textarea:not(:disabled)";

/** The first text field; `null` without one. */
export function firstField(within: Element | null | undefined): HTMLElement | null {
  return within?.querySelector<HTMLElement>(FIELD) ?? null;
}
