type Kind = "claims" | "document";

const key = (kind: Kind, id: string) => `preview-${kind}:${id}`;

/** A value that this tab stores under a short id, outside of addresses; `null` when there is none. */
export function readFromTab(kind: Kind, id: string | null): string | null {
  return id === null ? null : window.sessionStorage.getItem(key(kind, id));
}

/** Keeps claims or a draft document in this tab; `id` null = under a new one. @returns the id, for the address */
export function storeInTab(kind: Kind, id: string | null, text: string): string {
  const name = id ?? crypto.randomUUID().slice(0, 8);
  window.sessionStorage.setItem(key(kind, name), text);
  return name;
}
