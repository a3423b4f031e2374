"use client";

import { useCallback, useMemo, useSyncExternalStore } from "react";
import { useWho } from "@/components/resource/who";

const CHANGED = "qm-remembered";

/**
 * A small thing that this browser remembers for the person who is signed in, such as the columns of a
 * list. Not on the server: it is about this screen's size, and losing it costs two clicks. Everything that
 * reads it shows in the browser only, so nothing flashes.
 *
 * @param read what was written → the value; anything may be stored there, so it must accept anything
 */
export function useRemembered<T>(name: string, read: (stored: unknown) => T): readonly [T, (next: T) => void] {
  const key = `qm:${useWho().id}:${name}`;
  const text = useSyncExternalStore(
    subscribe,
    () => storedText(key),
    () => null,
  );
  const value = useMemo(() => read(parsed(text)), [read, text]);
  const write = useCallback(
    (next: T) => {
      try {
        window.localStorage.setItem(key, JSON.stringify(next));
      } catch {
        // Storage that is full or switched off: the choice is not remembered, the page goes on.
        return;
      }
      window.dispatchEvent(new Event(CHANGED));
    },
    [key],
  );
  return [value, write];
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener("storage", onChange); // other tabs
  window.addEventListener(CHANGED, onChange); // this one
  return () => {
    window.removeEventListener("storage", onChange);
    window.removeEventListener(CHANGED, onChange);
  };
}

function storedText(key: string): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
