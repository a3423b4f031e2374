import { db } from "@/lib/store/db/database";
import type { Principal } from "@/lib/store/calls/sessions";
import { translated } from "@/lib/store/db/translate";
import type { Actor } from "@/lib/store/save/write";

/**
 * Whether a call is someone's own (decision 0015): `caller` = they made it, with the identity that they sign in with;
 * `agent` = they created its agent, or have been shown one of its keys. A token is whoever made it, and whoever made that.
 *
 * @throws AppError `config_unavailable`
 */
export async function ownCall(
  actor: Actor,
  { issuer, subject, agent }: Omit<Principal, "client">,
): Promise<"caller" | "agent" | null> {
  return translated(async () => {
    const names = await namesOf(actor);
    if ((await db().user.count({ where: { issuer, subject, name: { in: names } } })) > 0) return "caller";
    if (agent === null) return null;
    // A change that gave the agent its name, or showed a key of it.
    const [row] = await db().$queryRaw<{ own: boolean }[]>`
      SELECT EXISTS (
        SELECT 1 FROM change WHERE actor = ANY (${names}) AND (
          (resource = 'agents' AND after->>'name' = ${agent} AND before->>'name' IS DISTINCT FROM after->>'name')
          OR (resource = 'api-keys' AND after->>'agent' = ${agent}
            AND (before->>'agent', before->>'keyId') IS DISTINCT FROM (after->>'agent', after->>'keyId')))
      ) AS own`;
    return row?.own === true ? "agent" : null;
  });
}

/** An actor's name; a token's, and those of who made it. */
async function namesOf({ kind, name }: Actor): Promise<string[]> {
  if (kind !== "token") return [name];
  const rows = await db().$queryRaw<{ name: string }[]>`
    WITH RECURSIVE maker(name) AS (
      SELECT ${name}::text UNION SELECT token."createdBy" FROM token JOIN maker ON token.name = maker.name
    ) SELECT name FROM maker`;
  return rows.map((row) => row.name);
}
