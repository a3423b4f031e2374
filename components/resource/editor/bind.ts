import type { Draft } from "@/components/resource/editor/draft";

/** One value of a draft and everything that a field needs to edit it. */
export interface Bound<V> {
  /** Path from the draft's root, as the server's problems name it: `limits.rate.points`. */
  readonly path: string;
  readonly value: V;
  readonly onChange: (next: V) => void;
  readonly error: string | undefined;
  readonly readOnly: boolean;
  /** A new row needs a value here. */
  readonly required?: boolean | undefined;
  /** The draft's errors and its `block`, for fields with several parts. */
  readonly of: Pick<Draft<never>, "error" | "errorBelow" | "isRequired" | "block">;
}

/** A field of the draft's root. */
export function bind<T, K extends keyof T & string>(draft: Draft<T>, key: K): Bound<T[K]> {
  return bound(key, draft.value[key], (next) => draft.set(key, next), draft, draft.readOnly);
}

/** A member of a bound object. */
export function within<V, K extends keyof V & string>(parent: Bound<V>, key: K): Bound<V[K]> {
  return bound(
    `${parent.path}.${key}`,
    parent.value[key],
    (next) => parent.onChange({ ...parent.value, [key]: next }),
    parent.of,
    parent.readOnly,
  );
}

/** An item of a bound list, with its removal. */
export function item<V>(parent: Bound<V[]>, index: number, value: V): Bound<V> & { readonly remove: () => void } {
  const others = (replace: readonly V[]) => parent.value.toSpliced(index, 1, ...replace);
  return {
    ...bound(
      `${parent.path}[${index}]`,
      value,
      (next: V) => parent.onChange(others([next])),
      parent.of,
      parent.readOnly,
    ),
    remove: () => parent.onChange(others([])),
  };
}

function bound<V>(
  path: string,
  value: V,
  onChange: (next: V) => void,
  of: Bound<V>["of"],
  readOnly: boolean,
): Bound<V> {
  return { path, value, onChange, error: of.error(path), readOnly, required: of.isRequired(path), of };
}
