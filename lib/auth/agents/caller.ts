import type { JsonObject } from "@/lib/access/model/configuration";
import type { AgentRow } from "@/lib/resources/agent";
import type { SignIn } from "@/lib/store/snapshot/build";
import type { IssuerRow } from "@/lib/resources/issuer";

/** The caller of an agent route (docs/reference/http.md#authentication). */
export interface Caller {
  /** The claims that policies read: the token's own, or the agent's attributes with `sub` and `iss`. */
  readonly claims: JsonObject;
  /** For a token of ours: its own claims. `claims` are computed from them again when the configuration has changed. */
  readonly tokenClaims?: JsonObject;
  /** The registered agent; `null` for a subject that only its claims describe. */
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
    /** No credential: a person tries a tool as this caller, or reads a source. `person`: their id; `null` for a token. */
    | { readonly kind: "trial"; readonly person: string | null };
  /** The credential itself, for token exchange only. Never logged and never sent upstream. */
  readonly bearer: string;
  /** The revision under which the credential was accepted. Under another one, the caller is authenticated again. */
  readonly revision: number;
}

/** The configuration that authentication reads: rows of one revision, by name. */
export interface Registry {
  readonly revision: number;
  readonly issuers: ReadonlyMap<string, IssuerRow>;
  readonly agents: ReadonlyMap<string, AgentRow>;
  /** The end of each revocation (ISO 8601), by `tokenKey`. */
  readonly revocations: ReadonlyMap<string, string>;
  /** Keys, connections and people of our own authorization server; absent or `null` = no token of ours is valid. */
  readonly signIn?: SignIn | null;
}
