import { z } from "zod";
import { ROLES } from "@/lib/resources/permissions";
import { instant, meta, slug } from "@/lib/resources/parts/name";

/** Maximum lifetime of an access token, in days. */
export const MAX_TOKEN_DAYS = 366;

/**
 * A personal access token for automation. It acts with the lesser of `role` and its creator's present role.
 * It is refused when neither role includes the other: an editor's token for an auditor's reads, and the reverse.
 */
export const tokenInput = z.strictObject({
  name: slug,
  role: z.enum(ROLES),
  /** `null` = 90 days from now; at most one year after creation. */
  expiresAt: instant.nullable().default(null),
  enabled: z.boolean().default(true),
});

/** A stored token without its secret. */
export const tokenRow = z.object({
  name: slug,
  role: z.enum(ROLES),
  expiresAt: z.iso.datetime(),
  enabled: z.boolean(),
  lastFour: z.string(),
  lastUsedAt: z.iso.datetime().nullable(),
  createdBy: z.string(),
  ...meta,
});

/** The answer of `POST`: the row and, only this once, the token. */
export const tokenCreated = tokenRow.extend({ token: z.string() });

/** A token's input, normalised. */
export type TokenInput = z.output<typeof tokenInput>;
/** A token without its secret. */
export type TokenRow = z.output<typeof tokenRow>;
