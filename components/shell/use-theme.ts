import { useSyncExternalStore } from "react";
import { toTheme, type Theme } from "@/components/shell/theme";

/** The theme in force, changed by the menu or the palette. */
export function useTheme(initial: Theme): Theme {
  return useSyncExternalStore(
    subscribe,
    () => toTheme(document.documentElement.dataset["theme"]),
    () => initial,
  );
}

function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}
