import { db } from "@/lib/store/db/database";
import type { Principal } from "@/lib/store/calls/sessions";
import type { Actor } from "@/lib/store/save/write";

/**
 * Whether a call is the actor's own (decision 0015). `caller`: the actor signs in with the call's identity. `agent`: the
 * actor created its agent or received one of its keys. A token counts as its creator, and as that one's creator.
 *
 * @throws AppError `config_unavailable`
 */
export async function ownCall(
  actor: Actor,
  { issuer, subject, agent }: Omit<Principal, "client">,
): Promise<"caller" | "agent" | null> {
  const names = await namesOf(actor);
  if ((await db().user.count({ where: { issuer, subject, name: { in: names } } })) > 0) return "caller";
  if (agent === null) return null;
  // A change that created the agent or gave it its name, or one that created an API key of the agent.
  const [row] = await db().$queryRaw<{ own: boolean }[]>`
    SELECT EXISTS (
      SELECT 1 FROM change WHERE actor = ANY (${names}) AND (
        (resource = 'agents' AND after->>'name' = ${agent} AND before->>'name' IS DISTINCT FROM after->>'name')
        OR (resource = 'api-keys' AND after->>'agent' = ${agent}
          AND (before->>'agent', before->>'keyId') IS DISTINCT FROM (after->>'agent', after->>'keyId')))
    ) AS own`;
  return row?.own === true ? "agent" : null;
}

/** The actor's name; for a token also the names of its creators. */
async function namesOf({ kind, name }: Actor): Promise<string[]> {
  if (kind !== "token") return [name];
  const rows = await db().$queryRaw<{ name: string }[]>`
    WITH RECURSIVE maker(name) AS (
      SELECT ${name}::text UNION SELECT token."createdBy" FROM token JOIN maker ON token.name = maker.name
    ) SELECT name FROM maker`;
  return rows.map((row) => row.name);
}
