import { networkOf } from "@/lib/access/model/addresses";
import { flawOfText } from "@/lib/access/model/storable";
import { MAX_COUNTED, toTotal, type Page } from "@/lib/contracts/changes/list";
import { clientLabel } from "@/lib/contracts/people/client-label";
import type { RegistrationRow } from "@/lib/contracts/people/client-registration";
import { AppError } from "@/lib/errors";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { db } from "@/lib/store/db/database";
import type { Prisma } from "@/lib/store/generated/client";
import { noteUse } from "@/lib/store/keys/last-used";
import { write, type Actor } from "@/lib/store/save/write";

// Clients that registered themselves (RFC 7591). They are no part of the configuration: anybody can make them, and they
// expire. Their tokens belong to connections, which are.

/** The most registrations of one network address in an hour, and the most stored registrations. */
export const REGISTRATION_LIMITS = { perHour: 20, total: 10_000 } as const;

const HOUR_MS = 60 * 60 * 1000;
/** Milliseconds after which a registration that nobody used is deleted, and one that was used before. */
const NEVER_USED_MS = 24 * HOUR_MS;
const UNUSED_MS = 90 * 24 * HOUR_MS;
/** Most registrations that one run deletes. */
const MAX_DELETED = 500;

/** The client metadata of a registration (RFC 7591, 2). */
type Metadata = Readonly<Record<string, unknown>>;

/**
 * Stores a registration and writes it to the audit trail. Returns false when the address or the installation has too many.
 * Registrations of one address are counted one after another, so that many at once stay within the limit.
 */
export async function saveRegistration(
  id: string,
  metadata: Metadata,
  address: string,
  now = new Date(),
): Promise<boolean> {
  const name = typeof metadata["client_name"] === "string" ? metadata["client_name"] : "";
  const label = clientLabel({ client: id, clientName: name });
  const network = networkOf(address);
  return db().$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('client registration'), hashtext(${network}))`;
    const recent = { address: network, createdAt: { gt: new Date(now.getTime() - HOUR_MS) } };
    if ((await tx.clientRegistration.count({ where: recent })) >= REGISTRATION_LIMITS.perHour) return false;
    if ((await tx.clientRegistration.count()) >= REGISTRATION_LIMITS.total) return false;
    await tx.clientRegistration.create({
      data: { id, name, metadata: metadata as Prisma.InputJsonObject, address: network, createdAt: now },
    });
    const actor = { kind: "client", name: label, role: "" } as const;
    await recordAuditEvent({ actor, action: "clients.registered", target: id, requestId: null, address }, tx, now);
    return true;
  });
}

/** The metadata of a registration; `null` = there is none. */
export async function findRegistration(id: string): Promise<Metadata | null> {
  // Postgres refuses a query with such a text, and anybody may send one.
  if (flawOfText(id) !== null) return null;
  const row = await db().clientRegistration.findUnique({ where: { id } });
  return row === null ? null : (row.metadata as Metadata);
}

/** Notes that a client received a token. A request for consent does not count: anybody can make one. */
export function touchRegistration(id: string): void {
  noteUse(`client ${id}`, (lastUsedAt) => db().clientRegistration.updateMany({ where: { id }, data: { lastUsedAt } }));
}

/** A page of registrations, the newest first. */
export async function listRegistrations({
  limit,
  cursor = "0",
}: {
  readonly limit: number;
  readonly cursor?: string | undefined;
}): Promise<Page<RegistrationRow>> {
  const skip = Number(cursor);
  const [rows, counted] = await Promise.all([
    db().clientRegistration.findMany({
      orderBy: [{ createdAt: "desc" }, { id: "asc" }],
      skip,
      take: limit + 1,
    }),
    db().clientRegistration.count({ take: MAX_COUNTED + 1 }),
  ]);
  const shown = rows.slice(0, limit);
  const connections = await db().connection.groupBy({
    by: ["client"],
    where: { client: { in: shown.map(({ id }) => id) } },
    _count: true,
  });
  const counts = new Map(connections.map(({ client, _count }) => [client, _count]));
  const items = shown.map(({ id, name, metadata, address, createdAt, lastUsedAt }) => ({
    id,
    name,
    redirectUris: redirectUrisOf(metadata as Metadata),
    address,
    connections: counts.get(id) ?? 0,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }));
  return { items, nextCursor: rows.length > limit ? String(skip + limit) : null, ...toTotal(counted) };
}

function redirectUrisOf({ redirect_uris: addresses }: Metadata): string[] {
  return Array.isArray(addresses) ? addresses.map(String) : [];
}

/**
 * Removes a registration and ends its connections, so that its tokens stop with the revision of this change.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function removeRegistration(actor: Actor, id: string): Promise<void> {
  await write(actor, async (stored, tx) => {
    const row = await tx.clientRegistration.findUnique({ where: { id } });
    if (row === null) throw new AppError("not_found", "There is no such client.");
    const ended = await stored.matching("connections", { client: id });
    await tx.clientRegistration.delete({ where: { id } });
    const detail = clientLabel({ client: id, clientName: row.name });
    await recordAuditEvent({ actor, action: "clients.removed", target: id, requestId: null, detail }, tx);
    return ended.map((connection) => ({ resource: "connections", action: "delete", id: connection }));
  });
}

/** Deletes registrations that nobody uses and that have no connection. */
export async function sweepRegistrations(now = new Date()): Promise<void> {
  const never = new Date(now.getTime() - NEVER_USED_MS);
  const unused = new Date(now.getTime() - UNUSED_MS);
  await db().$executeRaw`
    DELETE FROM client_registration WHERE id IN (
      SELECT id FROM client_registration
      WHERE CASE WHEN "lastUsedAt" IS NULL THEN "createdAt" < ${never} ELSE "lastUsedAt" < ${unused} END
        AND NOT EXISTS (SELECT FROM connection WHERE connection.client = client_registration.id)
      ORDER BY "createdAt" LIMIT ${MAX_DELETED})`;
}
