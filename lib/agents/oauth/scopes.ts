import { oncePer } from "@/lib/access/model/once-per";
import type { Snapshot } from "@/lib/store/snapshot/build";

/** The scope of every connection: use of the agent's tools. A request cannot leave it out. */
export const BASE_SCOPE = "tools";

/** The scopes that a client can ask for: the base scope, and each scope that a tool requires. */
export function supportedScopes(snapshot: Pick<Snapshot, "tools">): readonly string[] {
  return [...new Set([BASE_SCOPE, ...requiredScopes(snapshot.tools)])];
}

/** The scopes that some tool requires, sorted. */
const requiredScopes = oncePer((tools: Snapshot["tools"]): readonly string[] =>
  [...new Set([...tools.values()].flatMap((tool) => tool.requiredScopes))].toSorted(),
);

/**
 * The base scope and the scopes of a request that exist here. Clients ask for scopes of other kinds of server (`openid`,
 * `offline_access`), which a server may leave out (RFC 6749, 3.3).
 */
export function knownScopes(requested: string | null, available: readonly string[]): string {
  const known = (requested ?? "").split(" ").filter((scope) => available.includes(scope));
  return [...new Set([BASE_SCOPE, ...known])].join(" ");
}
