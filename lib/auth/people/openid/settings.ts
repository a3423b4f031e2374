import { parseClaimPath, type ClaimPath } from "@/lib/access/model/claims";
import { env } from "@/lib/env";
import type { Role } from "@/lib/resources/permissions";

/** The company's OpenID provider, as the environment describes it. */
export interface OpenIdSettings {
  /** Exact `iss`. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What people call the provider. */
  readonly name: string;
  /** Separated by spaces, `openid` among them. */
  readonly scopes: string;
  readonly groupsClaim: ClaimPath;
  /** Groups whose members have a role, compared exactly. */
  readonly groups: Readonly<Record<Role, readonly string[]>>;
}

/**
 * How people sign in with OpenID Connect; `null` where the installation has no provider.
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
