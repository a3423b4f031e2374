"use client";

import { useEffect, useEffectEvent } from "react";
import { isKey, type KeyName } from "@/components/keyboard/keys";
import { isTyping } from "@/components/ui/is-typing";

/** Runs something when a key of the table is pressed anywhere on the page; not while one types. */
export function useKey(name: KeyName, run: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isKey(event, name, isTyping(event))) return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
