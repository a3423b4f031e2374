import type { ClientBase } from "pg";
import { env } from "@/lib/env";

/**
 * The database address of the running app. With DATABASE_APP_URL the login itself is the restricted role, so an injected
 * `RESET ROLE` gains no rights.
 */
export function appDatabaseUrl(): string {
  return env.DATABASE_APP_URL ?? env.DATABASE_URL;
}

/**
 * Enters the role that may add to the log but not change it (the function grant_app_role in prisma/migrations), if the role exists and the
 * user is a member. Otherwise the connection keeps its user's rights.
 */
const ENTER = `SELECT set_config('role', rolname, false) FROM pg_roles
  WHERE rolname = 'quartermaster_app' AND pg_has_role(session_user, oid, 'MEMBER')`;

/** Prepares each new connection of the app. @throws when the user is a member but may not enter the role */
export async function enterAppRole(client: ClientBase): Promise<void> {
  await client.query(ENTER);
}
