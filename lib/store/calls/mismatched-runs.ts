import type { FieldProblem } from "@/lib/errors";
import type { SourceInput } from "@/lib/resources/source";
import { SOURCE_KINDS } from "@/lib/resources/source-kinds";
import type { ToolInput } from "@/lib/resources/tool";
import type { AppliedChange, RowsAfter } from "@/lib/store/save/change";

/**
 * Finds changes that would leave a tool with a `run` of a kind that its source does not run. Such a tool would never
 * run, or would run differently than expected. A tool without `run` fits any source.
 */
export async function mismatchedRuns(
  changes: readonly AppliedChange[],
  rowsAfter: RowsAfter,
  pathOf: (change: AppliedChange, path: string) => string,
): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = [];
  let sources: ReadonlyMap<string, object> | undefined;
  for (const change of changes) {
    const { resource, before, after } = change;
    if (after === null) continue;
    let problem: FieldProblem | null = null;
    if (resource === "tools") {
      const tool = after as ToolInput;
      sources ??= await rowsAfter("sources");
      problem = problemOf(tool, sources.get(tool.source) as SourceInput | undefined);
    } else if (resource === "sources" && before !== null)
      problem = await problemOfKind(before as SourceInput, after as SourceInput, rowsAfter);
    if (problem !== null) problems.push({ ...problem, path: pathOf(change, problem.path) });
  }
  return problems;
}

function problemOf({ run }: ToolInput, source: SourceInput | undefined): FieldProblem | null {
  if (run === null || source === undefined) return null;
  const kind = SOURCE_KINDS[source.kind].run;
  const because = `the source \`${source.name}\` is of the kind \`${source.kind}\``;
  if (kind === null) return { path: "run", message: `must be null: ${because}, whose tools are in code` };
  return run.kind === kind ? null : { path: "run.kind", message: `must be \`${kind}\`: ${because}` };
}

/** For a source that changes its kind: the first of its tools that would no longer fit. */
async function problemOfKind(
  before: SourceInput,
  after: SourceInput,
  rowsAfter: RowsAfter,
): Promise<FieldProblem | null> {
  if (before.kind === after.kind) return null;
  for (const row of (await rowsAfter("tools")).values()) {
    const tool = row as ToolInput;
    if (tool.source !== after.name || problemOf(tool, after) === null) continue;
    const message = `its tool \`${tool.id}\` is run by \`${tool.run?.kind}\`: delete it first, or keep the kind`;
    return { path: "kind", message };
  }
  return null;
}
