import type { Json } from "@/lib/access/model/configuration";
import { isList } from "@/lib/access/model/json";
import { isProblem, type Problem } from "@/lib/access/model/problem";
import { isScalar, scalarText } from "@/lib/access/model/scalars";

/** The most values a matcher may list (docs/reference/decision.md#caps). */
const MAX_VALUES = 1000;

/** The text of a matcher's scalar value. */
export function textValue(value: Json): { readonly text: string } | Problem {
  return isScalar(value) ? { text: scalarText(value) } : { problem: "give one text, number or boolean" };
}

/** The texts of a matcher's list value: a JSON list, or comma-separated text with the items trimmed. */
export function listValue(value: Json): readonly string[] | Problem {
  const items = typeof value === "string" ? value.split(",").map((item) => item.trim()) : value;
  if (!isList(items)) return { problem: "give a list of values" };
  if (!items.every(isScalar)) return { problem: "a list of values holds text, numbers and booleans only" };
  if (items.length > MAX_VALUES) return { problem: `give at most ${MAX_VALUES} values` };
  return items.map(scalarText);
}

/** The texts of a list value. Refuses an empty list, for the `contains_…` operators. */
export function filledListValue(value: Json): readonly string[] | Problem {
  const items = listValue(value);
  return isProblem(items) || items.length > 0 ? items : { problem: "give at least one value" };
}
