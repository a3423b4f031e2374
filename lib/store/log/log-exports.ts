import { exportManifest, type ExportManifest } from "@/lib/contracts/log/execution-export";
import { db } from "@/lib/store/db/database";

/** Stores an export's manifest. @throws AppError `config_unavailable` */
export async function addExport(manifest: ExportManifest): Promise<void> {
  await db().logExport.create({ data: { ...manifest, at: new Date(manifest.at) } });
}

/** An export's manifest; `null` for an unknown or unfinished export. @throws AppError `config_unavailable` */
export async function readExport(id: string): Promise<ExportManifest | null> {
  const row = await db().logExport.findUnique({ where: { id } });
  return row === null ? null : exportManifest.parse({ ...row, at: row.at.toISOString() });
}
