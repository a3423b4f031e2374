import type { Input, ResourceName } from "@/lib/resources";

const key = (resource: ResourceName, id: string) => `draft-${resource}:${id}`;

/** Pages that a new row leads back to instead of its own, by what the address says of them. */
export const BACK = { start: "/admin/start" } as const;

/**
 * Keeps the beginning of a new row in this tab, under a short id and out of every address.
 *
 * @param back where one is led once the row is saved
 * @returns where one goes on with it
 */
export function keepDraft<R extends ResourceName>(resource: R, input: Input<R>, back?: keyof typeof BACK): string {
  const id = crypto.randomUUID().slice(0, 8);
  window.sessionStorage.setItem(key(resource, id), JSON.stringify(input));
  return `/admin/${resource}/new?${new URLSearchParams({ draft: id, ...(back !== undefined && { back }) })}`;
}

/** What is kept under an id; `null` when this tab keeps nothing there. */
export function keptDraft<R extends ResourceName>(resource: R, id: string | null): Input<R> | null {
  const text = id === null ? null : window.sessionStorage.getItem(key(resource, id));
  return text === null ? null : (JSON.parse(text) as Input<R>);
}
