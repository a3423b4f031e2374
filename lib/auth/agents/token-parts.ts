import type { JsonObject } from "@/lib/access/model/configuration";
import { parseStrictJson } from "@/lib/auth/agents/strict-json";

/** The unverified header of a token. */
interface TokenHeader {
  readonly alg: string;
  /** Lower case, without `application/`; `jwt` when the token states none (RFC 7519, 5.1). */
  readonly typ: string;
  readonly kid: string | null;
  /** Header fields that contain or name a key of the token's own. Never used. */
  readonly ownKeys: readonly string[];
}

/** The unverified parts of a token. */
export interface TokenParts extends TokenHeader {
  readonly payload: JsonObject;
}

const OWN_KEYS = ["jwk", "jku", "x5c", "x5u"];

/**
 * Parses a compact JWS (RFC 7515, 7.1) strictly: three canonical base64url segments. Ignores keys that the token itself
 * contains or names (`jwk`, `jku`, `x5c`, `x5u`).
 *
 * @throws Error that says what is wrong
 */
export function readTokenParts(token: string): TokenParts {
  const { payload, ...header } = readSegments(token);
  return { ...header, payload: parseStrictJson(payload) };
}

/** Like `readTokenParts`, for a payload of any bytes. @throws Error that says what is wrong */
export function readSegments(token: string): TokenHeader & { readonly payload: Uint8Array } {
  const [header, payload, signature, ...rest] = token.split(".");
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0)
    throw new Error("not three segments");
  requireBytes(signature);
  const fields = parseStrictJson(requireBytes(header));
  // Critical extensions are not implemented, so they are refused (RFC 7515, 4.1.11).
  if ("crit" in fields || "b64" in fields) throw new Error("demands an extension");
  const { alg, typ = "jwt", kid = null } = fields;
  if (typeof alg !== "string" || typeof typ !== "string") throw new Error("`alg` or `typ` is not text");
  if (kid !== null && typeof kid !== "string") throw new Error("`kid` is not text");
  return {
    alg,
    typ: typ.toLowerCase().replace(/^application\//, ""),
    kid,
    ownKeys: OWN_KEYS.filter((name) => name in fields),
    payload: requireBytes(payload),
  };
}

/** Refuses what decoders accept although signatures do not cover it: padding, stray characters, unused last bits. */
function requireBytes(segment: string): Uint8Array {
  const bytes = Buffer.from(segment, "base64url");
  if (bytes.byteLength === 0 || bytes.toString("base64url") !== segment) throw new Error("not base64url");
  return bytes;
}
