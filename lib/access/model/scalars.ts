import type { Json } from "@/lib/access/model/configuration";

/** A JSON value with one text form. Text operators compare only scalars. */
export type Scalar = string | number | boolean;

/** True for text, numbers and booleans; `null` is no scalar (docs/reference/decision.md#operators). */
export function isScalar(value: Json | undefined): value is Scalar {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/**
 * The JSON text of a scalar, without the quotes of a string: `5` equals `"5"`, and `0` equals `-0`
 * (docs/reference/decision.md#operators).
 */
export function scalarText(value: Scalar): string {
  return String(value);
}

/** Folds case when `ignoreCase` is set, independently of any locale. */
export function foldCase(text: string, ignoreCase: boolean): string {
  return ignoreCase ? text.toLowerCase() : text;
}

/** Compares by code unit, without a locale: the order of names everywhere in the product. */
export function byCodeUnit(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
