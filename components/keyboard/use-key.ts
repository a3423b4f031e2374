import { useEffectEvent, useLayoutEffect } from "react";
import { isKey, type KeyName } from "@/components/keyboard/keys";
import { isTyping } from "@/components/ui/forms/is-typing";

/**
 * Runs a function when a shortcut is pressed anywhere on the page, except while typing. With `within`, only inside that
 * element; then no other handler gets the key, so that Escape closes one thing at a time.
 */
export function useKey(name: KeyName, run: (event: KeyboardEvent) => void, within?: () => Element | null): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isKey(event, name, isTyping(event))) return;
    if (within !== undefined) {
      if (!(event.target instanceof Node) || within()?.contains(event.target) !== true) return;
      event.stopPropagation();
    }
    event.preventDefault();
    // A held key must not confirm the dialog that it has opened.
    if (!event.repeat) run(event);
  });
  const early = within !== undefined;
  // A layout effect, so that a visible button already has its key.
  useLayoutEffect(() => {
    document.addEventListener("keydown", onKey, early);
    return () => document.removeEventListener("keydown", onKey, early);
  }, [early]);
}
