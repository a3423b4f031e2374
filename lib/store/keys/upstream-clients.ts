import { randomUUID } from "node:crypto";
import { db } from "@/lib/store/db/database";
import { open, seal } from "@/lib/store/keys/cipher";
import type { LinkClient } from "@/lib/store/keys/linked-accounts";

/** The registration of Quartermaster at an authorization server; `null` = none that is still valid. */
export async function findRegistration(issuer: string, redirectUri: string, now: number): Promise<LinkClient | null> {
  const where = { issuer_redirectUri: { issuer, redirectUri } };
  const row = await db().upstreamClient.findUnique({ where });
  if (row === null || (row.expiresAt !== null && row.expiresAt.getTime() <= now)) return null;
  const text = open("linked", row.sealed, row.id);
  return text === null ? null : (JSON.parse(text) as LinkClient);
}

/** Stores a registration in place of an earlier one. */
export async function saveRegistration(
  issuer: string,
  redirectUri: string,
  registered: { readonly client: LinkClient; readonly expiresAt: Date | null },
  now: Date,
): Promise<void> {
  const id = randomUUID();
  const sealed = seal("linked", JSON.stringify(registered.client), id);
  const { expiresAt } = registered;
  await db().$transaction(async (tx) => {
    await tx.upstreamClient.deleteMany({ where: { issuer, redirectUri } });
    await tx.upstreamClient.create({ data: { id, issuer, redirectUri, sealed, expiresAt, createdAt: now } });
  });
}

/** Forgets a registration that its server no longer knows. */
export async function dropRegistration(issuer: string): Promise<void> {
  await db().upstreamClient.deleteMany({ where: { issuer } });
}
