import { db } from "@/lib/store/db/database";
import type { Prisma } from "@/lib/store/generated/client";
import { translateErrors } from "@/lib/store/db/translate";

/** Milliseconds for which a client document serves when its host does not answer. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** The most kept documents. Anybody may name the address of one, and each has up to 16 KiB. */
const MAX_KEPT = 1_000;

/** Keeps the last good document of a client, while there is room for one more. */
export async function keepClientDocument(id: string, document: object, now = new Date()): Promise<void> {
  const row = { document: document as Prisma.InputJsonObject, fetchedAt: now };
  const others = await translateErrors(() => db().clientDocument.count({ where: { id: { not: id } }, take: MAX_KEPT }));
  if (others >= MAX_KEPT) return;
  await translateErrors(() => db().clientDocument.upsert({ where: { id }, create: { id, ...row }, update: row }));
}

/** The last good document of a client, at most 24 hours old; `null` = there is none. */
export async function lastClientDocument(id: string, now = new Date()): Promise<object | null> {
  const row = await translateErrors(() => db().clientDocument.findUnique({ where: { id } }));
  return row === null || row.fetchedAt.getTime() + KEPT_MS <= now.getTime() ? null : (row.document as object);
}

/** Deletes documents that are too old to serve. */
export async function sweepClientDocuments(now = new Date()): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS);
  await translateErrors(() => db().clientDocument.deleteMany({ where: { fetchedAt: { lte: before } } }));
}
