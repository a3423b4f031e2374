import { z } from "zod";
import { meta, slug } from "@/lib/resources/parts/name";
import { ROLES } from "@/lib/resources/permissions";

/** What someone signs in with: an e-mail address in lower case, which may be of this machine (`admin@localhost`). */
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(320)
  .regex(/^[^\s\p{C}@]+@[^\s\p{C}@]+$/u, "use an e-mail address, such as ada@example.com");

/**
 * Someone who may sign in and act with `role`. The password is made by the server. Of someone who signs in with
 * OpenID Connect, e-mail, display name and role are the provider's to say and cannot be changed here.
 */
export const userInput = z.strictObject({
  name: slug,
  email,
  displayName: z.string().trim().max(200).default(""),
  role: z.enum(ROLES),
  enabled: z.boolean().default(true),
});

/** A stored user: never a password, nor its hash. */
export const userRow = z.object({
  name: slug,
  email: z.string(),
  displayName: z.string(),
  role: z.enum(ROLES),
  enabled: z.boolean(),
  /** `iss` and `sub` of someone who signs in with OpenID Connect; both null = signs in with a password. */
  issuer: z.string().nullable(),
  subject: z.string().nullable(),
  lastSignInAt: z.iso.datetime().nullable(),
  ...meta,
});

/** What `POST` answers: the row and, this once, the password to begin with. */
export const userCreated = userRow.extend({ password: z.string() });

/** A user's input, normalised. */
export type UserInput = z.output<typeof userInput>;
/** A stored user. */
export type UserRow = z.output<typeof userRow>;
