/** Where all changes of a row are listed, also of one that is not there any more. */
export function changesOf(resource: string, id: string): string {
  return `/admin/changes?${new URLSearchParams({ resource, id })}`;
}
