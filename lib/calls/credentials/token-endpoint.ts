import { z } from "zod";
import { fromJson } from "@/lib/access/model/json";
import { AppError } from "@/lib/errors";
import type { Outbound } from "@/lib/outbound/fetch";

/** A token as its issuer gave it. */
export interface AccessToken {
  readonly value: string;
  /** The end of its use in epoch milliseconds, a margin before its expiry. */
  readonly usableUntil: number;
}

/** One request to a token endpoint: our client credentials there, and the grant's parameters. */
interface TokenRequest {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Milliseconds. */
const TIMEOUT_MS = 10_000;
/** How long before its expiry a token is no longer used: requests take time, and clocks differ. */
const MARGIN_MS = 30_000;
/** How long one without `expires_in` is used, or with the `null` that some servers write for "unknown". */
const UNSTATED_SECONDS = 60;
const MAX_BYTES = 64 * 1024;

/** RFC 6749, 5.1. A type that is not Bearer would have to be sent in a way that we do not know. */
const answer = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,16384}$/),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.coerce
    .number()
    .positive()
    .max(10 * 365 * 24 * 3600)
    .nullish()
    .transform((stated) => stated ?? UNSTATED_SECONDS),
});

/** RFC 6749, 5.2 and RFC 8693, 2.2.2: messages may contain these codes only; any other text might repeat what was sent. */
const refusal = z.object({
  error: z.enum([
    "invalid_request",
    "invalid_client",
    "invalid_grant",
    "invalid_scope",
    "invalid_target",
    "unauthorized_client",
    "unsupported_grant_type",
  ]),
});

/**
 * Requests a token from a token endpoint, as a confidential client with HTTP Basic (RFC 6749, 2.3.1 and 3.2).
 *
 * @throws AppError `upstream_auth_failed`, saying which endpoint and why, without anything that was sent
 */
export async function requestToken(request: TokenRequest, send: Outbound, now: () => number): Promise<AccessToken> {
  const { tokenUrl, clientId, clientSecret, parameters } = request;
  const { host } = new URL(tokenUrl);
  const sentAt = now();
  const { status, body } = await send({
    url: tokenUrl,
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
    credentials: { authorization: clientBasic(clientId, clientSecret) },
    body: new URLSearchParams(parameters).toString(),
    totalMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  }).catch((cause: unknown) => {
    const why = cause instanceof AppError ? cause.message : "It could not be reached.";
    throw new AppError("upstream_auth_failed", `No token from ${host}: ${why}`, { cause });
  });
  const json = fromJson(body);
  const token = answer.safeParse(json);
  if (status === 200 && token.success)
    return {
      value: token.data.access_token,
      usableUntil: sentAt + token.data.expires_in * 1000 - MARGIN_MS,
    };
  const refused = refusal.safeParse(json);
  const why = refused.success ? `\`${refused.data.error}\` (${status})` : `it answered ${status} and no Bearer token`;
  throw new AppError("upstream_auth_failed", `No token from ${host}: ${why}.`);
}

/** HTTP Basic (RFC 7617) in UTF-8. */
export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

/** HTTP Basic of an OAuth client (RFC 6749, 2.3.1): only what must be is encoded, because some servers do not decode. */
export function clientBasic(clientId: string, secret: string): string {
  return basicAuthorization(formEncoded(clientId), formEncoded(secret));
}

/** RFC 6749, appendix B. */
function formEncoded(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice(2);
}
