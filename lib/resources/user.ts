import { z } from "zod";
import { meta, slug } from "@/lib/resources/parts/name";
import { ROLES } from "@/lib/resources/permissions";

/** A person's sign-in name: an e-mail address in lower case, possibly local (`admin@localhost`). */
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(320)
  .regex(/^[^\s\p{C}@]+@[^\s\p{C}@]+$/u, "use an e-mail address, such as ada@example.com");

/**
 * A person who may sign in and act with `role`. The server creates the password. For a person who signs in with OpenID
 * Connect, the provider sets e-mail, display name and role: they cannot change here.
 */
export const userInput = z.strictObject({
  name: slug,
  email,
  displayName: z.string().trim().max(200).default(""),
  role: z.enum(ROLES),
  enabled: z.boolean().default(true),
});

/** A stored user, without the password or its hash. */
export const userRow = z.object({
  name: slug,
  email: z.string(),
  displayName: z.string(),
  role: z.enum(ROLES),
  enabled: z.boolean(),
  /** `iss` and `sub` of a person who signs in with OpenID Connect; both null = signs in with a password. */
  issuer: z.string().nullable(),
  subject: z.string().nullable(),
  /** The groups that the OpenID provider stated at the last sign-in or check. */
  groups: z.array(z.string()),
  lastSignInAt: z.iso.datetime().nullable(),
  ...meta,
});

/** The answer of `POST`: the row and, only this once, the initial password. */
export const userCreated = userRow.extend({ password: z.string() });

/** A user's input, normalised. */
export type UserInput = z.output<typeof userInput>;
/** A stored user. */
export type UserRow = z.output<typeof userRow>;
