import { useRef } from "react";
import type { KeyName } from "@/components/keyboard/keys";
import { useKey } from "@/components/keyboard/use-key";

/**
 * A key that moves the focus to a part of the page. Escape there moves it back.
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
    // Of tabs, the open one gets the focus. The arrow keys may have left another one focusable.
    const open = there?.querySelector<HTMLElement>("[aria-selected=true]");
    (open ?? there?.querySelector("button"))?.focus();
  });
  useKey("close", goBack, place);
  return goBack;
}
