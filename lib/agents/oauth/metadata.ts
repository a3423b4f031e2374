import type { OuterContext } from "oidc-provider";
import { IDENTITY_ASSERTION } from "@/lib/agents/oauth/registered-client";
import { supportedScopes } from "@/lib/agents/oauth/scopes";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

/** The name of the profile of identity assertions (draft-ietf-oauth-identity-assertion-authz-grant). */
const ID_JAG_PROFILE = "urn:ietf:params:oauth:grant-profile:id-jag";

interface Metadata {
  readonly registration_endpoint?: string;
  readonly grant_types_supported: readonly string[];
}

/** Completes the metadata: oidc-provider lists its own scopes (OpenID Connect), and registration and identity assertions depend on the configuration. */
export async function completeMetadata(ctx: OuterContext, next: () => Promise<void>): Promise<void> {
  await next();
  if (ctx.oidc?.route !== "discovery") return;
  const snapshot = await currentSnapshot();
  const { registration_endpoint: registration, ...rest } = ctx.body as Metadata;
  const takesAssertions = [...snapshot.issuers.values()].some((issuer) => issuer.enabled && issuer.identityAssertions);
  ctx.body = {
    ...rest,
    grant_types_supported: rest.grant_types_supported.filter((type) => takesAssertions || type !== IDENTITY_ASSERTION),
    ...(takesAssertions && { authorization_grant_profiles_supported: [ID_JAG_PROFILE] }),
    ...(snapshot.settings.clientSignIn.registration && { registration_endpoint: registration }),
    response_modes_supported: ["query"],
    scopes_supported: supportedScopes(snapshot),
  };
}
