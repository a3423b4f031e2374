import { randomUUID } from "node:crypto";
import { MAX_COUNTED, toTotal, type Page } from "@/lib/contracts/changes/list";
import { clientLabel } from "@/lib/contracts/people/client-label";
import type { ConnectionRow } from "@/lib/contracts/people/connection";
import { AppError } from "@/lib/errors";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { toStored } from "@/lib/store/config/tables";
import { actorOf, findUser } from "@/lib/store/config/users";
import type { Stored } from "@/lib/store/config/values";
import { db } from "@/lib/store/db/database";
import { noteUse } from "@/lib/store/keys/last-used";
import { write, type Actor } from "@/lib/store/save/write";

// A connection is a person's consent that a client acts as an agent. Its id is the grant id in tokens: deleting it ends its
// access tokens from that revision on.

/** The actor when the authorization server ends a connection. */
const SERVER: Actor = { kind: "system", name: "authorization server", role: "admin" };

/** What a person consents to. */
interface Consent {
  /** The person's id. */
  readonly person: string;
  readonly client: string;
  readonly clientName: string;
  readonly agent: string;
  readonly scopes: readonly string[];
}

/** Creates the connection, or replaces the scopes and the client's name of the existing one. Returns its id. @throws AppError */
export async function saveConnection(actor: Actor, consent: Consent): Promise<string> {
  const written = { id: "" };
  await write(actor, async (stored) => {
    const { person, client, agent } = consent;
    const [known] = await stored.matching("connections", { person, client, agent });
    written.id = known ?? randomUUID();
    const after = { ...consent, scopes: [...consent.scopes], id: written.id };
    return known === undefined
      ? [{ resource: "connections", action: "create", after }]
      : [{ resource: "connections", action: "update", id: known, after }];
  });
  return written.id;
}

/** The connection with this id; `null` when it has ended. */
export async function findConnection(id: string): Promise<Stored<"connections"> | null> {
  const row = await db().connection.findUnique({ where: { id } });
  return row === null ? null : toStored("connections", row);
}

/** A person's connections, the newest first. */
export async function connectionsOf(person: string): Promise<Stored<"connections">[]> {
  const rows = await db().connection.findMany({ where: { person }, orderBy: { createdAt: "desc" } });
  return rows.map((row) => toStored("connections", row));
}

/** A page of connections with the names of their people, the newest first. */
export async function listConnections(
  where: { readonly person?: string },
  { limit, cursor = "0" }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<Omit<ConnectionRow, "claims"> & { readonly personId: string }>> {
  const skip = Number(cursor);
  const [rows, counted] = await Promise.all([
    db().connection.findMany({ where, orderBy: [{ createdAt: "desc" }, { id: "asc" }], skip, take: limit + 1 }),
    db().connection.count({ where, take: MAX_COUNTED + 1 }),
  ]);
  const ids = [...new Set(rows.map(({ person }) => person))];
  const people = await db().user.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
  const names = new Map(people.map(({ id, name }) => [id, name]));
  const items = rows.slice(0, limit).map((row) => ({
    id: row.id,
    personId: row.person,
    person: names.get(row.person) ?? null,
    client: row.client,
    clientName: row.clientName,
    agent: row.agent,
    scopes: row.scopes,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  }));
  return { items, nextCursor: rows.length > limit ? String(skip + limit) : null, ...toTotal(counted) };
}

/**
 * Ends a connection with its codes and refresh tokens. Its access tokens end with the revision of this change.
 *
 * @param person the person who must own the connection; `null` = anybody
 * @throws AppError `not_found`
 */
export async function endConnection(actor: Actor, id: string, person: string | null): Promise<void> {
  await write(actor, async (stored) => {
    const row = await stored.get("connections", id);
    if (row === null || (person !== null && row.person !== person))
      throw new AppError("not_found", "There is no such connection.");
    return [{ resource: "connections", action: "delete", id }];
  });
}

/** Why the authorization server ends a connection. Both are actions of the audit trail. */
type ServerEnd = "connections.reused" | "connections.revoked";

/**
 * Ends a connection because its client revoked it or used a code or refresh token twice, and writes that to the audit trail
 * with the names of client and person. Does nothing for a connection that has ended.
 */
export async function endConnectionOfClient(id: string, action: ServerEnd, address: string): Promise<void> {
  const row = await findConnection(id);
  if (row === null) return;
  const person = await findUser(row.person);
  const actor = { kind: "client", name: clientLabel(row), role: "" } as const;
  const target = person === null ? row.person : actorOf(person).name;
  const detail = `acted as ${row.agent}`;
  await write(
    SERVER,
    async (stored) =>
      (await stored.get("connections", id)) === null ? [] : [{ resource: "connections", action: "delete", id }],
    {
      onSaved: async (tx, { changes }) => {
        if (changes.length === 0) return;
        await recordAuditEvent({ actor, action, target, requestId: null, address, detail }, tx);
      },
    },
  );
}

/** The actor when connections end because the OpenID provider refuses their person. */
const PROVIDER: Actor = { kind: "system", name: "OpenID sign-in", role: "admin" };

/** Ends every connection of a person whom the OpenID provider refuses. */
export async function endConnectionsOf(person: string): Promise<void> {
  await write(
    PROVIDER,
    async (stored) => {
      const ids = await stored.matching("connections", { person });
      return ids.map((id) => ({ resource: "connections", action: "delete", id }));
    },
    {
      onSaved: async (tx) =>
        void (await tx.oAuthRow.deleteMany({ where: { payload: { path: ["accountId"], equals: person } } })),
    },
  );
}

/** Notes that the client of a connection received a token. */
export function touchConnection(id: string): void {
  noteUse(`connection ${id}`, (lastUsedAt) => db().connection.updateMany({ where: { id }, data: { lastUsedAt } }));
}
