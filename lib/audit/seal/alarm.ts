import type { JsonObject } from "@/lib/access/model/configuration";
import type { VerifyOutput } from "@/lib/contracts/log/seal";
import { db } from "@/lib/store/db/database";
import { announce } from "@/lib/store/events/events";

/** The page that shows the status of the log. */
const PAGE = "/admin/executions/verify";

/** Announces that the log was changed, with counts, never with a row's content. Announces the same defects once. */
export async function announceDefects({ intact, found, findings, last }: VerifyOutput): Promise<void> {
  if (intact) return;
  const kinds = [...new Set(findings.map(({ kind }) => kind))].toSorted();
  const seals = [...new Set(findings.flatMap(({ seal }) => (seal === null ? [] : [seal])))].slice(0, 20);
  const key = `${kinds.join(" ")} ${found} ${last?.number ?? 0}`;
  await announceAlarm({ what: "verification", findings: found, kinds, seals }, key);
}

/** Announces that the database does not know the seal of the last checkpoint. */
export async function announceRollback(seal: number, hash: string): Promise<void> {
  await announceAlarm({ what: "rolled_back", seal }, `rolled_back ${hash}`);
}

/** Announces, once an hour, that a checkpoint store holds something else than seals. */
export async function announceDamagedCheckpoints(now: Date): Promise<void> {
  await announceAlarm({ what: "checkpoints" }, `checkpoints ${now.toISOString().slice(0, 13)}`);
}

/** Announces, once an hour, that rows wait for a seal. */
export async function announceUnsealed(now: Date): Promise<void> {
  await announceAlarm({ what: "unsealed" }, `unsealed ${now.toISOString().slice(0, 13)}`);
}

/** Announces an alarm once per key. */
async function announceAlarm(data: JsonObject, key: string): Promise<void> {
  await announce(db(), { type: "audit.alarm", path: PAGE, data, key: `audit.alarm ${key}` });
}
