/**
 * Focuses the control of the field at this path; without one, that of the nearest field above it, else below it. Opens the
 * tab that contains it.
 */
export function focusField(path: string): void {
  const fields = [...document.querySelectorAll<HTMLElement>("[data-field]")];
  const nameOf = (field: HTMLElement) => field.dataset["field"] ?? " ";
  const [above] = fields
    .filter((field) => path.startsWith(nameOf(field)))
    .toSorted((a, b) => nameOf(b).length - nameOf(a).length);
  const found = above ?? fields.find((field) => nameOf(field).startsWith(path));
  const control = found?.querySelector<HTMLElement>("input, textarea, button, [tabindex]");
  const tab = found?.closest("[role=tabpanel][hidden]")?.getAttribute("aria-labelledby") ?? null;
  if (tab === null) return control?.focus();
  document.getElementById(tab)?.click();
  // A hidden control can't be focused: the panel opens before the next frame.
  requestAnimationFrame(() => control?.focus());
}
