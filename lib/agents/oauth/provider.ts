import { randomUUID, type JsonWebKey } from "node:crypto";
import type { Context, Interaction, Provider } from "oidc-provider";
import * as errors from "oidc-provider/lib/helpers/errors.js";
import { adapterOf, undoFailedRedemptions } from "@/lib/agents/oauth/adapter";
import { clientFetch, documentFault, keepValidDocument } from "@/lib/agents/oauth/client-fetch";
import { CLIENT_RULES } from "@/lib/agents/oauth/client-rules";
import { grantOf } from "@/lib/agents/oauth/consent";
import { errorPage } from "@/lib/agents/oauth/error-page";
import { addBaseScope, extraTokenClaims, findAccount } from "@/lib/agents/oauth/issue";
import { completeMetadata } from "@/lib/agents/oauth/metadata";
import { OAUTH_PATHS } from "@/lib/agents/oauth/paths";
import { redeemAssertion } from "@/lib/agents/oauth/identity-assertion";
import { IDENTITY_ASSERTION } from "@/lib/agents/oauth/registered-client";
import { keepFailures, noteFailure } from "@/lib/agents/oauth/refusal";
import { expireRequestCookies, ProviderWithRequestCookies, REQUEST_COOKIE } from "@/lib/agents/oauth/request-cookies";
import { resourceServer } from "@/lib/agents/oauth/resource-server";
import { revokeAccessTokens } from "@/lib/agents/oauth/revoke-access-token";
import { keepErrorsHere, standardCode, useStandardCodes } from "@/lib/agents/oauth/standard-codes";
import { accessTokenSeconds, ownAudience } from "@/lib/auth/agents/own-issuer";
import { isServedOverTls, publicOrigin } from "@/lib/env";
import type { Outbound } from "@/lib/outbound/fetch";
import { SELF_REGISTERED } from "@/lib/contracts/people/client-label";
import { REQUEST_SECONDS, saveConnectionRequest } from "@/lib/store/oauth/connection-requests";
import { metrics } from "@/lib/telemetry/metrics";

/** Seconds that a code and a refresh token live. Each use of a refresh token yields a new one. */
const CODE_SECONDS = 60;
const REFRESH_SECONDS = 30 * 24 * 60 * 60;

/**
 * The authorization server on oidc-provider: authorization code with PKCE, rotated refresh tokens, one audience. It reads its
 * keys once, so each set of keys needs its own provider.
 *
 * @param keys private keys (JWK), first the one that signs new tokens
 */
export function createProvider(keys: readonly JsonWebKey[], outbound: Outbound): Provider {
  const securePrefix = isServedOverTls() ? "__Secure-" : "";
  const provider: Provider = new ProviderWithRequestCookies(publicOrigin(), {
    adapter: adapterOf,
    jwks: { keys },
    routes: OAUTH_PATHS,
    fetch: clientFetch(outbound),
    cookies: {
      // Each request to connect names its own cookie (request-cookies.ts).
      names: { resume: `${securePrefix}qm_resume`, session: `${securePrefix}qm_oauth` },
      short: REQUEST_COOKIE,
      long: { httpOnly: true, sameSite: "lax", overwrite: true, path: "/oauth" },
    },
    interactions: { url: saveRequest },
    renderError: async (ctx: Context, out: Readonly<Record<string, string>>) => {
      ctx.type = "html";
      ctx.body = errorPage({ ...out, ...documentFault(ctx) });
    },
    findAccount,
    loadExistingGrant: (ctx: Context) => grantOf(ctx, provider),
    extraTokenClaims,
    formats: { customizers: { jwt: addBaseScope } },
    ...GRANTS,
    ...CLIENTS,
    scopes: [],
    claims: {},
    discovery: {
      protected_resources: [ownAudience()],
      client_id_metadata_document_supported: true,
    },
    features: FEATURES,
  });
  provider.use(keepFailures);
  provider.use(undoFailedRedemptions);
  provider.use(completeMetadata);
  provider.use(keepErrorsHere);
  provider.use(useStandardCodes);
  provider.use(expireRequestCookies);
  provider.use(revokeAccessTokens);
  provider.registerGrantType(IDENTITY_ASSERTION, redeemAssertion(provider), ["assertion", "scope", "resource"]);
  provider.proxy = true;
  provider.silent = true;
  countGrants(provider);
  provider.on("server_error", noteFailure);
  return provider;
}

/** Counts issued tokens by grant type, and refusals by OAuth error. Both have few values, as metric labels must. */
function countGrants(provider: Provider): void {
  const { tokensIssued, signInRefusals } = metrics();
  provider.on("grant.success", ({ oidc }) => tokensIssued.of({ grant: oidc.params["grant_type"] ?? "" }).add());
  const refused = (_ctx: Context, { message: error, error_description }: Refusal) =>
    signInRefusals.of({ reason: standardCode({ error, error_description }) }).add();
  for (const event of ["grant.error", "authorization.error", "registration_create.error"]) provider.on(event, refused);
}

/** An error of oidc-provider: its message is the code. */
type Refusal = Error & { readonly error_description?: string };

/** Rules of grants and tokens (RFC 9700). */
const GRANTS = {
  responseTypes: ["code"],
  pkce: { required: () => true },
  expiresWithSession: async () => false,
  issueRefreshToken: async (_ctx: Context, client: Context["oidc"]["client"]) =>
    client.grantTypeAllowed("refresh_token"),
  rotateRefreshToken: true,
  ttl: {
    AccessToken: accessTokenSeconds,
    ClientCredentials: accessTokenSeconds,
    AuthorizationCode: CODE_SECONDS,
    RefreshToken: REFRESH_SECONDS,
    Interaction: REQUEST_SECONDS,
    Session: REQUEST_SECONDS,
    Grant: REFRESH_SECONDS,
  },
};

/** The rules for client metadata, and its defaults: real client documents omit most fields. */
const CLIENTS = {
  extraClientMetadata: CLIENT_RULES,
  clientAuthMethods: ["none", "private_key_jwt"],
  clientDefaults: {
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    id_token_signed_response_alg: "ES256",
  },
  enabledJWA: {
    clientAuthSigningAlgValues: ["ES256", "RS256", "PS256", "EdDSA"],
    idTokenSigningAlgValues: ["ES256"],
  },
};

const FEATURES = {
  devInteractions: { enabled: false },
  userinfo: { enabled: false },
  rpInitiatedLogout: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  dPoP: { enabled: false },
  clientCredentials: { enabled: true },
  revocation: {
    enabled: true,
    allowedPolicy: async (_ctx: Context, client: Context["oidc"]["client"], token: { readonly clientId: string }) =>
      token.clientId === client.clientId,
  },
  // Served only while the setting allows it (server.ts).
  registration: { enabled: true, issueRegistrationAccessToken: false, idFactory: () => SELF_REGISTERED + randomUUID() },
  clientIdMetadataDocument: {
    enabled: true,
    ack: "draft-02",
    allowFetch: async (ctx: Context, id: string) => mayFetchDocument(ctx, id),
    allowClient: async (ctx: Context, { clientId }: { readonly clientId: string }) => {
      await keepValidDocument(ctx, clientId);
      return true;
    },
  },
  resourceIndicators: {
    enabled: true,
    defaultResource: async () => {
      throw new errors.InvalidTarget(`State the parameter resource=${ownAudience()} exactly once (RFC 8707).`);
    },
    getResourceServerInfo: async (_ctx: Context, resource: string) => {
      if (resource !== ownAudience())
        throw new errors.InvalidTarget(`This server issues tokens only for the resource ${ownAudience()}.`);
      return resourceServer();
    },
  },
};

/** The requests that have fetched a client document. */
const fetchedBy = new WeakSet<Context>();

/**
 * Allows one fetch of a client document per request. oidc-provider looks the client up again to render an error, so it
 * would fetch a failing document twice.
 */
function mayFetchDocument(ctx: Context, id: string): boolean {
  // A client identifier URL has a path component (draft-ietf-oauth-client-id-metadata-document).
  if (new URL(id).pathname === "/" || fetchedBy.has(ctx)) return false;
  fetchedBy.add(ctx);
  return true;
}

/** Stores the connection request. Returns the path of the app's page on which the person answers it. */
async function saveRequest(ctx: Context, { uid, params }: Interaction): Promise<string> {
  const { client, requestParamScopes } = ctx.oidc;
  await saveConnectionRequest(uid, {
    client: client.clientId,
    clientName: client.clientName ?? "",
    clientHost: client.clientIdMetadataDocument === true ? new URL(client.clientId).host : null,
    isSelfRegistered: client.clientId.startsWith(SELF_REGISTERED),
    redirectUri: params["redirect_uri"] ?? "",
    scopes: [...requestParamScopes],
  });
  return `/connect/${uid}`;
}
