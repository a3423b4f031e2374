import { useQuery } from "@tanstack/react-query";
import { exampleOf } from "@/components/docs/example";
import { adminPath, request } from "@/components/resource/request";
import type { PreviewOutput } from "@/lib/contracts/decisions/preview";
import type { OpenApiDocument, Schema } from "@/lib/contracts/openapi/open-api";
import type { ToolRow } from "@/lib/resources/tool";

/** The body of a call (docs/reference/http.md#agent-api). */
export interface ExampleCall {
  readonly tool_id: string;
  readonly arguments: unknown;
}

/** A tool that needs nothing and changes nothing, with arguments that are understood at once. */
const PLAIN: ExampleCall = { tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } };

/** The tools that are read in search of one that needs nothing and changes nothing. */
const MAX_READ = 5;

type Candidate = Pick<PreviewOutput["tools"][number], "toolId" | "hasSideEffects" | "needsApproval" | "conditional">;

/** A tool's schema contains everything that it refers to. */
const ALONE = { components: { schemas: {} } } as OpenApiDocument;

/**
 * The simplest call of a tool that a caller sees: without side effects and required arguments, if one of its first tools
 * is like that.
 * `undefined` until it is known, `null` when the caller can call no tool.
 */
export function useExampleCall(tools: PreviewOutput["tools"] | undefined): ExampleCall | null | undefined {
  const callable = tools?.filter((tool) => tool.callable) ?? [];
  const isPlain = callable.some(({ toolId }) => toolId === PLAIN.tool_id);
  const ids = isPlain ? [] : simplestFirst(callable).slice(0, MAX_READ);
  const tool = useQuery({
    queryKey: ["tools", "example", ids],
    queryFn: ({ signal }) => simplestOf(ids, signal),
    enabled: ids.length > 0,
  });
  if (tools === undefined) return undefined;
  if (isPlain) return PLAIN;
  if (ids.length === 0) return null;
  if (tool.data === undefined) return tool.isError ? null : undefined;
  return { tool_id: tool.data.id, arguments: exampleOf(tool.data.inputSchema as Schema, ALONE) };
}

/** The ids of tools: those first whose example call changes nothing, waits for nobody and is not refused for its arguments. */
export function simplestFirst(tools: readonly Candidate[]): readonly string[] {
  const troubles = ({ hasSideEffects, needsApproval, conditional }: Candidate) =>
    4 * Number(hasSideEffects) + 2 * Number(needsApproval) + Number(conditional);
  return tools.toSorted((left, right) => troubles(left) - troubles(right)).map(({ toolId }) => toolId);
}

async function simplestOf(ids: readonly string[], signal: AbortSignal): Promise<ToolRow> {
  const rows = await Promise.all(ids.map((id) => request<ToolRow>(adminPath("tools", id), { signal })));
  const chosen = simplestTool(rows);
  if (chosen === undefined) throw new Error("No tool was requested.");
  return chosen;
}

/** The first tool without side effects and required arguments, else without side effects, else the first. */
export function simplestTool<T extends Pick<ToolRow, "hasSideEffects" | "inputSchema">>(
  tools: readonly T[],
): T | undefined {
  const harmless = tools.filter(({ hasSideEffects }) => !hasSideEffects);
  return harmless.find((tool) => !needsArguments(tool)) ?? harmless[0] ?? tools[0];
}

function needsArguments({ inputSchema }: Pick<ToolRow, "inputSchema">): boolean {
  const { required } = inputSchema as Schema;
  return required !== undefined && required.length > 0;
}
