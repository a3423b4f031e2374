import type { Json } from "@/lib/access/model/configuration";
import { redact } from "@/lib/audit/record/redact";

/** The most paths to list; further ones are left out. */
const MAX_PATHS = 100;

/**
 * The dotted paths (`card.number`, `items[0]`) of the parts that the log masks; the empty path is the value itself.
 * @param configured `settings.redact`
 */
export function maskedPaths(value: Json, configured: readonly string[]): string[] {
  return [...differences(value, redact(value, configured), "")].slice(0, MAX_PATHS);
}

function* differences(value: Json, masked: Json, path: string): Generator<string> {
  if (typeof value !== "object" || value === null || typeof masked !== "object" || masked === null) {
    if (value !== masked) yield path;
    return;
  }
  const [own, left] = [Object.entries(value), Object.entries(masked)];
  for (const [index, [key, item]] of own.entries()) {
    const here = Array.isArray(value) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    const [leftKey, leftItem] = left[index] ?? [];
    // A masked key hides everything under it.
    if (leftKey !== key || leftItem === undefined) yield here;
    else yield* differences(item, leftItem, here);
  }
}
