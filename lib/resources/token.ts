import { z } from "zod";
import { ROLES } from "@/lib/resources/permissions";
import { instant, meta, slug } from "@/lib/resources/name";

/** A personal access token for automation: it acts with `role`. */
export const tokenInput = z.strictObject({
  name: slug,
  role: z.enum(ROLES),
  /** `null` = 90 days from now. */
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
