import { useState } from "react";

/** The selected rows of a list, for actions on all of them. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Everything that the list matches is selected, not only the shown rows. */
  readonly all: boolean;
  readonly has: (id: string) => boolean;
  readonly toggle: (id: string) => void;
  /** Selects all of these rows, or deselects them if all are selected. */
  readonly toggleShown: (ids: readonly string[]) => void;
  readonly chooseAll: () => void;
  readonly clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

const NOTHING = { ids: NONE, all: false };

/**
 * The selection in a list. Another query of the list clears it.
 *
 * @param listed the loaded rows; a row deselected from "all" leaves the others of these selected
 */
export function useSelection(question: string, listed: readonly string[]): Selection {
  const [{ of, ids, all }, setChosen] = useState({ of: question, ...NOTHING });
  if (of !== question) setChosen({ of: question, ...NOTHING });
  // Based on the present selection, not on the rendered one, so that a row needs no new handler at each change.
  const choose = (next: (before: ReadonlySet<string>) => Iterable<string>) =>
    setChosen((before) => ({
      ...before,
      ids: new Set(next(before.all ? new Set([...before.ids, ...listed]) : before.ids)),
      all: false,
    }));
  return {
    ids,
    all,
    has: (id) => all || ids.has(id),
    toggle: (id) => choose((before) => (before.has(id) ? [...before].filter((one) => one !== id) : [...before, id])),
    toggleShown: (shown) => choose((before) => (shown.every((id) => before.has(id)) ? [] : shown)),
    chooseAll: () => setChosen((before) => ({ ...before, all: true })),
    clear: () => choose(() => NONE),
  };
}
