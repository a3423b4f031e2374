import { parseClaimPath, type ClaimPath } from "@/lib/access/model/claims";
import { env } from "@/lib/env";
import type { Role } from "@/lib/resources/permissions";

/** The OpenID provider's settings from the environment. */
export interface OpenIdSettings {
  /** Exact `iss`. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The provider's name for people. */
  readonly name: string;
  /** Separated by spaces, including `openid`. */
  readonly scopes: string;
  readonly groupsClaim: ClaimPath;
  /** The groups of each role, matched exactly. */
  readonly groups: Readonly<Record<Role, readonly string[]>>;
}

/**
 * The settings for signing in with OpenID Connect; `null` without a provider.
 *
 * @throws Error with one sentence about a setting that is wrong
 */
export function openIdSettings(): OpenIdSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  const groupsClaim = parseClaimPath(env.OIDC_GROUPS_CLAIM ?? "groups");
  if ("problem" in groupsClaim) throw new Error(`OIDC_GROUPS_CLAIM: ${groupsClaim.problem}.`);
  return {
    issuer,
    clientId,
    clientSecret,
    name: env.OIDC_NAME ?? "OpenID Connect",
    scopes: env.OIDC_SCOPES ?? "openid profile email",
    groupsClaim,
    groups: { admin: env.OIDC_ADMIN_GROUPS, editor: env.OIDC_EDITOR_GROUPS, auditor: env.OIDC_AUDITOR_GROUPS },
  };
}
