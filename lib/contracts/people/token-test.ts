import { z } from "zod";
import { jsonObject, slug } from "@/lib/resources/parts/name";

/** The checks of an agent's token, in order (docs/reference/promises.md#tokens). */
export const TOKEN_CHECKS = [
  "form",
  "ownKeys",
  "issuer",
  "algorithm",
  "type",
  "key",
  "signature",
  "audience",
  "expiry",
  "notBefore",
  "issuedAt",
  "subject",
  "tokenId",
  "purpose",
  "claims",
  "revocation",
  "agent",
] as const;

/** One check of a token. */
export type TokenCheck = (typeof TOKEN_CHECKS)[number];

/** `POST /api/admin/issuers/{name}/test`: a token to check. The app neither stores nor logs it. */
export const tokenTestInput = z.strictObject({
  token: z.string().trim().min(1, "paste a token").max(20_000, "a token is at most 16 KiB"),
});

/** The verdict on a token, check by check, as the agent API would reach it. */
export const tokenTestOutput = z.object({
  accepted: z.boolean(),
  /** The issuer (its row's name) that the token belongs to, whichever issuer the request names; `null` = none. */
  issuer: slug.nullable(),
  checks: z.array(
    z.object({
      check: z.enum(TOKEN_CHECKS),
      /** `skipped`: an earlier check failed, so this check never runs. */
      verdict: z.enum(["passed", "failed", "skipped"]),
      /** The finding; for a failed check, why the token is refused. */
      says: z.string(),
    }),
  ),
  /** For an accepted token: the claims that policies read, redacted as in the log. */
  claims: jsonObject.nullable(),
  /** When the token expires; `null` for a refused one. */
  expiresAt: z.iso.datetime().nullable(),
  /** For a token of a connection: what it stands for at present; `null` for any other. */
  connection: z
    .object({
      id: z.string(),
      person: z.string(),
      role: z.string(),
      groups: z.array(z.string()),
      client: z.string(),
      clientName: z.string(),
      agent: z.string(),
      scopes: z.array(z.string()),
    })
    .nullable(),
  /** The registered agent that the token's subject is bound to. */
  agent: slug.nullable(),
  /** Capabilities from the issuer's claim, unless the agent's persona sets them. */
  capabilities: z.array(z.string()),
});

/** The verdict on a token. */
export type TokenTestOutput = z.output<typeof tokenTestOutput>;
