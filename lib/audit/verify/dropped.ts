import { ArchivedRows } from "@/lib/audit/archive/archived-rows";
import type { Defects } from "@/lib/audit/verify/defects";
import { isSigned } from "@/lib/audit/seal/statement";
import type { TrustedKeys } from "@/lib/audit/seal/trusted-keys";
import { archiveManifest } from "@/lib/contracts/log/retention";
import type { DroppedMonth } from "@/lib/contracts/log/seal";
import type { RunQuery } from "@/lib/store/db/log-session";
import { readStoredDrops } from "@/lib/store/audit/stored-drops";

/** The months that were dropped on purpose, with their sealed rows. */
interface Dropped {
  readonly months: DroppedMonth[];
  readonly rows: ArchivedRows;
}

/**
 * The rows that may be missing: rows of months with a signed drop statement, as far as a signed archive holds them. An
 * unsigned drop record is a defect, and excuses no missing row.
 */
export async function loadDropped(runQuery: RunQuery, keys: TrustedKeys, defects: Defects): Promise<Dropped> {
  const months: DroppedMonth[] = [];
  const rows = new ArchivedRows();
  for (const { drop, archive } of await readStoredDrops(runQuery)) {
    const manifest = archiveManifest.safeParse(archive);
    if (
      !isSigned(drop, keys) ||
      !manifest.success ||
      !isSigned(manifest.data, keys) ||
      manifest.data.month !== drop.month
    ) {
      defects.add("drop_forged", null, null, `The record of the dropped month ${drop.month} was changed.`);
      continue;
    }
    rows.add(manifest.data.seals);
    months.push({ month: drop.month, archive: drop.archive, at: drop.at, by: drop.by, rows: drop.rows });
  }
  return { months, rows };
}
