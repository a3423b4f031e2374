import { z } from "zod";
import { PERMISSIONS, ROLES, type Permission } from "@/lib/resources/permissions";

/** `GET /api/admin/me`: the signed-in person, and the permissions of the role. */
export const me = z.object({
  kind: z.enum(["user", "token", "system"]),
  name: z.string(),
  userName: z.string(),
  role: z.enum(ROLES),
  permissions: z.array(z.enum(Object.keys(PERMISSIONS) as [Permission, ...Permission[]])),
  /** Whether the person signed in within the last 10 minutes, which a change without review requires; no token did. */
  signedInRecently: z.boolean(),
});

/** The signed-in person. */
export type Me = z.output<typeof me>;
