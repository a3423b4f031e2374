import { ArchivedRows } from "@/lib/audit/archive/archived-rows";
import type { Findings } from "@/lib/audit/verify/findings";
import { isSigned } from "@/lib/audit/seal/statement";
import type { TrustedKeys } from "@/lib/audit/seal/trusted-keys";
import { archiveManifest } from "@/lib/contracts/log/retention";
import type { DroppedMonth } from "@/lib/contracts/log/seal";
import type { Ask } from "@/lib/store/db/log-session";
import { readStoredDrops } from "@/lib/store/audit/stored-drops";

/** The months that were dropped on purpose, and which sealed rows went with them. */
export interface Dropped {
  readonly months: DroppedMonth[];
  readonly rows: ArchivedRows;
}

/**
 * What may be missing from the log: rows of months that were dropped under our signature, as far as an archive, signed too,
 * says that it has them. A record of a drop that nobody of ours signed is a finding, and excuses nothing.
 */
export async function loadDropped(ask: Ask, keys: TrustedKeys, findings: Findings): Promise<Dropped> {
  const months: DroppedMonth[] = [];
  const rows = new ArchivedRows();
  for (const { drop, archive } of await readStoredDrops(ask)) {
    const manifest = archiveManifest.safeParse(archive);
    if (
      !isSigned(drop, keys) ||
      !manifest.success ||
      !isSigned(manifest.data, keys) ||
      manifest.data.month !== drop.month
    ) {
      findings.add("drop_forged", null, null, `The record of the dropped month ${drop.month} is not what was signed.`);
      continue;
    }
    rows.add(manifest.data.seals);
    months.push({ month: drop.month, archive: drop.archive, at: drop.at, by: drop.by, rows: drop.rows });
  }
  return { months, rows };
}
