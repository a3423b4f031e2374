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

const NOTHING = { ids: NONE, all: false };

/** What is chosen of a list; another question to the list chooses nothing. */
export function useSelection(question: string): Selection {
  const [{ of, ids, all }, setChosen] = useState({ of: question, ...NOTHING });
  if (of !== question) setChosen({ of: question, ...NOTHING });
  // By what is chosen then, not by what was drawn: a row has one way to be chosen, whatever else is.
  const choose = (next: (before: ReadonlySet<string>) => Iterable<string>) =>
    setChosen((before) => ({ ...before, ids: new Set(next(before.ids)), all: false }));
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
