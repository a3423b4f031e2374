import { z } from "zod";

/** Shortest password that is accepted when one is set, in characters (NIST SP 800-63B). */
export const MIN_PASSWORD_LENGTH = 12;
/** Longest password that is looked at: hashing must not be a way to keep us busy. */
export const MAX_PASSWORD_LENGTH = 1024;

/** Body of `PUT /api/admin/me/password`: a person's own password, which they must know. */
export const passwordChange = z
  .strictObject({
    current: z.string().min(1, "type your present password").max(MAX_PASSWORD_LENGTH),
    next: z
      .string()
      .min(MIN_PASSWORD_LENGTH, `use at least ${MIN_PASSWORD_LENGTH} characters`)
      .max(MAX_PASSWORD_LENGTH, `use at most ${MAX_PASSWORD_LENGTH} characters`),
  })
  .refine(({ current, next }) => current !== next, { path: ["next"], message: "use another one than now" });

/** A person's old and new password. */
export type PasswordChange = z.output<typeof passwordChange>;
