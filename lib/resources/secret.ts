import { z } from "zod";
import { pageOf } from "@/lib/contracts/changes/list";
import { meta, slug } from "@/lib/resources/parts/name";
import { origin } from "@/lib/resources/parts/origin";

/**
 * The value: one line, because a header holds one line. At least four characters: a shorter value cannot be masked in
 * answers without masking innocent text.
 */
const secretValue = z
  .string()
  .min(4, "use at least 4 characters")
  .max(8192)
  .regex(/^[^\p{Cc}\p{Surrogate}]*$/u, "contains a line break or another control character: paste only the secret");

/**
 * `PUT /api/admin/secrets/{name}`: sets a secret, or without `value` changes where a known secret may be sent. Only
 * `origins` receive the secret or a token obtained with it, so a person who may write tools cannot send it elsewhere.
 */
export const secretInput = z.strictObject({
  value: secretValue.optional(),
  origins: z.array(origin).min(1, "name an origin that the secret may be sent to").max(20),
});

/** A stored secret, never its value. */
export const secretRow = z.object({
  name: slug,
  origins: z.array(z.string()),
  /** Names of the sources that use the secret. */
  usedBy: z.array(z.string()),
  setAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  revision: meta.revision,
  /** Whether the present master key, or an earlier one, decrypts it. If not, it must be set again. */
  readable: z.boolean(),
});

/** `GET /api/admin/secrets`. */
export const secretPage = pageOf(secretRow);

/** A secret to set. */
export type SecretInput = z.output<typeof secretInput>;
/** The public facts of a secret. */
export type SecretRow = z.output<typeof secretRow>;
