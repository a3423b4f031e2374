import type { ManifestEntry } from "@/lib/manifest/entries";

/** Makes a value once per entry: lists of one revision share entries, so they share the value. */
export function perEntry<Made>(make: (entry: ManifestEntry) => Made & {}): (entry: ManifestEntry) => Made & {} {
  const made = new WeakMap<ManifestEntry, Made & {}>();
  return (entry) => {
    const known = made.get(entry);
    if (known !== undefined) return known;
    const value = make(entry);
    made.set(entry, value);
    return value;
  };
}
