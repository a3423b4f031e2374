import { CommandProblem, type Output } from "@/bin/commands/output";
import { readOptions } from "@/bin/commands/read-options";
import { vouchForOlderKeys } from "@/lib/audit/seal/trusted-keys";
import { AppError } from "@/lib/errors";
import { logSession } from "@/lib/store/db/log-session";
import { reseal, type Resealing } from "@/lib/store/keys/reseal";

/**
 * `rotate-key [--json]`: encrypts all secrets with MASTER_KEY. MASTER_KEY_PREVIOUS decrypts the older ones. Exits with 1
 * if a value is not encrypted with MASTER_KEY afterwards.
 */
export async function rotateKeyCommand(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readOptions(args, { json: { type: "boolean", default: false } });
  if (positionals.length > 0) throw new CommandProblem("Usage: npx quartermaster rotate-key");
  const latest = new Map<string, Resealing>();
  try {
    for await (const progress of reseal()) {
      latest.set(progress.what, progress);
      output.error(`${progress.what}: ${progress.done} of ${progress.total} encrypted with the new key`);
    }
    // Seals that the older key signed stay valid after that key is removed.
    await logSession("add", vouchForOlderKeys);
  } catch (error) {
    if (error instanceof AppError)
      throw new CommandProblem(`${error.message} Run the command again. It continues where it stopped.`);
    throw error;
  }
  const all = [...latest.values()];
  const unreadable = all.reduce((sum, kind) => sum + kind.unreadable, 0);
  const kept = all.reduce((sum, kind) => sum + kind.kept, 0);
  if (values.json) output.out(JSON.stringify(all));
  else if (unreadable + kept === 0)
    output.out("Everything is encrypted with the current MASTER_KEY. You can remove MASTER_KEY_PREVIOUS.");
  if (unreadable > 0)
    output.error(
      `Values encrypted with a key that is neither MASTER_KEY nor in MASTER_KEY_PREVIOUS: ${unreadable}. Add that key, or set those secrets again.`,
    );
  if (kept > 0)
    output.error(
      `Open requests of an earlier version that hold a secret under an older key: ${kept}. Approve or refuse them, then run the command again.`,
    );
  return unreadable + kept === 0 ? 0 : 1;
}
