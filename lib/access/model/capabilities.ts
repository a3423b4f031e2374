/** Removes blank entries, which require nothing. */
export function requiredOf(entries: readonly string[]): readonly string[] {
  return entries.some((entry) => entry.trim() === "") ? entries.filter((entry) => entry.trim() !== "") : entries;
}

/**
 * Compiles granted capabilities to a test of one requirement (docs/reference/decision.md#capability). A grant matches
 * exactly; one that ends in `.*` or `:*` covers everything below its prefix; `*` covers all.
 * Only grants may hold wildcards, never requirements.
 */
export function compileGrants(granted: readonly string[]): (required: string) => boolean {
  if (granted.includes("*")) return () => true;
  const exact = new Set(granted);
  const prefixes = granted
    .filter((grant) => grant.endsWith(".*") || grant.endsWith(":*"))
    .map((grant) => grant.slice(0, -1));
  return (required) =>
    exact.has(required) || prefixes.some((prefix) => required.length > prefix.length && required.startsWith(prefix));
}

/** The requirements that no grant covers. */
export function missingCapabilities(required: readonly string[], granted: readonly string[]): readonly string[] {
  const covers = compileGrants(granted);
  return requiredOf(required).filter((entry) => !covers(entry));
}
