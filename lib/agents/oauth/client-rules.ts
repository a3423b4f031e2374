import { withoutHidden } from "@/lib/access/model/hidden-characters";
import { MAX_CLIENT_NAME } from "@/lib/contracts/people/client-label";

/** The metadata of a client while oidc-provider reads it (RFC 7591, 2). */
type Metadata = Record<string, unknown>;

/**
 * Replaces what a client may not choose for itself, wherever its metadata comes from. oidc-provider calls this before its own
 * checks. Every client has the rules of a native one: those of `web` allow a redirect to plain http at any host.
 */
export const CLIENT_RULES = {
  properties: ["application_type", "client_name", "sector_identifier_uri"],
  validator: (_ctx: unknown, property: string, value: unknown, metadata: Metadata): void => {
    if (property === "application_type") metadata[property] = "native";
    // oidc-provider would fetch this address, which only pairwise subjects need.
    else if (property === "sector_identifier_uri") delete metadata[property];
    else if (typeof value === "string") metadata[property] = plainName(value);
  },
};

/** A name in one line, without characters that a reader does not see or that turn the direction of text. */
function plainName(name: string): string {
  const line = withoutHidden(name).replaceAll(/\s+/gu, " ").trim();
  // Half of a pair at the end is no text that Postgres stores.
  return line
    .slice(0, MAX_CLIENT_NAME)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trim();
}
