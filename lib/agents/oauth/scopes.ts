import type { Snapshot } from "@/lib/store/snapshot/build";

/** The scope of every connection: use of the agent's tools. A request cannot leave it out. */
export const BASE_SCOPE = "tools";

/** The scopes that a client can ask for: the base scope, and each scope that a tool requires. */
export function supportedScopes(snapshot: Pick<Snapshot, "tools">): readonly string[] {
  return [...new Set([BASE_SCOPE, ...requiredScopes(snapshot)])];
}

const required = new WeakMap<Snapshot["tools"], readonly string[]>();

/** The scopes that some tool requires, sorted. */
function requiredScopes({ tools }: Pick<Snapshot, "tools">): readonly string[] {
  const known =
    required.get(tools) ?? [...new Set([...tools.values()].flatMap((tool) => tool.requiredScopes))].toSorted();
  required.set(tools, known);
  return known;
}

/**
 * The base scope and the scopes of a request that exist here. Clients ask for scopes of other kinds of server (`openid`,
 * `offline_access`), which a server may leave out (RFC 6749, 3.3).
 */
export function knownScopes(requested: string | null, available: readonly string[]): string {
  const known = (requested ?? "").split(" ").filter((scope) => available.includes(scope));
  return [...new Set([BASE_SCOPE, ...known])].join(" ");
}
