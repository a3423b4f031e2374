import { useState } from "react";

interface Option {
  readonly value: string;
  readonly label?: string | undefined;
  readonly hint?: string | undefined;
}

interface OptionList {
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
  readonly query: string;
  /** The free text that Enter takes; "" = none. */
  readonly typed: string;
  readonly creatable: boolean;
  /** Shown when nothing fits. Without it, a list that takes free text stays closed. */
  readonly empty: string | undefined;
  /** Set if a server searches the options. */
  readonly onQuery: ((query: string) => void) | undefined;
}

/**
 * The items of a list below a text field, whether it is open, and the properties of its root. An open list hides the rest
 * of the page from screen readers, so one with nothing to show does not open.
 */
export function useOptionList({ options, chosen, query, typed, creatable, empty, onQuery }: OptionList) {
  const [isOpen, setOpen] = useState(false);
  const items = itemsOf(options, chosen, typed);
  // A list of the chosen value alone offers nothing.
  const fits = fitsAny(itemsOf(options, [], typed), onQuery === undefined ? query : "");
  const hasAny = !creatable || empty !== undefined || fits;
  // Base UI drops the typed text when a list closes, so typing a new name only hides an open one.
  const [wasShown, setWasShown] = useState(false);
  if (wasShown !== (isOpen && (wasShown || hasAny))) setWasShown(!wasShown);
  const isShown = isOpen && (hasAny || wasShown);
  const root = {
    items: items.map((option) => option.value),
    itemToStringLabel: (item: string) => labelOf(options, item),
    autoHighlight: !creatable,
    open: isShown,
    ...(onQuery !== undefined && { filter: null }),
  };
  return { items, isShown, isHidden: !hasAny, setOpen, root };
}

interface TypedOption {
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  readonly creatable: boolean;
}

/** The text that is typed to find an option. */
export function useTypedOption({ value, onChange, creatable }: TypedOption) {
  const [query, setQuery] = useState<string | null>(null);
  const take = (next: string | null) => {
    setQuery(null);
    onChange(next);
  };
  // If free text is allowed, leaving the field accepts the typed text, which must not vanish silently.
  const takeTyped = (complete = (text: string) => text) => {
    const text = complete(query?.trim() ?? "");
    if (creatable && text !== "" && text !== value) take(text);
  };
  return { query: query ?? "", setQuery, take, takeTyped };
}

/** The options, selected values without an option, and the typed text: the arrow keys reach options first. */
function itemsOf(options: readonly Option[], chosen: readonly string[], typed: string): readonly Option[] {
  const known = new Set(options.map((option) => option.value));
  const extra = chosen.filter((value) => !known.has(value)).map((value) => ({ value }));
  const word = typed.trim();
  const free =
    word === "" || known.has(word) || chosen.includes(word)
      ? []
      : [{ value: word, hint: "Enter takes the typed text" }];
  return [...options, ...extra, ...free];
}

/** Whether the text fits an option. A list of the typed text alone would cover the page for nothing. */
export function fitsAny(options: readonly Option[], query: string): boolean {
  const text = query.trim().toLowerCase();
  return options.some(({ value, label = value }) => label.toLowerCase().includes(text));
}

/** The label of an option, or the value itself. */
export function labelOf(options: readonly Option[], value: string): string {
  return options.find((option) => option.value === value)?.label ?? value;
}
