import { writeFile } from "node:fs/promises";
import { CommandProblem, type Output } from "@/bin/commands/output";
import { readOptions } from "@/bin/commands/read-options";
import { connect, SERVER_OPTIONS, type Environment } from "@/bin/commands/server";

/** `export [--output FILE] [--json]`: prints the server's whole configuration as one document, by default in YAML. */
export async function exportCommand(args: readonly string[], output: Output, env: Environment): Promise<number> {
  const { values, positionals } = readOptions(args, {
    ...SERVER_OPTIONS,
    output: { type: "string" },
    json: { type: "boolean", default: false },
  });
  if (positionals.length > 0) throw new CommandProblem(`Usage: npx quartermaster export --output ${positionals[0]}`);
  const accept = values.json ? "application/json" : "application/yaml";
  const answer = await connect(values, env).ask("/api/admin/config", { accept });
  if (!answer.ok) throw new CommandProblem(answer.problem);
  if (values.output === undefined) output.out(answer.text.replace(/\n$/, ""));
  else await save(values.output, answer.text);
  return 0;
}

async function save(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw new CommandProblem(`Cannot write ${file}: ${code}.`);
  }
}
