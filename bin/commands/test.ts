import { z } from "zod";
import { CommandProblem, type Output } from "@/bin/commands/output";
import { readConfig } from "@/bin/commands/read-config";
import { readOptions } from "@/bin/commands/read-options";
import { runAssertions, type AssertionResult } from "@/lib/config/assertions";
import { toConfiguration } from "@/lib/config/document";
import { warningsAtOnce } from "@/lib/config/plan";

/** `test CONFIG [--json] [--now TIME]`: runs the document's assertions; 0 = all hold, 1 = one fails, 2 = there is none. */
export async function testCommand(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readOptions(args, {
    json: { type: "boolean", default: false },
    now: { type: "string" },
  });
  if (positionals.length > 1)
    throw new CommandProblem(`Name one configuration file only. Remove \`${positionals[1]}\`.`);
  const { now = new Date().toISOString() } = values;
  if (!z.iso.datetime({ offset: true }).safeParse(now).success)
    throw new CommandProblem("--now: use an ISO 8601 time, such as 2026-01-31T00:00:00Z.");
  const document = await readConfig(positionals[0]);
  const assertions = document.assertions ?? [];
  if (assertions.length === 0) throw new CommandProblem("The document has no assertions.");
  const warnings = warningsAtOnce(document);
  const results = runAssertions(toConfiguration(document), assertions, Date.parse(now));
  const failed = results.filter(({ passed }) => !passed).length;
  if (values.json) output.out(JSON.stringify({ passed: results.length - failed, failed, results, warnings }, null, 2));
  else {
    for (const { path, message } of warnings) output.error(`warning ${path}: ${message}`);
    output.out([...results.map(asText), "", `${results.length - failed} passed, ${failed} failed`].join("\n"));
  }
  return failed === 0 ? 0 : 1;
}

function asText({ name, passed, problems }: AssertionResult): string {
  return [`${passed ? "ok  " : "FAIL"} ${name}`, ...problems.map((problem) => `       ${problem}`)].join("\n");
}
