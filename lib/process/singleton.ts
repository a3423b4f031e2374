/** A value that exists once per process. */
interface Singleton<T> {
  /** Returns the value; makes it at the first call. */
  (): T;
  /** Returns the value without making it. */
  readonly peek: () => T | undefined;
  /** Replaces the value. */
  readonly set: (value: T) => void;
  /** Forgets the value: the next call makes a new one. */
  readonly clear: () => void;
}

/**
 * Keeps one value per process. Next bundles each route separately, so a module's own variable would exist once per
 * bundle: the value is kept on `globalThis`, under a name that no other singleton has.
 */
export function singleton<T extends object>(name: string, make: () => T): Singleton<T> {
  const key = `quartermaster${name}`;
  const all = globalThis as unknown as Record<string, T | undefined>;
  return Object.assign(() => (all[key] ??= make()), {
    peek: () => all[key],
    set: (value: T) => void (all[key] = value),
    clear: () => void delete all[key],
  });
}
