import { db } from "@/lib/store/db/database";
import type { Prisma } from "@/lib/store/generated/client";

/** Milliseconds after its fetch for which a client document serves when its host does not answer. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** The most kept documents of clients without a connection. Anybody may name the address of one, and each has up to 16 KiB. */
const MAX_UNCONNECTED = 1_000;

/**
 * Keeps the last good document of a client. Beyond `MAX_UNCONNECTED`, the oldest of the clients without a connection goes, so
 * that strangers push out only strangers.
 */
export async function keepClientDocument(id: string, document: object, now = new Date()): Promise<void> {
  const row = { document: document as Prisma.InputJsonObject, fetchedAt: now };
  await db().clientDocument.upsert({ where: { id }, create: { id, ...row }, update: row });
  await db().$executeRaw`
    DELETE FROM client_document WHERE id IN (
      SELECT id FROM client_document
      WHERE NOT EXISTS (SELECT FROM connection WHERE connection.client = client_document.id)
      ORDER BY "fetchedAt" DESC, id OFFSET ${MAX_UNCONNECTED} FOR UPDATE SKIP LOCKED)`;
}

/** The last good document of a client, at most 24 hours old; `null` = there is none. */
export async function lastClientDocument(id: string, now = new Date()): Promise<object | null> {
  const row = await db().clientDocument.findUnique({ where: { id } });
  return row === null || row.fetchedAt.getTime() + KEPT_MS <= now.getTime() ? null : (row.document as object);
}

/** Deletes documents that are too old to serve. */
export async function sweepClientDocuments(now = new Date()): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS);
  await db().clientDocument.deleteMany({ where: { fetchedAt: { lte: before } } });
}
