import type { JsonObject } from "@/lib/access/model/configuration";
import { canonicalText } from "@/lib/access/model/canonical";
import { keyedDigest, seal } from "@/lib/store/keys/cipher";
import { redact } from "@/lib/audit/record/redact";

/** Claims that change with every token and say nothing about the caller (docs/reference/decision.md#cost). */
export const VOLATILE: ReadonlySet<string> = new Set([
  "exp",
  "iat",
  "nbf",
  "jti",
  "auth_time",
  "nonce",
  "session_state",
  "sid",
]);

/** A caller's claims as the log keeps them. */
interface LoggedClaims {
  /** Keyed digest of the claims without the volatile ones, and of the masking rules. */
  readonly digest: string;
  /** The claims without the volatile ones, masked, encrypted and bound to the digest. */
  readonly ciphertext: string;
}

const MAX_REMEMBERED = 2000;
const byDigest = new Map<string, LoggedClaims>();
/** By claims object, with the masking rules: the claims of an API key are one object until its agent changes. */
const byClaims = new WeakMap<JsonObject, readonly [configured: readonly string[], logged: LoggedClaims]>();

/** The logged form of these claims. Encrypted once per digest while it is cached. */
export function toLoggedClaims(claims: JsonObject, configured: readonly string[]): LoggedClaims {
  const known = byClaims.get(claims);
  if (known?.[0] === configured) return known[1];
  const logged = ofDigest(claims, configured);
  byClaims.set(claims, [configured, logged]);
  return logged;
}

function ofDigest(claims: JsonObject, configured: readonly string[]): LoggedClaims {
  const lasting = Object.fromEntries(Object.entries(claims).filter(([name]) => !VOLATILE.has(name)));
  // Claims are stored once per digest. The masking rules are part of it, so that newly masked claims get a new row.
  const digest = keyedDigest("claims", canonicalText([lasting, configured.toSorted()]));
  let logged = byDigest.get(digest);
  if (logged === undefined) {
    logged = { digest, ciphertext: seal("claims", JSON.stringify(redact(lasting, configured)), digest) };
    if (byDigest.size >= MAX_REMEMBERED) byDigest.clear();
    byDigest.set(digest, logged);
  }
  return logged;
}
