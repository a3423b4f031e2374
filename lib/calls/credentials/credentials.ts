import { createHash } from "node:crypto";
import { singleton } from "@/lib/process/singleton";
import type { Caller } from "@/lib/auth/agents/caller";
import { AppError } from "@/lib/errors";
import { outbound, type Outbound } from "@/lib/outbound/fetch";
import { isForbiddenHeader } from "@/lib/outbound/forbidden-headers";
import type { SourceRow } from "@/lib/resources/source";
import { readSecretValue, type UsableSecret } from "@/lib/store/config/secrets";
import { linkedToken } from "@/lib/calls/linked-accounts/linked-token";
import { originExcluded } from "@/lib/calls/credentials/origin-excluded";
import { tokenCache, type TokenCache } from "@/lib/calls/credentials/token-cache";
import { basicAuthorization, requestToken } from "@/lib/calls/credentials/token-endpoint";

/** The credentials of one request to an upstream. They must not appear in any answer, log or message. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  /** A query parameter. It replaces every parameter of that name in the URL. */
  readonly query: readonly [name: string, value: string] | null;
  /** Texts that must be masked in every answer and message. */
  readonly hidden: readonly string[];
  /** The access token, which can be renewed after a 401; `null` for credentials that do not change. */
  readonly token: string | null;
}

/** The facts of a call that determine its credentials. */
export interface CredentialRequest {
  readonly source: Pick<SourceRow, "name" | "auth">;
  readonly caller: Pick<Caller, "credential" | "bearer" | "principal">;
  /** The URL of the request. */
  readonly url: string;
}

/** Creates the credentials of calls. A process has one store, because the store caches tokens. */
export interface CredentialStore {
  /**
   * @param refused the token that the upstream has just refused, so that the store renews it
   * @throws AppError `upstream_auth_failed`, `authorization_needed`, `config_unavailable`
   */
  of(request: CredentialRequest, refused?: string): Promise<Credentials>;
}

type Auth = SourceRow["auth"];
type OAuth = Extract<Auth, { mode: "client_credentials" | "token_exchange" }>;

/** The credentials of a source that needs none. */
export const NO_CREDENTIALS: Credentials = { headers: {}, query: null, hidden: [], token: null };

/** RFC 8693, 2.1 and 3. */
const EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";

/** The credential store of the process. */
export const sharedCredentials = singleton("Credentials", () => credentialStore(outbound, Date.now));

/** Makes a credential store (docs/reference/execution.md#credentials); `now` in epoch milliseconds. */
export function credentialStore(send: Outbound, now: () => number): CredentialStore {
  const tokens = tokenCache(now);
  return {
    async of({ source, caller, url }, refused) {
      const { auth } = source;
      if (auth.mode === "none") return NO_CREDENTIALS;
      if (auth.mode === "user") {
        const { token, hidden } = await linkedToken({ caller, source: source.name, url, refused }, send, now);
        return { ...inHeader("authorization", `Bearer ${token}`, hidden), token };
      }
      const secret = await readSecretValue(auth.secret);
      requireOrigin(auth.secret, secret, url);
      switch (auth.mode) {
        case "api_key":
          return auth.in === "query"
            ? { ...NO_CREDENTIALS, query: [auth.name, secret.value], hidden: [secret.value] }
            : inHeader(auth.name, secret.value, [secret.value]);
        case "basic": {
          const header = basicAuthorization(auth.username, secret.value);
          return inHeader("authorization", header, [secret.value, header.slice("Basic ".length)]);
        }
        case "bearer":
          return inHeader("authorization", `Bearer ${secret.value}`, [secret.value]);
        case "client_credentials":
        case "token_exchange": {
          requireOrigin(auth.secret, secret, auth.tokenUrl);
          const token = await tokenOf({ auth, source, caller, secret, refused }, tokens, send, now);
          return { ...inHeader("authorization", `Bearer ${token}`, [secret.value, token]), token };
        }
      }
    },
  };
}

interface TokenRequest {
  readonly auth: OAuth;
  readonly source: CredentialRequest["source"];
  readonly caller: CredentialRequest["caller"];
  readonly secret: UsableSecret;
  readonly refused: string | undefined;
}

function tokenOf(
  { auth, source, caller, secret, refused }: TokenRequest,
  tokens: TokenCache,
  send: Outbound,
  now: () => number,
): Promise<string> {
  const { tokenUrl, clientId, scope } = auth;
  const parameters = {
    ...(auth.mode === "client_credentials" ? { grant_type: "client_credentials" } : exchangeOf(auth, source, caller)),
    ...(scope !== "" && { scope }),
  };
  const request = { tokenUrl, clientId, clientSecret: secret.value, parameters };
  // The key contains everything that the token depends on, so a change of the source never finds an older token.
  const key = createHash("sha256")
    .update(JSON.stringify([source.name, request]))
    .digest("hex");
  return tokens.get(key, () => requestToken(request, send, now), refused);
}

/** The parameters of a token exchange. The caller's token is sent to the token endpoint and nowhere else. */
function exchangeOf(
  { audience }: Extract<Auth, { mode: "token_exchange" }>,
  { name }: CredentialRequest["source"],
  { credential, bearer }: CredentialRequest["caller"],
): Record<string, string> {
  if (credential.kind !== "jwt" || bearer === "")
    throw new AppError(
      "upstream_auth_failed",
      `The source \`${name}\` uses token exchange, and this caller has no token to exchange: call with a token of an issuer.`,
    );
  return {
    grant_type: EXCHANGE,
    subject_token: bearer,
    subject_token_type: ACCESS_TOKEN,
    requested_token_type: ACCESS_TOKEN,
    audience,
  };
}

/** Refuses other origins, because a person who may edit sources and tools must not send a secret to a host of their choice. */
function requireOrigin(name: string, { origins }: UsableSecret, url: string): void {
  const { origin } = new URL(url);
  if (!origins.includes(origin))
    throw originExcluded(
      url,
      `The secret \`${name}\` may not be sent to ${origin}: an administrator can add this origin to the secret.`,
    );
}

/** Like arguments, credentials may not set headers that control the request. These two headers are the exceptions. */
const MADE_FOR_CREDENTIALS: ReadonlySet<string> = new Set(["authorization", "cookie"]);

function inHeader(name: string, value: string, hidden: readonly string[]): Credentials {
  // RFC 9110, 5.5. Other characters would break the request, or the upstream would misread them.
  if (!/^[\x20-\x7e]+$/.test(value))
    throw new AppError("upstream_auth_failed", "The secret contains characters that a request header cannot carry.");
  const header = name.toLowerCase();
  if (isForbiddenHeader(header) && !MADE_FOR_CREDENTIALS.has(header))
    throw new AppError("upstream_auth_failed", `The header \`${name}\` cannot carry a key.`);
  return { ...NO_CREDENTIALS, headers: { [header]: value }, hidden };
}
