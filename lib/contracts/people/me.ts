import { z } from "zod";
import { PERMISSIONS, ROLES, type Permission } from "@/lib/resources/permissions";

/** `GET /api/admin/me`: who is signed in, and what this role may do. */
export const me = z.object({
  kind: z.enum(["user", "token", "system"]),
  name: z.string(),
  userName: z.string(),
  role: z.enum(ROLES),
  permissions: z.array(z.enum(Object.keys(PERMISSIONS) as [Permission, ...Permission[]])),
});

/** Who is signed in. */
export type Me = z.output<typeof me>;
