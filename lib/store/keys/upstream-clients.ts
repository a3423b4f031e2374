import { randomUUID } from "node:crypto";
import { db } from "@/lib/store/db/database";
import { open, seal } from "@/lib/store/keys/cipher";
import type { LinkClient } from "@/lib/store/keys/linked-accounts";

/** A dynamic registration of Quartermaster at an authorization server. */
interface Registration {
  readonly client: LinkClient;
  readonly createdAt: Date;
}

/** The registration of Quartermaster at an authorization server; `null` = none that is still valid. */
export async function findRegistration(issuer: string, redirectUri: string, now: number): Promise<Registration | null> {
  const where = { issuer_redirectUri: { issuer, redirectUri } };
  const row = await db().upstreamClient.findUnique({ where });
  if (row === null || (row.expiresAt !== null && row.expiresAt.getTime() <= now)) return null;
  const client = clientIn(row);
  return client === null ? null : { client, createdAt: row.createdAt };
}

function clientIn({ id, sealed }: { readonly id: string; readonly sealed: string }): LinkClient | null {
  const text = open("linked", sealed, id);
  return text === null ? null : (JSON.parse(text) as LinkClient);
}

/** Stores a registration in place of an earlier one, also of one that another sign-in stores at the same time. */
export async function saveRegistration(
  issuer: string,
  redirectUri: string,
  registered: { readonly client: LinkClient; readonly expiresAt: Date | null },
  now: Date,
): Promise<void> {
  const id = randomUUID();
  const sealed = seal("linked", JSON.stringify(registered.client), id);
  const { expiresAt } = registered;
  await db().$executeRaw`
    insert into upstream_client (id, issuer, "redirectUri", sealed, "expiresAt", "createdAt")
    values (${id}::uuid, ${issuer}, ${redirectUri}, ${sealed}, ${expiresAt}, ${now})
    on conflict (issuer, "redirectUri") do update set
      id = excluded.id, sealed = excluded.sealed, "expiresAt" = excluded."expiresAt", "createdAt" = excluded."createdAt"`;
}

/** Forgets a registration that its server no longer knows. Keeps one that has replaced it. */
export async function dropRegistration(issuer: string, clientId: string): Promise<void> {
  const rows = await db().upstreamClient.findMany({ where: { issuer } });
  const ids = rows.filter((row) => clientIn(row)?.id === clientId).map(({ id }) => id);
  await db().upstreamClient.deleteMany({ where: { id: { in: ids } } });
}
