import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { CommandProblem } from "@/bin/commands/output";
import { parseDocument, type ConfigDocument } from "@/lib/config/document";

/** Reads a configuration document from a file. @throws CommandProblem naming the file and every wrong field */
export async function readConfig(file: string | undefined): Promise<ConfigDocument> {
  if (file === undefined) throw new CommandProblem("Name the configuration file, such as `quartermaster.yaml`.");
  const parsed = parseDocument(await readText(file));
  if (parsed.ok) return parsed.document;
  const problems = parsed.errors.map(({ path, message }) => `  ${path === "" ? "(document)" : path}: ${message}`);
  throw new CommandProblem(`${file} is not a valid configuration:\n${problems.join("\n")}`);
}

/** Reads a text file; `-` is standard input. @throws CommandProblem when it cannot be read */
export async function readText(file: string): Promise<string> {
  try {
    return await (file === "-" ? text(process.stdin) : readFile(file, "utf8"));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new CommandProblem(`Cannot read ${file}: ${REASONS[code] ?? (code || "unknown error")}.`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "the file does not exist",
  EACCES: "no permission",
  EISDIR: "the path is a folder",
};
