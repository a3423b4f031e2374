import type { ClientBase } from "pg";
import { env } from "@/lib/env";

/**
 * Where every connection that stays is made. Under DATABASE_APP_URL the session's own login is the restricted one: `RESET ROLE`
 * gives a statement that was slipped into one of ours nothing back.
 */
export function appDatabaseUrl(): string {
  return env.DATABASE_APP_URL ?? env.DATABASE_URL;
}

/**
 * Takes on the role that may add to the log and not change it (prisma/migrations, sealed_log), where the database has it
 * and the connection's user is a member; elsewhere the connection stays its user's.
 */
const ENTER = `SELECT set_config('role', rolname, false) FROM pg_roles
  WHERE rolname = 'quartermaster_app' AND pg_has_role(session_user, oid, 'MEMBER')`;

/** What each connection of the app does before anything else. @throws when it may not take on a role that it is a member of */
export async function enterAppRole(client: ClientBase): Promise<void> {
  await client.query(ENTER);
}
