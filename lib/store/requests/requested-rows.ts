import { db } from "@/lib/store/db/database";
import type { Kind } from "@/lib/store/config/values";
import { readableChanges } from "@/lib/store/requests/change-body";

/** An open change request, and who made it. */
export interface OpenRequest {
  readonly id: string;
  readonly asker: string;
}

/**
 * The open change request of each of these rows of one kind, by row id; the latest of several. The facts of a request name its
 * first rows only, so a longer one is decrypted; if no key opens it, its first rows count.
 *
 * @throws AppError `config_unavailable`
 */
export async function openRequestsOf(
  resource: Kind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, OpenRequest>> {
  const found = new Map<string, OpenRequest>();
  if (ids.length === 0) return found;
  const wanted = new Set(ids);
  const facts = JSON.stringify({ rows: [{ resource }] });
  const rows = await db().$queryRaw<{ id: string; asker: string; named: readonly string[]; isLonger: boolean }[]>`
    SELECT id, asker, (facts ->> 'count')::int > jsonb_array_length(facts -> 'rows') AS "isLonger",
      ARRAY(SELECT row ->> 'id' FROM jsonb_array_elements(facts -> 'rows') row WHERE row ->> 'resource' = ${resource}) AS named
    FROM request WHERE status = 'open' AND "closesAt" > now() AND kind = 'change' AND facts @> ${facts}::jsonb
    ORDER BY at`;
  for (const { id, asker, named, isLonger } of rows)
    for (const row of isLonger ? ((await allRowsOf(id, resource)) ?? named) : named)
      if (wanted.has(row)) found.set(row, { id, asker });
  return found;
}

async function allRowsOf(id: string, resource: Kind): Promise<readonly string[] | null> {
  const request = await db().request.findUnique({ where: { id } });
  const changes = request === null ? null : readableChanges(request);
  return changes?.filter((change) => change.resource === resource).map((change) => change.id) ?? null;
}
