import type { JsonObject } from "@/lib/access/model/configuration";
import type { AgentRow } from "@/lib/resources/agent";
import type { IssuerRow } from "@/lib/resources/issuer";

/** The `iss` of callers that come with an API key; no configured issuer may speak under it. */
export const OWN_ISSUER = "quartermaster";

/** Who is calling an agent route (docs/reference/http.md#authentication). */
export interface Caller {
  /** What policies read: the token's claims, or the agent's attributes with `sub` and `iss`. */
  readonly claims: JsonObject;
  /** The registered agent; `null` for a subject that is served by its claims alone. */
  readonly agent: AgentRow | null;
  /** The issuer of a token; `null` for an API key. */
  readonly issuer: IssuerRow | null;
  /** Identity is (issuer, subject, client): `iss` and `sub` as in the claims, and the client that the token names. */
  readonly principal: {
    readonly issuer: string;
    readonly subject: string;
    readonly agent: string | null;
    readonly client: string | null;
  };
  readonly credential:
    | { readonly kind: "api_key"; readonly keyId: string }
    /** `expiresAt` in epoch milliseconds. */
    | { readonly kind: "jwt"; readonly jti: string | null; readonly expiresAt: number }
    /** None: a person tries a tool as this caller. */
    | { readonly kind: "trial" };
  /** The credential itself, for token exchange alone; never logged, never sent upstream. */
  readonly bearer: string;
}

/** The configuration as authentication reads it: rows by name, of one revision. */
export interface Registry {
  readonly issuers: ReadonlyMap<string, IssuerRow>;
  readonly agents: ReadonlyMap<string, AgentRow>;
  /** Revoked tokens: until when (ISO 8601), by `tokenKey`. */
  readonly revocations: ReadonlyMap<string, string>;
}
