import { publicOrigin } from "@/lib/env";
import { db } from "@/lib/store/db/database";
import type { Principal } from "@/lib/store/calls/sessions";
import { personIdOf } from "@/lib/store/people/person-of";
import type { Actor } from "@/lib/store/save/write";

/** Who made a call. */
type Caller = Omit<Principal, "client">;

/** How a call is the actor's own; `null` = it is another person's. */
type Ownership = "caller" | "agent" | null;

/**
 * Whether a call is the actor's own (decision 0015). `caller`: the actor signs in with the call's identity, or connected
 * the client that made the call. `agent`: the actor created its agent or received one of its keys. A token counts as its
 * creator, and as that one's creator.
 *
 * @throws AppError `config_unavailable`
 */
export async function ownCall(actor: Actor, caller: Caller): Promise<Ownership> {
  const [own = null] = await ownCalls(actor, [caller]);
  return own;
}

/** `ownCall` for calls of several callers, in as many statements as for one. @throws AppError `config_unavailable` */
export async function ownCalls(actor: Actor, callers: readonly Caller[]): Promise<readonly Ownership[]> {
  const person = await personIdOf(actor);
  const names = await namesOf(actor, person);
  const identities = await db().user.findMany({
    where: { name: { in: names } },
    select: { issuer: true, subject: true },
  });
  const isCaller = ({ issuer, subject }: Caller) =>
    // The subject of a connected client's token is the id of the person who connected it.
    (person !== null && issuer === publicOrigin() && subject === person) ||
    identities.some((own) => own.issuer === issuer && own.subject === subject);
  const agents = callers.flatMap((caller) => (caller.agent === null || isCaller(caller) ? [] : [caller.agent]));
  const own = agents.length === 0 ? new Set() : await agentsMadeBy(names, agents);
  return callers.map((caller) => (isCaller(caller) ? "caller" : own.has(caller.agent) ? "agent" : null));
}

/** Those of the agents that a change by one of these names created or renamed, or whose API key it created. */
async function agentsMadeBy(names: readonly string[], agents: readonly string[]): Promise<ReadonlySet<string | null>> {
  const rows = await db().$queryRaw<{ agent: string }[]>`
    SELECT asked.agent FROM unnest(${[...new Set(agents)]}::text[]) AS asked(agent) WHERE EXISTS (
      SELECT 1 FROM change WHERE actor = ANY (${names}) AND (
        (resource = 'agents' AND after->>'name' = asked.agent AND before->>'name' IS DISTINCT FROM after->>'name')
        OR (resource = 'api-keys' AND after->>'agent' = asked.agent
          AND (before->>'agent', before->>'keyId') IS DISTINCT FROM (after->>'agent', after->>'keyId'))))`;
  return new Set(rows.map(({ agent }) => agent));
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
