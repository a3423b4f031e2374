import type { Tool, ToolStatus } from "@/lib/access/model/configuration";
import type { DocumentProblem } from "@/lib/config/problems";

/** How strictly each status withholds a tool: a document may raise it, never lower it. */
const STRICTNESS: Readonly<Record<ToolStatus, number>> = { active: 0, deprecated: 1, quarantined: 2 };

type WithStatus = Pick<Tool, "id" | "status">;

/**
 * A document's tools, each at least as strict as its stored status: only the drift review lifts a quarantine or a
 * deprecation. Every kept status is a warning.
 */
export function holdStatuses<T extends WithStatus>(
  tools: readonly T[],
  stored: ReadonlyMap<string, WithStatus>,
): { readonly tools: readonly T[]; readonly warnings: readonly DocumentProblem[] } {
  const warnings: DocumentProblem[] = [];
  const held = tools.map((tool) => {
    const { status } = stored.get(tool.id) ?? tool;
    if (STRICTNESS[status] <= STRICTNESS[tool.status]) return tool;
    const message = `stays \`${status}\`: a document cannot release a tool. Approve the tool in the drift review, or change the status on its page if it has no drift`;
    warnings.push({ path: `tools[${tool.id}].status`, message });
    return { ...tool, status };
  });
  return { tools: held, warnings };
}

/** A warning for each quarantined or deprecated tool that the document deletes, and with it the status. */
export function lostStatuses(
  tools: readonly WithStatus[],
  stored: ReadonlyMap<string, WithStatus>,
): readonly DocumentProblem[] {
  const stated = new Set(tools.map(({ id }) => id));
  return [...stored.values()]
    .filter(({ id, status }) => status !== "active" && !stated.has(id))
    .map(({ id, status }) => ({
      path: `tools[${id}]`,
      message: `is \`${status}\` and would be deleted: a document that creates it again makes it available`,
    }));
}
