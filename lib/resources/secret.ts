import { z } from "zod";
import { pageOf } from "@/lib/contracts/changes/list";
import { slug } from "@/lib/resources/parts/name";
import { origin } from "@/lib/resources/parts/origin";

/**
 * The value: one line, since no header holds two. Shorter than four characters, it could not be told apart from
 * innocent text where it must be masked.
 */
const secretValue = z
  .string()
  .min(4, "use at least 4 characters")
  .max(8192)
  .regex(/^[^\p{Cc}\p{Surrogate}]*$/u, "holds a line break or another control character: paste the secret alone");

/**
 * `PUT /api/admin/secrets/{name}`: sets a secret, or for a known one without `value` only where it may go.
 * `origins` are all that it, or a token got with it, is sent to: whoever may write tools cannot send it elsewhere.
 */
export const secretInput = z.strictObject({
  value: secretValue.optional(),
  origins: z.array(origin).min(1, "name an origin that it may be sent to").max(20),
});

/** A stored secret, never its value. */
export const secretRow = z.object({
  name: slug,
  origins: z.array(z.string()),
  /** Names of the sources that use it. */
  usedBy: z.array(z.string()),
  setAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  /** Whether the present master key, or one before it, opens it; else it must be set again. */
  readable: z.boolean(),
});

/** `GET /api/admin/secrets`. */
export const secretPage = pageOf(secretRow);

/** A secret to set. */
export type SecretInput = z.output<typeof secretInput>;
/** What is told of a secret. */
export type SecretRow = z.output<typeof secretRow>;
