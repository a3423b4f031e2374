import { isList } from "@/lib/access/claims";
import type { Json } from "@/lib/access/configuration";
import { byCodeUnit } from "@/lib/access/scalars";

/**
 * One text per JSON value: keys sorted by code unit, no white space. Unlike `JSON.stringify` it tells NaN and
 * infinity, which no JSON holds but a caller in the same process may pass, from `null`.
 */
export function canonicalText(value: Json): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (isList(value)) return `[${value.map(canonicalText).join(",")}]`;
  const members = Object.keys(value)
    .toSorted(byCodeUnit)
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key] ?? null)}`);
  return `{${members.join(",")}}`;
}
