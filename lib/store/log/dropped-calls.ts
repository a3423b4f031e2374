import { AppError } from "@/lib/errors";
import type { DroppedCall } from "@/lib/contracts/log/retention";
import { monthOfCall } from "@/lib/store/log/call-id";
import { db } from "@/lib/store/db/database";
import { translated } from "@/lib/store/db/translate";

/**
 * Why a call that is not in the log cannot be read, if it began in a month that was dropped (decision 33): `dropped`, with
 * the archive that has it. `null` for any other call, which is then just not there.
 *
 * @throws AppError `config_unavailable`
 */
export async function droppedCall(callId: string): Promise<AppError | null> {
  const month = monthOfCall(callId);
  if (month === null) return null;
  const drop = await translated(() => db().logDrop.findUnique({ where: { name: month } }));
  if (drop === null) return null;
  const { archive, by } = drop;
  const at = drop.at.toISOString();
  const command = `npx quartermaster verify-archive ARCHIVE_DIR/${month}/${archive} --keys keys.json --prove ${callId}`;
  const dropped: DroppedCall = { month, archive, at, by, command };
  const what = `This call began in ${month}, which was archived as \`${archive}\` and dropped from the log on ${at.slice(0, 10)} by ${by}.`;
  return new AppError("dropped", `${what} Its archive has it: \`${command}\`.`, { extra: { dropped } });
}
