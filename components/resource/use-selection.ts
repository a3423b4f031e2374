"use client";

import { useState } from "react";

/** Rows of a list that are chosen, to do something with all of them. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Everything that the list matches is meant, whatever is shown of it. */
  readonly all: boolean;
  readonly has: (id: string) => boolean;
  readonly toggle: (id: string) => void;
  /** Chooses all these, or none of them where all are chosen. */
  readonly toggleShown: (ids: readonly string[]) => void;
  readonly chooseAll: () => void;
  readonly clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

/** What is chosen of a list; another question to the list chooses nothing. */
export function useSelection(question: string): Selection {
  const [chosen, setChosen] = useState({ question, ids: NONE, all: false });
  const { ids, all } = chosen.question === question ? chosen : { ids: NONE, all: false };
  const choose = (next: Iterable<string>) => setChosen({ question, ids: new Set(next), all: false });
  return {
    ids,
    all,
    has: (id) => all || ids.has(id),
    toggle: (id) => choose(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id]),
    toggleShown: (shown) => choose(shown.every((id) => ids.has(id)) ? [] : shown),
    chooseAll: () => setChosen({ question, ids, all: true }),
    clear: () => choose([]),
  };
}
