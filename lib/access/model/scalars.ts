import type { Json } from "@/lib/access/model/configuration";

/** A JSON value that has one text: the only thing that text operators compare. */
export type Scalar = string | number | boolean;

/** True for text, numbers and booleans; `null` is no scalar (docs/reference/decision.md#operators). */
export function isScalar(value: Json | undefined): value is Scalar {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** The JSON text of a scalar, text without its quotes: `5` and `"5"` are equal, and so are `0` and `-0` (docs/reference/decision.md#operators). */
export function scalarText(value: Scalar): string {
  return String(value);
}

/** Folded for comparison when `ignoreCase` is set: no locale is ever read. */
export function foldCase(text: string, ignoreCase: boolean): string {
  return ignoreCase ? text.toLowerCase() : text;
}

/** Compares by code unit: the one order of names in this product, free of locales. */
export function byCodeUnit(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
