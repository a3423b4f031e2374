import type { DropStatement } from "@/lib/contracts/log/retention";
import type { RunQuery } from "@/lib/store/db/log-session";

/** The record of a dropped month and the stored archive that it names; `null` when that archive does not exist. */
interface StoredDrop {
  readonly drop: DropStatement & { readonly signature: string };
  readonly archive: unknown;
}

/** The records of all dropped months, oldest first. */
export async function readStoredDrops(runQuery: RunQuery): Promise<StoredDrop[]> {
  const drops = await runQuery<Omit<StoredDrop["drop"], "at"> & { at: Date }>(
    `SELECT name AS month, archive, at, rows, by, "keyId", signature FROM log_drop ORDER BY name`,
  );
  const archives = await runQuery<{ id: string; at: Date; parts: string; seals: string }>(
    `SELECT id, month, at, actor, rows, bodies, parts, seals, "keyId", signature FROM log_archive WHERE id = ANY($1)`,
    [drops.map(({ archive }) => archive)],
  );
  const byId = new Map(
    archives.map(({ at, parts, seals, ...row }) => [
      row.id,
      // This session returns JSON columns as text.
      { ...row, at: at.toISOString(), parts: JSON.parse(parts) as unknown, seals: JSON.parse(seals) as unknown },
    ]),
  );
  return drops.map((drop) => ({
    drop: { ...drop, at: drop.at.toISOString() },
    archive: byId.get(drop.archive) ?? null,
  }));
}
