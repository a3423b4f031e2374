import { parseArgs, type ParseArgsConfig } from "node:util";
import { CommandProblem } from "@/bin/commands/output";
import { messageOf } from "@/lib/errors";

/** Parses options and positional arguments with `node:util`. @throws CommandProblem naming what it does not know */
export function readOptions<const T extends NonNullable<ParseArgsConfig["options"]>>(
  args: readonly string[],
  options: T,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    const message = messageOf(error).split(". ")[0];
    throw new CommandProblem(`${message}. Try \`npx quartermaster help\`.`);
  }
}
