import { CommandProblem, type Output } from "@/bin/commands/output";
import { readOptions } from "@/bin/commands/read-options";
import { settingsInput } from "@/lib/resources/settings";
import { write, type Actor } from "@/lib/store/save/write";

/** A person who can run this command with the database's settings counts as administrator. */
const CONSOLE: Actor = { kind: "system", name: "command line", role: "admin" };

/**
 * `review off`: switches reviews of changes off, for an installation in which nobody can approve any more. The change log
 * names the command line.
 */
export async function reviewCommand(args: readonly string[], output: Output): Promise<number> {
  const { positionals } = readOptions(args, {});
  if (positionals.length !== 1 || positionals[0] !== "off")
    throw new CommandProblem("Usage: npx quartermaster review off");
  const { revision, changes } = await write(
    CONSOLE,
    async (stored) => {
      const row = await stored.get("settings", "settings");
      if (row === null) return [];
      const value = settingsInput.parse({ ...row.value, review: { changes: "off" } });
      return [{ resource: "settings", action: "update", id: "settings", after: { name: "settings", value } }];
    },
    { note: "review off" },
  );
  output.error(
    changes.length === 0
      ? "Reviews of changes are off already."
      : `Reviews of changes are off since revision ${revision}. Open requests stay open until they expire.`,
  );
  return 0;
}
