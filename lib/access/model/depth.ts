import type { Json } from "@/lib/access/model/configuration";

/**
 * Whether a value is nested deeper than `depth` levels, including itself. Stops at the limit, so that hostile nesting
 * cannot exhaust the stack.
 */
export function isDeeper(value: Json, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}
