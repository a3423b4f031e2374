import { db } from "@/lib/store/db/database";
import { sweepClientDocuments } from "@/lib/store/oauth/client-documents";
import { sweepRegistrations } from "@/lib/store/oauth/client-registrations";
import { sweepOAuthRows } from "@/lib/store/oauth/oauth-rows";
import { write, type Actor } from "@/lib/store/save/write";

/** Milliseconds without a token after which a connection ends. Its last refresh token has expired long before. */
const UNUSED_MS = 90 * 24 * 60 * 60 * 1000;
/** Most connections that one run ends. */
const MAX_ENDED = 500;

const RETENTION: Actor = { kind: "system", name: "retention", role: "admin" };

/** Deletes expired rows, old client documents, unused clients, and connections that are unused or whose person or agent is gone. */
export async function sweepSignIns(now = new Date()): Promise<void> {
  await sweepOAuthRows(now);
  await sweepClientDocuments(now);
  await sweepRegistrations(now);
  const before = new Date(now.getTime() - UNUSED_MS);
  const ended = await db().$queryRaw<{ id: string }[]>`
    SELECT id FROM connection WHERE coalesce("lastUsedAt", "createdAt") < ${before}
      OR NOT EXISTS (SELECT FROM person WHERE person.id = connection.person)
      OR NOT EXISTS (SELECT FROM agent WHERE agent.name = connection.agent)
    ORDER BY id LIMIT ${MAX_ENDED}`;
  if (ended.length === 0) return;
  await write(RETENTION, async (stored) => {
    const rows = await stored.matching("connections", { id: { in: ended.map(({ id }) => id) } });
    return rows.map((id) => ({ resource: "connections", action: "delete", id }));
  });
}
