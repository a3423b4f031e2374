export interface Shortcut {
  /** The value of `KeyboardEvent.key`; letters in lower case. */
  readonly key: string;
  /** With Ctrl, or Cmd on a Mac. */
  readonly ctrl?: boolean;
  readonly worksWhileTyping?: boolean;
  readonly description: string;
}

/** Every shortcut except those that navigate after `g`, which the navigation defines. */
export const KEYS = {
  palette: { key: "k", ctrl: true, worksWhileTyping: true, description: "Search or jump" },
  filter: { key: "/", description: "Filter the list" },
  next: { key: "j", description: "Next row" },
  previous: { key: "k", description: "Previous row" },
  peek: { key: "Enter", description: "Preview the row" },
  open: { key: "Enter", ctrl: true, description: "Open the row, or confirm the dialog" },
  choose: { key: "s", description: "Select or deselect the row" },
  bar: { key: "b", description: "Go to the actions for selected rows" },
  tabs: { key: "t", description: "Go to the page's tabs" },
  close: { key: "Escape", description: "Leave the preview, actions or tabs" },
  create: { key: "n", description: "New" },
  save: { key: "s", ctrl: true, worksWhileTyping: true, description: "Create, or review and save" },
  approve: { key: "a", description: "Approve the call or the drift" },
  refuse: { key: "x", description: "Refuse the call or reject the drift" },
  sheet: { key: "?", description: "Show keyboard shortcuts" },
} as const satisfies Record<string, Shortcut>;

export type KeyName = keyof typeof KEYS;

/** The milliseconds after `g` in which a letter opens a page. */
export const SEQUENCE_MS = 1200;

/** Whether an event is this shortcut. A text field keeps its keys, except those of shortcuts that work while typing. */
export function isKey(event: KeyboardEvent, name: KeyName, isTyping: boolean): boolean {
  const { key, ctrl = false, worksWhileTyping = false }: Shortcut = KEYS[name];
  if (event.altKey || event.isComposing || (event.ctrlKey || event.metaKey) !== ctrl) return false;
  const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return pressed === key && (worksWhileTyping || !isTyping);
}

/** What the keyboard shows on the keys of a shortcut. */
export function keyLabels({ key, ctrl = false }: Shortcut): readonly string[] {
  const label = key === "Escape" ? "Esc" : ctrl && key.length === 1 ? key.toUpperCase() : key;
  return ctrl ? ["Ctrl", label] : [label];
}
