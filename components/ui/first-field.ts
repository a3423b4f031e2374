/** What one types into: not what is pressed, nor the hidden inputs behind switches and selects. */
const FIELD =
  "input:not(:disabled, [aria-hidden=true], [type=checkbox], [type=radio], [type=hidden], [type=file]), textarea:not(:disabled)";

/** Where filling something in begins; `null` where there is nothing to type. */
export function firstField(within: Element | null | undefined): HTMLElement | null {
  return within?.querySelector<HTMLElement>(FIELD) ?? null;
}
