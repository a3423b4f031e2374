import type { Output } from "@/bin/commands/output";
import { fetchPlan, PLAN_OPTIONS, printPlan, readDocument } from "@/bin/commands/plan";
import { readOptions } from "@/bin/commands/read-options";
import { connect, jsonOf, type Environment } from "@/bin/commands/server";
import { verdictInWords } from "@/lib/contracts/changes/verdict-words";
import type { HeldChange } from "@/lib/contracts/changes/request";
import type { ConfigPlan } from "@/lib/contracts/changes/config";

/** The exit code of a change that became a request. */
const HELD = 3;

/**
 * `apply FILE [--merge] [--json] [--reason TEXT]`: makes the server's configuration match the document. Applies exactly the printed
 * plan: after a change in between, the server refuses it. 0 = applied, 1 = refused, 3 = waits for a second person, and
 * the command prints the address of the request.
 */
export async function applyCommand(args: readonly string[], output: Output, env: Environment): Promise<number> {
  const { values, positionals } = readOptions(args, { ...PLAN_OPTIONS, reason: { type: "string" } });
  const document = await readDocument(positionals);
  const server = connect(values, env);
  const plan = await fetchPlan(server, document, values.merge);
  if (plan.errors.length > 0) {
    printPlan(plan, values.json, output);
    output.error("Nothing was saved.");
    return 1;
  }
  const mode = values.merge ? "?mode=merge" : "";
  const answer = await server.ask(`/api/admin/config${mode}`, {
    method: "PUT",
    document,
    ifMatch: plan.basis,
    reason: values.reason,
  });
  if (!answer.ok) {
    output.error(`${answer.problem}\nNothing was saved.`);
    return 1;
  }
  if (answer.status === 202) {
    const held = jsonOf<HeldChange>(answer);
    if (values.json) output.out(JSON.stringify(held));
    else output.out(new URL(`/admin/requests/${held.request.id}`, server.origin).href);
    output.error(`Nothing is saved yet: a second person must approve. ${verdictInWords(held.verdict)}`);
    return HELD;
  }
  const applied = jsonOf<ConfigPlan>(answer);
  printPlan(applied, values.json, output);
  if (!values.json) output.out(`The configuration is at revision ${applied.revision}.`);
  return 0;
}
