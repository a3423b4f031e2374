import { z } from "zod";

/** The shortest password that can be set, in characters (NIST SP 800-63B). */
export const MIN_PASSWORD_LENGTH = 12;
/** The longest password that is hashed: hashing a huge text must not be a way to overload the server. */
export const MAX_PASSWORD_LENGTH = 1024;

/** Body of `PUT /api/admin/me/password`: changes the person's own password, which they must know. */
export const passwordChange = z
  .strictObject({
    current: z.string().min(1, "enter your current password").max(MAX_PASSWORD_LENGTH),
    next: z
      .string()
      .min(MIN_PASSWORD_LENGTH, `use at least ${MIN_PASSWORD_LENGTH} characters`)
      .max(MAX_PASSWORD_LENGTH, `use at most ${MAX_PASSWORD_LENGTH} characters`),
  })
  .refine(({ current, next }) => current !== next, { path: ["next"], message: "use a new password" });

/** Answer of `POST /api/admin/users/{name}/password`: the new password of another person. */
export const passwordReset = z.object({ password: z.string() });

/** A person's old and new password. */
export type PasswordChange = z.output<typeof passwordChange>;
