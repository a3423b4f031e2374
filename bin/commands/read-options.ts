import { parseArgs, type ParseArgsConfig } from "node:util";
import { CommandProblem } from "@/bin/commands/output";

/** Parses options and positional arguments with `node:util`. @throws CommandProblem naming what it does not know */
export function readOptions<const T extends NonNullable<ParseArgsConfig["options"]>>(
  args: readonly string[],
  options: T,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    const message = error instanceof Error ? (error.message.split(". ")[0] ?? error.message) : String(error);
    throw new CommandProblem(`${message}. Try \`npx quartermaster help\`.`);
  }
}
