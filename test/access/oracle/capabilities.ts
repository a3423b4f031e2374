/** The required capabilities that no grant covers; blank ones are not required (docs/reference/decision.md#capability). */
export function missingCapabilities(required: readonly string[], granted: readonly string[]): readonly string[] {
  return required.filter((name) => name.trim() !== "" && !granted.some((grant) => covers(grant, name)));
}

function covers(grant: string, name: string): boolean {
  if (grant === name || grant === "*") return true;
  const prefix = grant.slice(0, -1);
  return (grant.endsWith(".*") || grant.endsWith(":*")) && name.startsWith(prefix) && name !== prefix;
}
