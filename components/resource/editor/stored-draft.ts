import { parseAsString, useQueryStates } from "nuqs";
import { hrefOf } from "@/components/resource/view";
import type { Input, ResourceName } from "@/lib/resources";

const key = (resource: ResourceName, id: string) => `draft-${resource}:${id}`;

/** Pages to which the editor of a new row returns instead of the row's own page, by their name in the address. */
export const BACK_PAGES = ["start", "agent"] as const;
type BackPage = (typeof BACK_PAGES)[number];

/**
 * Stores the initial value of a new row in this tab. The address of the editor has only the draft's id, never its values.
 *
 * @param back the page that opens after the save
 * @returns the address of the editor that starts from it
 */
export function storeDraft<R extends ResourceName>(resource: R, input: Input<R>, back?: BackPage): string {
  const id = store(resource, input);
  return `/admin/${resource}/new?${new URLSearchParams({ draft: id, ...(back !== undefined && { back }) })}`;
}

/** The address to which the editor of a new row returns; `agent` is the page of the agent that the draft names. */
export function backAddress(back: BackPage, draft: object | null): string | undefined {
  if (back === "start") return "/admin/start";
  return draft !== null && "agent" in draft ? hrefOf("agents", String(draft.agent)) : undefined;
}

/**
 * Stores changes to a stored row in this tab: fields with their new values.
 *
 * @param undoes the id of the change that they undo: the editor opens their review at once
 */
export function storeChanges<R extends ResourceName>(
  resource: R,
  rowId: string,
  changes: Partial<Input<R>>,
  { undoes }: { readonly undoes?: string } = {},
): string {
  const search = new URLSearchParams({
    draft: store(resource, changes),
    ...(undoes !== undefined && { undo: undoes }),
  });
  return `${hrefOf(resource, rowId)}?${search}`;
}

function store<R extends ResourceName>(resource: R, value: Partial<Input<R>>): string {
  const id = crypto.randomUUID().slice(0, 8);
  window.sessionStorage.setItem(key(resource, id), JSON.stringify(value));
  return id;
}

/** The draft or the changed fields stored under an id; `null` when this tab has none. */
export function storedDraft<R extends ResourceName>(resource: R, id: string | null): Input<R> | null {
  const text = id === null ? null : window.sessionStorage.getItem(key(resource, id));
  return text === null ? null : (JSON.parse(text) as Input<R>);
}

/**
 * Removes the draft from the address, so that a reload does not start with it again. The form stays open on a page whose
 * first tab is another one.
 */
export function useForgetDraft({ Home }: { readonly Home?: unknown }): () => void {
  const [{ tab }, change] = useQueryStates({ draft: parseAsString, undo: parseAsString, tab: parseAsString });
  return () => void change({ draft: null, undo: null, tab: tab ?? (Home === undefined ? null : "settings") });
}
