import { useState } from "react";
import { changesOf, type Change } from "@/components/resource/editor/changes";
import type { FieldProblem } from "@/lib/errors";

/** The edited copy of the stored value, and its problems. */
export interface Draft<T> {
  readonly value: T;
  readonly set: <K extends keyof T>(key: K, next: T[K]) => void;
  /** The problem at exactly this path, such as `matchers[0].value`. */
  readonly error: (path: string) => string | undefined;
  /** The problem at this path or below it. */
  readonly errorBelow: (path: string) => string | undefined;
  /** Whether a new row needs a value at this path. */
  readonly isRequired: (path: string) => boolean;
  /**
   * Blocks the save while the text at a path does not parse and so has no value; `null` unblocks it. With `untouched`,
   * the problem shows after an attempt to save, because the person has typed nothing there.
   */
  readonly block: (path: string, problem: string | null, untouched?: boolean) => void;
  readonly readOnly: boolean;
  readonly isNew: boolean;
}

/** A draft and the functions that the editor around the form needs. */
export interface DraftControl<T> {
  readonly draft: Draft<T>;
  readonly base: T;
  readonly changes: readonly Change[];
  /** All problems, also those of fields that the person has not touched. */
  readonly problems: readonly FieldProblem[];
  /** Whether a field blocks the save. */
  readonly isBlocked: boolean;
  readonly setProblems: (problems: readonly FieldProblem[]) => void;
  readonly discard: () => void;
  /** A key of the fields. It changes at a discard, because a field may hold a choice or text that is no value of the draft. */
  readonly fieldsKey: number;
  /** Starts over from another stored value, keeping `value` as the draft. */
  readonly rebase: (base: T, value: T) => void;
}

interface DraftOptions<T> {
  readonly readOnly: boolean;
  readonly isNew: boolean;
  /** An initial value with changes, if there is one. */
  readonly start?: T | null;
  /** The paths that need a value. */
  readonly required?: ReadonlySet<string> | undefined;
}

/** A draft over a stored (or blank) value. */
export function useDraft<T extends object>(
  stored: T,
  { readOnly, isNew, start = null, required }: DraftOptions<T>,
): DraftControl<T> {
  const [base, setBase] = useState(stored);
  const [value, setValue] = useState(start ?? stored);
  const [problems, setProblems] = useState<readonly FieldProblem[]>([]);
  const [blocks, setBlocks] = useState<Readonly<Record<string, { message: string; untouched: boolean }>>>({});
  const [checked, setChecked] = useState(false);
  const [fieldsKey, setFieldsKey] = useState(0);

  const blocking = Object.entries(blocks).map(([path, one]) => ({ path, ...one }));
  const all = [...problems, ...blocking.map(({ path, message }) => ({ path, message }))];
  const shown = [...problems, ...blocking.filter(({ untouched }) => checked || !untouched)];
  const messages = (fits: (path: string) => boolean) => {
    const found = shown.filter((problem) => fits(problem.path)).map((problem) => problem.message);
    return found.length === 0 ? undefined : [...new Set(found)].join(" ");
  };
  const reset = (nextBase: T, next: T, isDiscard = false) => {
    setBase(nextBase);
    setValue(next);
    setProblems([]);
    setBlocks({});
    setChecked(false);
    if (isDiscard || blocking.length > 0) setFieldsKey(fieldsKey + 1);
  };

  return {
    base,
    changes: changesOf(base, value),
    problems: all,
    isBlocked: blocking.length > 0,
    setProblems: (found) => {
      setProblems(found);
      setChecked(true);
    },
    discard: () => reset(base, base, true),
    fieldsKey,
    rebase: (nextBase, next) => reset(nextBase, next),
    draft: {
      value,
      readOnly,
      isNew,
      set: (key, next) => {
        setValue((before) => ({ ...before, [key]: next }));
        // Editing a field clears its problem. The server reports the problem again if it remains.
        setProblems((before) => before.filter((problem) => !isBelow(problem.path, String(key))));
      },
      error: (path) => messages((at) => at === path),
      errorBelow: (path) => messages((at) => isBelow(at, path)),
      isRequired: (path) => required?.has(path) === true,
      block: (path, problem, untouched = false) =>
        setBlocks((before) => {
          const { [path]: _gone, ...others } = before;
          return problem === null ? others : { ...others, [path]: { message: problem, untouched } };
        }),
    },
  };
}

function isBelow(path: string, ancestor: string): boolean {
  return path === ancestor || path.startsWith(`${ancestor}.`) || path.startsWith(`${ancestor}[`);
}
