import type { ClientBase } from "pg";

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
