import { useEffect, useEffectEvent } from "react";

/** Collects text that is typed before the field is loaded, because people type at once after the opening key. */
export function useTypedAhead(waiting: boolean, onTyped: (text: string) => void): void {
  const take = useEffectEvent((event: KeyboardEvent) => {
    const there = event.target instanceof Element && event.target.closest("[role=dialog]:not([data-peek])") !== null;
    if (there || event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    onTyped(event.key);
  });
  useEffect(() => {
    if (!waiting) return undefined;
    window.addEventListener("keydown", take, { capture: true });
    return () => window.removeEventListener("keydown", take, { capture: true });
  }, [waiting]);
}
