import { withoutHidden } from "@/lib/access/model/hidden-characters";
import { MAX_CLIENT_NAME } from "@/lib/contracts/people/client-label";

/** The metadata of a client while oidc-provider reads it (RFC 7591, 2). */
type Metadata = Record<string, unknown>;

/**
 * Overwrites the metadata that no client may choose, whatever its source. oidc-provider runs this before its own checks.
 * Every client counts as `native`, because a `web` client may redirect to plain http at any host.
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

/** One line without hidden characters, at most MAX_CLIENT_NAME long. */
function plainName(name: string): string {
  const line = withoutHidden(name).replaceAll(/\s+/gu, " ").trim();
  // The cut may split a surrogate pair, and Postgres does not store half of one.
  return line
    .slice(0, MAX_CLIENT_NAME)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trim();
}
