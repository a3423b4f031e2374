import { publicOrigin } from "@/lib/env";
import { db } from "@/lib/store/db/database";
import type { Principal } from "@/lib/store/calls/sessions";
import { personIdOf } from "@/lib/store/people/person-of";
import type { Actor } from "@/lib/store/save/write";

/**
 * Whether a call is the actor's own (decision 0015). `caller`: the actor signs in with the call's identity, or connected
 * the client that made the call. `agent`: the actor created its agent or received one of its keys. A token counts as its
 * creator, and as that one's creator.
 *
 * @throws AppError `config_unavailable`
 */
export async function ownCall(
  actor: Actor,
  { issuer, subject, agent }: Omit<Principal, "client">,
): Promise<"caller" | "agent" | null> {
  const person = await personIdOf(actor);
  // The subject of a connected client's token is the id of the person who connected it.
  if (person !== null && issuer === publicOrigin() && subject === person) return "caller";
  const names = await namesOf(actor, person);
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

/**
 * The names under which changes may name the actor: its own, those of a token's creators, and every former name and address
 * of the person behind it. A name that another person had before counts as this person's.
 */
async function namesOf(actor: Actor, person: string | null): Promise<string[]> {
  const rows = await db().$queryRaw<{ name: string }[]>`
    WITH RECURSIVE maker(name) AS (
      SELECT ${actor.name}::text
      UNION SELECT token."createdBy" FROM token JOIN maker ON ${actor.kind} = 'token' AND token.name = maker.name
    ), former(name, email) AS (
      SELECT name, email FROM person WHERE id = ${person}::uuid
      UNION SELECT change.before->>'name', change.before->>'email' FROM change JOIN former
        ON change.resource = 'users' AND (change."rowId" = former.name OR change.after->>'name' = former.name)
        WHERE change.before IS NOT NULL
    ) SELECT name FROM maker UNION SELECT name FROM former UNION SELECT email FROM former`;
  return rows.map((row) => row.name);
}
