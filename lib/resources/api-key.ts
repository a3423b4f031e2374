import { z } from "zod";
import { instant, meta, slug } from "@/lib/resources/parts/name";

/** Default lifetime of a key, in days (docs/reference/promises.md#api-keys). */
export const DEFAULT_KEY_DAYS = 90;

/** A new key as an admin writes it. The server creates the secret and shows it once. */
export const apiKeyInput = z.strictObject({
  name: slug,
  agent: slug,
  /** `null` = 90 days from now. */
  expiresAt: instant.nullable().default(null),
  enabled: z.boolean().default(true),
});

/** A stored key, without its secret: only the prefix and the last four characters. */
export const apiKeyRow = z.object({
  name: slug,
  agent: slug,
  expiresAt: z.iso.datetime(),
  enabled: z.boolean(),
  keyId: z.string(),
  lastFour: z.string(),
  lastUsedAt: z.iso.datetime().nullable(),
  /**
   * The key that the last rotation replaced, and the end of its overlap with the new key; `null` when no key overlaps.
   */
  previousKeyId: z.string().nullable(),
  previousLastFour: z.string().nullable(),
  previousUntil: z.iso.datetime().nullable(),
  ...meta,
});

/** The answer of `POST`: the row and, only this once, the key. */
export const apiKeyCreated = apiKeyRow.extend({ key: z.string() });

/** The longest overlap of a rotation, in hours. */
const MAX_OVERLAP_HOURS = 168;

/** `POST /api/admin/api-keys/{name}/rotate`: creates a new secret under the same name. */
export const apiKeyRotation = z.strictObject({
  /** Hours for which the replaced key stays valid; 0 = refused at once. */
  overlapHours: z.number().min(0).max(MAX_OVERLAP_HOURS).default(24),
  /** When the new key expires; `null` = 90 days from now. */
  expiresAt: instant.nullable().default(null),
});

/** A rotation, normalised. */
export type ApiKeyRotation = z.output<typeof apiKeyRotation>;
/** A key's input, normalised. */
export type ApiKeyInput = z.output<typeof apiKeyInput>;
/** A key without its secret. */
export type ApiKeyRow = z.output<typeof apiKeyRow>;
