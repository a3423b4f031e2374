import type { FieldProblem } from "@/lib/errors";
import type { ToolInput } from "@/lib/resources/tool";
import type { AppliedChange } from "@/lib/store/save/change";
import type { Stored } from "@/lib/store/save/stored";

/** Finds changes that would activate a tool that waits for a drift review. Only the review may activate it. */
export async function liftedStatuses(
  stored: Stored,
  changes: readonly AppliedChange[],
  pathOf: (change: AppliedChange, path: string) => string,
): Promise<FieldProblem[]> {
  const decided = new Set(changes.flatMap(({ resource, after, id }) => (resource === "drift" && !after ? [id] : [])));
  const problems: FieldProblem[] = [];
  for (const change of changes) {
    if (change.resource !== "tools" || change.before === null || change.after === null) continue;
    const [before, after] = [change.before as ToolInput, change.after as ToolInput];
    if (before.status === "active" || after.status !== "active" || decided.has(change.id)) continue;
    if ((await stored.get("drift", change.id)) === null) continue;
    const message = `is \`${before.status}\` until the drift review decides: approve the change there`;
    problems.push({ path: pathOf(change, "status"), message });
  }
  return problems;
}
