import type { Json } from "@/lib/access/configuration";
import { isList } from "@/lib/access/claims";
import type { Problem } from "@/lib/access/problem";
import { isScalar, scalarText } from "@/lib/access/scalars";

/** The most values a matcher may list (2-access, Caps). */
export const MAX_VALUES = 1000;

/** The text of a matcher's scalar value. */
export function textValue(value: Json): { readonly text: string } | Problem {
  return isScalar(value) ? { text: scalarText(value) } : { problem: "give one text, number or boolean" };
}

/** The texts of a matcher's list value: a JSON list, or comma-separated text with the items trimmed. */
export function listValue(value: Json, { mayBeEmpty }: { readonly mayBeEmpty: boolean }): readonly string[] | Problem {
  const items = typeof value === "string" ? value.split(",").map((item) => item.trim()) : value;
  if (items === null || !isList(items)) return { problem: "give a list of values" };
  if (!items.every(isScalar)) return { problem: "a list of values holds text, numbers and booleans only" };
  if (items.length === 0 && !mayBeEmpty) return { problem: "give at least one value" };
  if (items.length > MAX_VALUES) return { problem: `give at most ${MAX_VALUES} values` };
  return items.map(scalarText);
}
