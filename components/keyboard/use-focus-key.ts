import { useRef } from "react";
import type { KeyName } from "@/components/keyboard/keys";
import { useKey } from "@/components/keyboard/use-key";

/**
 * A key that moves the focus to a part of the page. Escape there moves it back.
 *
 * @returns a function that moves the focus back, as Escape does
 */
export function useFocusKey(name: KeyName, findPart: () => Element | null): () => void {
  const previous = useRef<Element | null>(null);
  const restoreFocus = () => {
    if (previous.current instanceof HTMLElement) previous.current.focus();
  };
  useKey(name, () => {
    const part = findPart();
    if (part?.contains(document.activeElement) === false) previous.current = document.activeElement;
    // Of several tabs, the selected one gets the focus: the arrow keys may have moved on to another one.
    const selected = part?.querySelector<HTMLElement>("[aria-selected=true]");
    (selected ?? part?.querySelector("button"))?.focus();
  });
  useKey("close", restoreFocus, findPart);
  return restoreFocus;
}
