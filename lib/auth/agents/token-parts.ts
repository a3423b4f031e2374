import type { JsonObject } from "@/lib/access/model/configuration";
import { parseStrictJson } from "@/lib/auth/agents/strict-json";

/** The header of a token; nothing in it is believed yet. */
export interface TokenHeader {
  readonly alg: string;
  /** Lower case, without `application/`; `jwt` when the token states none (RFC 7519, 5.1). */
  readonly typ: string;
  readonly kid: string | null;
  /** Header fields by which the token would name or bring its own key: present, and never read. */
  readonly ownKeys: readonly string[];
}

/** A token taken apart; nothing in it is believed yet. */
export interface TokenParts extends TokenHeader {
  readonly payload: JsonObject;
}

const OWN_KEYS = ["jwk", "jku", "x5c", "x5u"];

/**
 * Takes a JWS in compact form apart (RFC 7515, 7.1), strictly: three canonical base64url segments. Keys
 * that the token brings or names itself (`jwk`, `jku`, `x5c`, `x5u`) are not even read.
 *
 * @throws Error that says what is wrong
 */
export function readTokenParts(token: string): TokenParts {
  const { payload, ...header } = readSegments(token);
  return { ...header, payload: parseStrictJson(payload) };
}

/** The same for a payload of any bytes. @throws Error that says what is wrong */
export function readSegments(token: string): TokenHeader & { readonly payload: Uint8Array } {
  const [header, payload, signature, ...rest] = token.split(".");
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0)
    throw new Error("not three segments");
  requireBytes(signature);
  const fields = parseStrictJson(requireBytes(header));
  // Whatever a critical extension means, it is not implemented here (RFC 7515, 4.1.11).
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

/** Decoders forgive what signatures do not cover: padding, stray characters, loose last bits. */
function requireBytes(segment: string): Uint8Array {
  const bytes = Buffer.from(segment, "base64url");
  if (bytes.byteLength === 0 || bytes.toString("base64url") !== segment) throw new Error("not base64url");
  return bytes;
}
