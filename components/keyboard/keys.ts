/** A keyboard shortcut: its key, and its effect in words. */
export interface Key {
  /** The name in `KeyboardEvent.key`, in lower case for letters. */
  readonly key: string;
  /** With Ctrl, or Cmd on a Mac. */
  readonly ctrl?: boolean;
  /** Also works while a person types in a field. */
  readonly anywhere?: boolean;
  readonly says: string;
}

/** Every shortcut except those that navigate after `g`, which the navigation defines. */
export const KEYS = {
  palette: { key: "k", ctrl: true, anywhere: true, says: "Search or jump" },
  filter: { key: "/", says: "Filter the list" },
  next: { key: "j", says: "Next row" },
  previous: { key: "k", says: "Previous row" },
  peek: { key: "Enter", says: "Preview the row" },
  open: { key: "Enter", ctrl: true, says: "Open the row" },
  choose: { key: "s", says: "Select or deselect the row" },
  bar: { key: "b", says: "Go to the actions for selected rows" },
  tabs: { key: "t", says: "Go to the page's tabs" },
  close: { key: "Escape", says: "Leave the preview, actions or tabs" },
  create: { key: "n", says: "New" },
  save: { key: "s", ctrl: true, anywhere: true, says: "Create, or review and save" },
  approve: { key: "a", says: "Approve the call or the drift" },
  refuse: { key: "x", says: "Refuse the call or reject the drift" },
  sheet: { key: "?", says: "Show keyboard shortcuts" },
} as const satisfies Record<string, Key>;

/** The name of a key. */
export type KeyName = keyof typeof KEYS;

/** How long after `g` the letter of a place counts, in milliseconds. */
export const AFTER_G = 1200;

/** Whether an event is this shortcut and is meant for the page, not for a text field. */
export function isKey(event: KeyboardEvent, name: KeyName, typing: boolean): boolean {
  const { key, ctrl = false, anywhere = false }: Key = KEYS[name];
  if (event.altKey || event.isComposing || (event.ctrlKey || event.metaKey) !== ctrl) return false;
  const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return pressed === key && (anywhere || !typing);
}

/** The labels of the keys. */
export function capsOf({ key, ctrl = false }: Key): readonly string[] {
  const cap = key === "Escape" ? "Esc" : ctrl && key.length === 1 ? key.toUpperCase() : key;
  return ctrl ? ["Ctrl", cap] : [cap];
}
