import { useMemo } from "react";

/** Returns the same object while the JSON of the value stays the same, so that dependent components do not render. */
export function useStable<T>(value: T): T {
  const text = JSON.stringify(value);
  return useMemo(() => JSON.parse(text) as T, [text]);
}
