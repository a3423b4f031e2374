import type { JsonObject } from "@/lib/access/model/configuration";
import { parseStrictJson } from "@/lib/auth/agents/strict-json";

/** The unverified header of a token. */
interface TokenHeader {
  readonly alg: string;
  /** Lower case, without `application/`; `jwt` when the token states none (RFC 7519, 5.1). */
  readonly typ: string;
  readonly kid: string | null;
  /** The fields of `KEY_FIELDS` in the header. */
  readonly ownKeys: readonly string[];
}

/** The unverified parts of a token. */
export interface TokenParts extends TokenHeader {
  readonly payload: JsonObject;
}

/** Header fields with which a token brings its own key. They are reported, and never used to verify it. */
const KEY_FIELDS = ["jwk", "jku", "x5c", "x5u"];

/**
 * Parses a compact JWS (RFC 7515, 7.1) strictly: three canonical base64url segments.
 *
 * @throws Error that says what is wrong
 */
export function readTokenParts(token: string): TokenParts {
  const { payload, ...header } = readSegments(token);
  return { ...header, payload: parseStrictJson(payload) };
}

/** Like `readTokenParts`, without parsing the payload. @throws Error that says what is wrong */
export function readSegments(token: string): TokenHeader & { readonly payload: Uint8Array } {
  const [header, payload, signature, ...rest] = token.split(".");
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0)
    throw new Error("not three segments");
  requireBytes(signature);
  const fields = parseStrictJson(requireBytes(header));
  // A recipient must refuse critical extensions that it does not implement (RFC 7515, 4.1.11).
  if ("crit" in fields || "b64" in fields) throw new Error("has `crit` or `b64`, which are not supported");
  const { alg, typ = "jwt", kid = null } = fields;
  if (typeof alg !== "string" || typeof typ !== "string") throw new Error("`alg` or `typ` is not a string");
  if (kid !== null && typeof kid !== "string") throw new Error("`kid` is not a string");
  return {
    alg,
    typ: typ.toLowerCase().replace(/^application\//, ""),
    kid,
    ownKeys: KEY_FIELDS.filter((name) => name in fields),
    payload: requireBytes(payload),
  };
}

/** Refuses padding, stray characters and unused last bits. Decoders ignore them, so one signature would have several texts. */
function requireBytes(segment: string): Uint8Array {
  const bytes = Buffer.from(segment, "base64url");
  if (bytes.byteLength === 0 || bytes.toString("base64url") !== segment) throw new Error("not base64url");
  return bytes;
}
