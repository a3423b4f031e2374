/** The address of the list of a row's changes. Works for a deleted row too. */
export function changesHref(resource: string, id: string): string {
  return `/admin/changes?${new URLSearchParams({ resource, id })}`;
}
