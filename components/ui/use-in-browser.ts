import { useSyncExternalStore } from "react";

/** False on the server and in the first render in the browser, then true. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
}
