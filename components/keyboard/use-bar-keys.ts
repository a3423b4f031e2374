"use client";

import { useEffectEvent, useLayoutEffect, useRef, type RefObject } from "react";
import { isKey } from "@/components/keyboard/keys";
import { useKey } from "@/components/keyboard/use-key";

/**
 * The keys of what is done with chosen rows: b goes to it, past all the rows, and Escape goes back.
 *
 * @returns what Escape does: where focus was before b, it is again
 */
export function useBarKeys(bar: RefObject<HTMLElement | null>): () => void {
  const from = useRef<Element | null>(null);
  const isInBar = (place: EventTarget | null) => place instanceof Node && bar.current?.contains(place) === true;
  const goBack = () => {
    if (from.current instanceof HTMLElement) from.current.focus();
  };
  useKey("bar", () => {
    if (!isInBar(document.activeElement)) from.current = document.activeElement;
    bar.current?.querySelector("button")?.focus();
  });
  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    if (!isInBar(event.target) || !isKey(event, "close", false)) return;
    event.stopPropagation(); // An open peek stays.
    goBack();
  });
  useLayoutEffect(() => {
    document.addEventListener("keydown", onEscape, true);
    return () => document.removeEventListener("keydown", onEscape, true);
  }, []);
  return goBack;
}
