import type { FieldProblem } from "@/lib/errors";
import type { ToolInput } from "@/lib/resources/tool";
import { sharedSandbox } from "@/lib/sandbox/sandbox";
import type { AppliedChange } from "@/lib/store/save/change";

/**
 * Finds changed scripts that do not compile, each with its error and line, so that a save refuses them. Compiles the
 * scripts but does not run them.
 *
 * @throws AppError `overloaded`
 */
export async function brokenScripts(
  changes: readonly AppliedChange[],
  pathOf: (change: AppliedChange, path: string) => string,
): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = [];
  for (const change of changes) {
    const code = scriptOf(change.resource, change.after);
    if (code === null || code === scriptOf(change.resource, change.before)) continue;
    const problem = await sharedSandbox().check(code);
    if (problem === null) continue;
    const where = problem.line === null ? "" : `line ${problem.line}: `;
    problems.push({ path: pathOf(change, "run.code"), message: `${where}${problem.message}` });
  }
  return problems;
}

function scriptOf(resource: AppliedChange["resource"], value: object | null): string | null {
  if (resource !== "tools" || value === null) return null;
  const { run } = value as ToolInput;
  return run?.kind === "script" ? run.code : null;
}
