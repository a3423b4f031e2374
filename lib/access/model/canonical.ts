import { isList } from "@/lib/access/model/claims";
import type { Json } from "@/lib/access/model/configuration";
import { byCodeUnit } from "@/lib/access/model/scalars";

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

/** Whether two JSON values have one canonical text; neither is made, and the first difference ends it. */
export function isSameJson(left: Json, right: Json): boolean {
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null)
    return left === right || (Number.isNaN(left) && Number.isNaN(right));
  if (left === right) return true;
  if (isList(left) || isList(right))
    return (
      isList(left) &&
      isList(right) &&
      left.length === right.length &&
      left.every((one, at) => isSameJson(one, right[at] ?? null))
    );
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSameJson(left[key] ?? null, right[key] ?? null))
  );
}
