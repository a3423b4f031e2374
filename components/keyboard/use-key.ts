"use client";

import { useEffectEvent, useLayoutEffect } from "react";
import { isKey, type KeyName } from "@/components/keyboard/keys";
import { isTyping } from "@/components/ui/is-typing";

/** Runs something when a key of the table is pressed anywhere on the page; not while one types. */
export function useKey(name: KeyName, run: (event: KeyboardEvent) => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isKey(event, name, isTyping(event))) return;
    event.preventDefault();
    // Held down, a key would answer what it asked for itself.
    if (!event.repeat) run(event);
  });
  // With the paint, not after it: what can be seen can be pressed.
  useLayoutEffect(() => {
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
