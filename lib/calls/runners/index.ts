import type { SourceRow } from "@/lib/resources/source";
import type { ToolRow } from "@/lib/resources/tool";
import { runBuiltin } from "@/lib/calls/runners/builtin";
import { runHttp } from "@/lib/calls/runners/http";
import { runMcp } from "@/lib/calls/runners/mcp";
import type { Runner } from "@/lib/calls/runners/runner";
import { runScript } from "@/lib/calls/runners/script";

/** How tools are run: a new kind is one runner and one line here. */
export const runners = {
  builtin: runBuiltin,
  http: ({ context, heard, ...call }) =>
    runHttp({ ...call, correlationId: context.correlationId, tell: heard ? context.emit : null }),
  mcp: (call) => runMcp(call),
  script: runScript,
} satisfies Record<string, Runner>;

/** One runner for each way to run. */
export type Runners = Readonly<Record<keyof typeof runners, Runner>>;

/** Which runner a tool needs; `null` when this version has none for it. */
export function runnerOf(tool: ToolRow, source: SourceRow): keyof Runners | null {
  if (source.kind === "builtin") return "builtin";
  return tool.run?.kind ?? null;
}
