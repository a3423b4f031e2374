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

const shared = globalThis as { quartermaster?: Record<string, unknown> };
/** The values by name. Read once, so that a test can give the modules of its file a record of their own. */
const values = (shared.quartermaster ??= {});

/**
 * Keeps one value per process. Next bundles each route separately, so a module's own variable would exist once per
 * bundle: the value is kept on `globalThis`, under a name that no other singleton has.
 */
export function singleton<T extends object>(name: string, make: () => T): Singleton<T> {
  return Object.assign(() => (values[name] ??= make()) as T, {
    peek: () => values[name] as T | undefined,
    set: (value: T) => void (values[name] = value),
    clear: () => void delete values[name],
  });
}
