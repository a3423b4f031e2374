import { CommandProblem, type Output } from "@/bin/commands/output";
import { readText } from "@/bin/commands/read-config";
import { readOptions } from "@/bin/commands/read-options";
import { connect, jsonOf, SERVER_OPTIONS, type Environment, type Server } from "@/bin/commands/server";
import type { ConfigPlan } from "@/lib/contracts/changes/config";
import { planSentences, planTotals } from "@/lib/contracts/changes/plan-sentences";

/** Options of `plan` and `apply`. */
export const PLAN_OPTIONS = {
  ...SERVER_OPTIONS,
  merge: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
} as const;

/**
 * `plan FILE [--merge] [--json]`: prints what `apply` would do. Exit code 0: the document has no errors, though a second
 * person may have to approve it; 1: `apply` would refuse it.
 */
export async function planCommand(args: readonly string[], output: Output, env: Environment): Promise<number> {
  const { values, positionals } = readOptions(args, PLAN_OPTIONS);
  const document = await readDocument(positionals);
  const plan = await fetchPlan(connect(values, env), document, values.merge);
  printPlan(plan, values.json, output);
  return plan.errors.length === 0 ? 0 : 1;
}

/** Reads the one document that a command names; `-` is standard input. @throws CommandProblem */
export async function readDocument([file, ...more]: readonly string[]): Promise<string> {
  if (file === undefined) throw new CommandProblem("Name the document file, such as `quartermaster.yaml`.");
  if (more.length > 0) throw new CommandProblem(`Name one document only. Remove \`${more[0]}\`.`);
  return readText(file);
}

/** Requests the plan of a document from the server. @throws CommandProblem with the server's message */
export async function fetchPlan(server: Server, document: string, merge: boolean): Promise<ConfigPlan> {
  const mode = merge ? "&mode=merge" : "";
  const answer = await server.ask(`/api/admin/config?dryRun=true${mode}`, { method: "PUT", document });
  if (!answer.ok) throw new CommandProblem(answer.problem);
  return jsonOf<ConfigPlan>(answer);
}

/** Prints a plan in sentences; warnings and errors go to standard error. */
export function printPlan(plan: ConfigPlan, json: boolean, output: Output): void {
  if (json) return output.out(JSON.stringify(plan, null, 2));
  for (const { sign, text, items } of planSentences(plan)) output.out(`${sign} ${text} ${items.join(", ")}`.trimEnd());
  output.out(planTotals(plan));
  for (const { path, message } of plan.warnings) output.error(`warning ${path}: ${message}`);
  for (const { path, message } of plan.errors) output.error(`error ${path === "" ? "(document)" : path}: ${message}`);
}
