import { CODE_KIND } from "@/lib/access/model/configuration";
import { sourceInput, type SourceInput } from "@/lib/resources/source";
import { toolInput, type ToolInput } from "@/lib/resources/tool";
import { calculate } from "@/lib/calls/builtin/calculate";
import { currentDateTime } from "@/lib/calls/builtin/current-date-time";
import { jsonQuery } from "@/lib/calls/builtin/json-query";
import { searchTools } from "@/lib/calls/builtin/search-tools";
import { simpleCalculator } from "@/lib/calls/builtin/simple-calculator";
import { supportReadTools } from "@/lib/calls/builtin/support/read-tools";
import { supportWriteTools } from "@/lib/calls/builtin/support/write-tools";
import type { BuiltinTool } from "@/lib/calls/pipeline/contract";

/** Every tool in code: a new one is one file and one line here. */
const TOOLS: readonly BuiltinTool[] = [
  calculate,
  currentDateTime,
  jsonQuery,
  searchTools,
  simpleCalculator,
  ...supportReadTools,
  ...supportWriteTools,
];

/** The sources of the tools in code. */
const SOURCES = [
  {
    name: "builtin",
    kind: CODE_KIND,
    displayName: "Built-in",
    description: "Small general tools: arithmetic, time, JSON and a search for tools.",
  },
  { name: "support", kind: CODE_KIND, displayName: "Support desk", description: "The support desk of the demo." },
] as const;

const byId = tableOfTools(TOOLS);

/** The code behind a tool id; `undefined` when no code of ours runs it. */
export function builtinTool(id: string): BuiltinTool | undefined {
  return byId.get(id);
}

/** Every tool in code as the catalogue stores it, for the start's synchronisation. */
export function builtinTools(): ToolInput[] {
  return TOOLS.map((tool) =>
    toolInput.parse({
      id: tool.id,
      name: tool.name,
      displayName: tool.displayName,
      description: tool.description,
      guidance: tool.guidance ?? null,
      category: tool.category ?? null,
      version: tool.version ?? null,
      inputSchema: tool.inputSchema,
      outputSchema: tool.outputSchema ?? null,
      annotations: tool.annotations ?? {},
      tags: tool.tags ?? [],
      requiredCapabilities: tool.requiredCapabilities ?? [],
      hasSideEffects: tool.hasSideEffects ?? false,
      flow: tool.flow ?? {},
    }),
  );
}

/** The sources of those tools. */
export function builtinSources(): SourceInput[] {
  return SOURCES.map((source) => sourceInput.parse(source));
}

/** Closes every tool at the end of a process. A failure does not stop the others. */
export async function shutdownBuiltinTools(tools: readonly BuiltinTool[] = TOOLS): Promise<void> {
  await Promise.allSettled(tools.map(async (tool) => tool.shutdown?.()));
}

/** Tools by id. @throws Error when two share an id or a name: the start fails rather than choosing */
export function tableOfTools(tools: readonly BuiltinTool[]): ReadonlyMap<string, BuiltinTool> {
  for (const key of ["id", "name"] as const) {
    const seen = new Set<string>();
    for (const tool of tools) {
      if (seen.has(tool[key])) throw new Error(`Two tools in code have the ${key} "${tool[key]}".`);
      seen.add(tool[key]);
    }
  }
  return new Map(tools.map((tool) => [tool.id, tool]));
}
