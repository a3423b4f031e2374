import { AppError } from "@/lib/errors";
import type { DroppedCall } from "@/lib/contracts/log/retention";
import { monthOfCall } from "@/lib/store/log/call-id";
import { db } from "@/lib/store/db/database";

/**
 * The error for a missing call that began in a dropped month (decision 33): `dropped`, naming the archive that has the
 * call. `null` for any other missing call.
 *
 * @throws AppError `config_unavailable`
 */
export async function droppedCall(callId: string): Promise<AppError | null> {
  const month = monthOfCall(callId);
  if (month === null) return null;
  const drop = await db().logDrop.findUnique({ where: { name: month } });
  if (drop === null) return null;
  const { archive, by } = drop;
  const at = drop.at.toISOString();
  const command = `npx quartermaster verify-archive ARCHIVE_DIR/${month}/${archive} --keys keys.json --prove ${callId}`;
  const dropped: DroppedCall = { month, archive, at, by, command };
  const what = `This call began in ${month}, which was archived as \`${archive}\` and dropped from the log on ${at.slice(0, 10)} by ${by}.`;
  return new AppError("dropped", `${what} Its archive has it: \`${command}\`.`, { extra: { dropped } });
}
