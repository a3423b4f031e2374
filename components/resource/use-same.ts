import { useMemo } from "react";

/** Returns the first of several values with equal JSON, so that components do not render again. */
export function useSame<T>(value: T): T {
  const text = JSON.stringify(value);
  return useMemo(() => JSON.parse(text) as T, [text]);
}
