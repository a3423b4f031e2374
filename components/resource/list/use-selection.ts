import { useState } from "react";
import { useStable } from "@/components/resource/use-stable";

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

/** The loaded rows of a list. */
export interface Listed {
  readonly ids: readonly string[];
  /** The query and order that the rows answer; `null` while they are those of another one. */
  readonly of: string | null;
  /** Whether the server has further pages. */
  readonly hasMore: boolean;
}

const NONE: ReadonlySet<string> = new Set();
const NO_ROWS: Listed = { ids: [], of: null, hasMore: true };

const NOTHING = { ids: NONE, all: false, listed: NO_ROWS };

/**
 * The selection in a list. Another query of the list clears it, and a row that leaves the list leaves the selection.
 *
 * @param latest the loaded rows; a row deselected from "all" leaves the others of these selected
 */
export function useSelection(question: string, latest: Listed): Selection {
  const [{ of, ids, all, listed }, setChosen] = useState({ of: question, ...NOTHING });
  const now = useStable(latest);
  if (of !== question) setChosen({ of: question, ...NOTHING });
  else if (now.of !== null && now !== listed)
    setChosen((before) => ({ ...before, ids: withoutGone(before.ids, listed, now), listed: now }));
  // Based on the present selection, not on the rendered one, so that a row needs no new handler at each change.
  const choose = (next: (before: ReadonlySet<string>) => Iterable<string>) =>
    setChosen((before) => ({
      ...before,
      ids: new Set(next(before.all ? new Set([...before.ids, ...before.listed.ids]) : before.ids)),
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

/**
 * The selected rows that the list still has. A row on a further page is not gone: new rows above, or another order, moved
 * it there. A row is gone if the list is complete without it, or still has a row that followed it.
 */
function withoutGone(ids: ReadonlySet<string>, before: Listed, now: Listed): ReadonlySet<string> {
  const loaded = new Set(now.ids);
  const followed =
    before.of === now.of
      ? before.ids.slice(
          0,
          before.ids.findLastIndex((id) => loaded.has(id)),
        )
      : [];
  const left = new Set(followed);
  const kept = [...ids].filter((id) => loaded.has(id) || (now.hasMore && !left.has(id)));
  return kept.length === ids.size ? ids : new Set(kept);
}
