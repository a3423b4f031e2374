"use client";

import { useEffectEvent, useLayoutEffect } from "react";
import { isKey, type KeyName } from "@/components/keyboard/keys";
import { isTyping } from "@/components/ui/is-typing";

/**
 * Runs something when a key of the table is pressed anywhere on the page; not while one types. With `within`, only when it
 * is pressed in there, and then nothing else hears of it: Escape leaves one thing, not the open peek as well.
 */
export function useKey(name: KeyName, run: (event: KeyboardEvent) => void, within?: () => Element | null): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isKey(event, name, isTyping(event))) return;
    if (within !== undefined) {
      if (!(event.target instanceof Node) || within()?.contains(event.target) !== true) return;
      event.stopPropagation();
    }
    event.preventDefault();
    // Held down, a key would answer what it asked for itself.
    if (!event.repeat) run(event);
  });
  const early = within !== undefined;
  // With the paint, not after it: what can be seen can be pressed.
  useLayoutEffect(() => {
    document.addEventListener("keydown", onKey, early);
    return () => document.removeEventListener("keydown", onKey, early);
  }, [early]);
}
