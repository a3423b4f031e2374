import { z } from "zod";
import { jsonObject, slug } from "@/lib/resources/parts/name";

/** The checks that a token passes at the agents' door, in their order (docs/reference/promises.md#tokens). */
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

/** `POST /api/admin/issuers/{name}/test`: a token to look at. It is neither stored nor logged. */
export const tokenTestInput = z.strictObject({
  token: z.string().trim().min(1, "paste a token").max(20_000, "a token is at most 16 KiB"),
});

/** What the agents' door would say to a token, check by check. */
export const tokenTestOutput = z.object({
  accepted: z.boolean(),
  /** The issuer (its row's name) that the token belongs to, whichever the test was asked of; `null` = none. */
  issuer: slug.nullable(),
  checks: z.array(
    z.object({
      check: z.enum(TOKEN_CHECKS),
      /** `skipped`: a check before it failed, so the door never came to it. */
      verdict: z.enum(["passed", "failed", "skipped"]),
      /** What was found, and for a failed check why it is refused. */
      says: z.string(),
    }),
  ),
  /** Of an accepted token: the claims that policies read, secrets redacted as in the log. */
  claims: jsonObject.nullable(),
  /** The registered agent that its subject is bound to. */
  agent: slug.nullable(),
  /** Capabilities that the issuer's claim grants, unless the agent's persona decides them. */
  capabilities: z.array(z.string()),
});

/** What the agents' door would say to a token. */
export type TokenTestOutput = z.output<typeof tokenTestOutput>;
