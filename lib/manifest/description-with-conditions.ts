import type { ManifestEntry } from "@/lib/manifest/entries";

/** The description followed by the conditions in words, for formats without a field for them. */
export function descriptionWithConditions({ description, conditions }: ManifestEntry): string {
  return conditions.length === 0 ? description : `${description}\n\nConditions: ${conditions.join(" ")}`;
}
