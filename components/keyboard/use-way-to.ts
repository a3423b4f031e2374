"use client";

import { useRef } from "react";
import type { KeyName } from "@/components/keyboard/keys";
import { useKey } from "@/components/keyboard/use-key";

/**
 * A key that leads to a place of the page, past all that lies between, and Escape there that leads back.
 *
 * @returns the function for Escape: it restores the focus from before the key
 */
export function useWayTo(name: KeyName, place: () => Element | null): () => void {
  const from = useRef<Element | null>(null);
  const goBack = () => {
    if (from.current instanceof HTMLElement) from.current.focus();
  };
  useKey(name, () => {
    const there = place();
    if (there?.contains(document.activeElement) === false) from.current = document.activeElement;
    // Among tabs the open one: where the arrows were last, another may be.
    const open = there?.querySelector<HTMLElement>("[aria-selected=true]");
    (open ?? there?.querySelector("button"))?.focus();
  });
  useKey("close", goBack, place);
  return goBack;
}
