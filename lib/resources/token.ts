import { z } from "zod";
import { ROLES } from "@/lib/resources/permissions";
import { instant, meta, slug } from "@/lib/resources/parts/name";

/** How long an access token can work after it was made, in days. */
export const MAX_TOKEN_DAYS = 366;

/**
 * A personal access token for automation: it acts with `role`, or with its maker's present role where that may do less. It
 * is refused where neither role may do less: a token of an editor for an auditor's reads, and the other way round.
 */
export const tokenInput = z.strictObject({
  name: slug,
  role: z.enum(ROLES),
  /** `null` = 90 days from now; at most a year after the token was made. */
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

/** What `POST` answers: the row and, this once, the token. */
export const tokenCreated = tokenRow.extend({ token: z.string() });

/** A token's input, normalised. */
export type TokenInput = z.output<typeof tokenInput>;
/** A token without its secret. */
export type TokenRow = z.output<typeof tokenRow>;
