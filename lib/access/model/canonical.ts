import { isList } from "@/lib/access/model/json";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { byCodeUnit } from "@/lib/access/model/scalars";

/**
 * One text per JSON value: keys sorted by code unit, no white space. Unlike `JSON.stringify` it distinguishes `null`
 * from NaN and infinity, which a caller in the same process may pass.
 */
export function canonicalText(value: Json): string {
  const ordered = inOrder(value);
  return ordered === undefined ? textOf(value) : JSON.stringify(ordered);
}

/** The value with sorted keys for `JSON.stringify`, which is much faster; `undefined` when the result would differ. */
function inOrder(value: Json): Json | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "object" || value === null) return value ?? undefined;
  return isList(value) ? listInOrder(value) : objectInOrder(value);
}

function listInOrder(list: readonly Json[]): Json | undefined {
  let copy: Json[] | null = null;
  for (let at = 0; at < list.length; at += 1) {
    const item = list[at] ?? null;
    const ordered = item === null ? null : inOrder(item);
    if (ordered === undefined) return undefined;
    if (ordered !== item) copy ??= list.slice(0, at);
    copy?.push(ordered);
  }
  return copy ?? list;
}

function objectInOrder(object: JsonObject): Json | undefined {
  const copy: Record<string, Json> = {};
  for (const key of Object.keys(object).toSorted(byCodeUnit)) {
    // An object orders keys like `10` numerically, and does not store `__proto__` as a key.
    if (key === "__proto__" || (key.charCodeAt(0) >= DIGIT_0 && key.charCodeAt(0) <= DIGIT_9)) return undefined;
    const item = object[key] ?? null;
    const ordered = item === null ? null : inOrder(item);
    if (ordered === undefined) return undefined;
    copy[key] = ordered;
  }
  return copy;
}

const DIGIT_0 = 48;
const DIGIT_9 = 57;

function textOf(value: Json): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (isList(value)) return `[${value.map(textOf).join(",")}]`;
  const members = Object.keys(value)
    .toSorted(byCodeUnit)
    .map((key) => `${JSON.stringify(key)}:${textOf(value[key] ?? null)}`);
  return `{${members.join(",")}}`;
}

/** Whether two JSON values have the same canonical text. Builds neither text, and stops at the first difference. */
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
