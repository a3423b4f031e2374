"use client";

import { useRef } from "react";
import type { KeyName } from "@/components/keyboard/keys";
import { useKey } from "@/components/keyboard/use-key";

/**
 * A key that leads to a place of the page, past all that lies between, and Escape there that leads back.
 *
 * @returns what Escape does: where focus was before the key, it is again
 */
export function useWayTo(name: KeyName, place: () => Element | null): () => void {
  const from = useRef<Element | null>(null);
  const goBack = () => {
    if (from.current instanceof HTMLElement) from.current.focus();
  };
  useKey(name, () => {
    const there = place();
    if (there?.contains(document.activeElement) === false) from.current = document.activeElement;
    // Where Tab would come in: among tabs the open one.
    there?.querySelector<HTMLElement>('button:not([tabindex="-1"])')?.focus();
  });
  useKey("close", goBack, place);
  return goBack;
}
