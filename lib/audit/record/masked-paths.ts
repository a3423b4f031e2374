import type { Json } from "@/lib/access/model/configuration";
import { redact } from "@/lib/audit/record/redact";

/** Paths that are told one by one; what more is masked has none. */
const MOST = 100;

/**
 * Where a value holds what the log masks, as dotted paths (`card.number`, `items[0]`); the empty path is the value itself.
 *
 * @param configured `settings.redact`
 */
export function maskedPaths(value: Json, configured: readonly string[]): string[] {
  return [...differences(value, redact(value, configured), "")].slice(0, MOST);
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
    // A key that is masked hides what stands under it.
    if (leftKey !== key || leftItem === undefined) yield here;
    else yield* differences(item, leftItem, here);
  }
}
