import { CommandProblem, type Output } from "@/bin/commands/output";
import { readOptions } from "@/bin/commands/read-options";
import { archiveStorage } from "@/lib/audit/archive/archive-storage";
import { planRetention, runStep, type RetentionStep } from "@/lib/audit/archive/retention";
import { AppError } from "@/lib/errors";
import type { Actor } from "@/lib/store/save/change";

/** A person who can run this command with the database's settings counts as administrator. */
const CONSOLE: Actor = { kind: "system", name: "command line", role: "admin" };

/**
 * `retention [--apply] [--json]`: lists the months of the log that are due for archiving or dropping, and with `--apply`
 * archives or drops them. A failed step does not stop the next ones. Exits with 1 when one failed.
 */
export async function retentionCommand(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readOptions(args, {
    apply: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  });
  if (positionals.length > 0) throw new CommandProblem("Usage: npx quartermaster retention [--apply]");
  const steps = await planRetention();
  const problems = values.apply ? await run(steps, output) : [];
  if (values.json) output.out(JSON.stringify({ applied: values.apply, steps, problems }));
  else if (steps.length === 0)
    output.out("There is nothing to archive or drop. To change how many months are kept, open General settings → Log.");
  else if (!values.apply)
    output.out(
      [
        ...steps.map(({ month, step }) => `${step}  ${month}`),
        "Nothing was changed. To archive and drop, add --apply.",
      ].join("\n"),
    );
  return problems.length === 0 ? 0 : 1;
}

async function run(steps: readonly RetentionStep[], output: Output): Promise<readonly string[]> {
  const storage = archiveStorage();
  if (storage === null && steps.length > 0)
    throw new CommandProblem("Set ARCHIVE_DIR or ARCHIVE_URL. A month is dropped only after it is archived.");
  const problems: string[] = [];
  for (const step of steps)
    try {
      if (storage !== null) await runStep(step, { actor: CONSOLE, storage });
      output.error(`${step.month}: ${step.step === "archive" ? "archived" : "dropped"}`);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      problems.push(`${step.month}: ${error.message}`);
      output.error(problems.at(-1) ?? "");
    }
  return problems;
}
