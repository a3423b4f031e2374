import { hash } from "node:crypto";
import { db, rowsOf } from "@/lib/store/db/database";
import { Prisma } from "@/lib/store/generated/client";

// The rows of the authorization server that live for minutes or weeks: interactions, codes, refresh tokens, used `jti`s.
// Their ids are credentials, so the table holds only SHA-256 digests of them.

/** What a row of the authorization server holds; a row whose `consumed` is set was redeemed before. */
export type OAuthPayload = Readonly<Record<string, unknown>>;

/** Reads a row that has not expired; `null` = there is none. */
export async function findOAuthRow(model: string, id: string, now = new Date()): Promise<OAuthPayload | null> {
  const row = await db().oAuthRow.findUnique({ where: { id: digestOf(model, id) } });
  if (row === null || row.expiresAt <= now) return null;
  const consumed = row.consumedAt === null ? {} : { consumed: Math.floor(row.consumedAt.getTime() / 1000) };
  return { ...(row.payload as OAuthPayload), jti: id, ...consumed };
}

/**
 * Writes a row. `jti` is left out, because it is the id in plain text.
 *
 * @param seconds how long the row lives
 */
export async function saveOAuthRow(
  model: string,
  id: string,
  payload: OAuthPayload,
  seconds: number,
  client: Pick<Prisma.TransactionClient, "oAuthRow"> = db(),
): Promise<void> {
  const { jti: _id, grantId, ...rest } = payload;
  const connection = typeof grantId === "string" ? grantId : null;
  const kept = { ...rest, ...(connection !== null && { grantId: connection }) } as Prisma.InputJsonObject;
  const expiresAt = new Date(Date.now() + seconds * 1000);
  const row = { model, payload: kept, connection, expiresAt };
  const where = { id: digestOf(model, id) };
  await client.oAuthRow.upsert({ where, create: { ...where, ...row }, update: row });
}

/** Writes a row that may exist only once, such as a used `jti`. Returns false when it exists. */
export async function insertOAuthRow(model: string, id: string, seconds: number): Promise<boolean> {
  const expiresAt = new Date(Date.now() + seconds * 1000);
  // Without Prisma's engine, because each token of a client with a key writes such a row.
  const inserted = await rowsOf(Prisma.sql`
    INSERT INTO oauth_row (id, model, payload, "expiresAt") VALUES (${digestOf(model, id)}, ${model}, '{}', ${expiresAt})
    ON CONFLICT DO NOTHING RETURNING id`);
  return inserted.length === 1;
}

/** Marks a row as redeemed. Of several requests at once, exactly one gets the time; the others get `null`. */
export async function consumeOAuthRow(model: string, id: string): Promise<Date | null> {
  const where = { id: digestOf(model, id), consumedAt: null };
  const consumedAt = new Date();
  const { count } = await db().oAuthRow.updateMany({ where, data: { consumedAt } });
  return count === 1 ? consumedAt : null;
}

/** The id of a row in plain text. */
export interface OAuthRowKey {
  readonly model: string;
  readonly id: string;
}

/**
 * Makes a redeemed row redeemable again, and deletes the rows that its redemption issued. A later redemption stays, so the
 * undo may be repeated.
 */
export async function undoRedemption(
  { model, id, consumedAt }: OAuthRowKey & { readonly consumedAt: Date },
  issued: readonly OAuthRowKey[],
): Promise<void> {
  const digests = issued.map((row) => digestOf(row.model, row.id));
  await db().$transaction([
    db().oAuthRow.deleteMany({ where: { id: { in: digests } } }),
    db().oAuthRow.updateMany({ where: { id: digestOf(model, id), consumedAt }, data: { consumedAt: null } }),
  ]);
}

/** Deletes one row. Of several requests at once, exactly one gets `true`. */
export async function deleteOAuthRow(
  model: string,
  id: string,
  client: Pick<Prisma.TransactionClient, "oAuthRow"> = db(),
): Promise<boolean> {
  const { count } = await client.oAuthRow.deleteMany({ where: { id: digestOf(model, id) } });
  return count === 1;
}

/** Deletes the codes and refresh tokens of a connection. */
export async function deleteRowsOfConnection(connection: string): Promise<void> {
  await db().oAuthRow.deleteMany({ where: { connection } });
}

/** Deletes expired rows. */
export async function sweepOAuthRows(now = new Date()): Promise<void> {
  await db().oAuthRow.deleteMany({ where: { expiresAt: { lte: now } } });
}

function digestOf(model: string, id: string): string {
  return hash("sha256", `${model}\n${id}`, "hex");
}
