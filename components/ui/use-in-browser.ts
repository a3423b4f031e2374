"use client";

import { useSyncExternalStore } from "react";

/** False on the server and in the render that takes over its page, true from then on. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
}
