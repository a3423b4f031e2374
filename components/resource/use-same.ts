"use client";

import { useMemo } from "react";

/** The first of several values that say the same as JSON: what was drawn from it need not be drawn again. */
export function useSame<T>(value: T): T {
  const text = JSON.stringify(value);
  return useMemo(() => JSON.parse(text) as T, [text]);
}
