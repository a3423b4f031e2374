import { useCallback, useMemo, useSyncExternalStore } from "react";
import { useWho } from "@/components/resource/who";
import { readStored, storeText, subscribeToStored } from "@/components/ui/browser-storage";

/**
 * A small value that this browser stores for the signed-in person, such as the columns of a list. Not on the server: it
 * depends on this screen's size, and its loss costs two clicks. Components that read it render only in the browser, so
 * that nothing flashes.
 *
 * @param read converts the stored value; must accept anything
 */
export function useRemembered<T>(name: string, read: (stored: unknown) => T): readonly [T, (next: T) => void] {
  const memory = useMemory();
  const text = useSyncExternalStore(
    subscribeToStored,
    () => memory.read(name),
    () => null,
  );
  const value = useMemo(() => read(parsed(text)), [read, text]);
  const write = useCallback((next: T) => memory.write(name, next), [memory, name]);
  return [value, write];
}

/** Changes a stored value on the basis of what is stored at the time of the action. Returns whether it is stored. */
export function useChangeRemembered(): <T>(
  name: string,
  read: (stored: unknown) => T,
  change: (old: T) => T,
) => boolean {
  const memory = useMemory();
  return (name, read, change) => memory.write(name, change(read(parsed(memory.read(name)))));
}

/** The names of one person, in this browser. */
function useMemory() {
  const { id } = useWho();
  return useMemo(() => {
    const keyOf = (name: string) => `qm:${id}:${name}`;
    return {
      read: (name: string) => readStored(keyOf(name)),
      write: (name: string, next: unknown) => storeText(keyOf(name), JSON.stringify(next)),
    };
  }, [id]);
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
