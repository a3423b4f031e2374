import { builtinTool } from "@/lib/calls/builtin/index";
import type { RunResult } from "@/lib/calls/pipeline/contract";
import type { RunInput } from "@/lib/calls/runners/runner";

/** Runs a tool in code (docs/reference/execution.md#tool-contract). */
export async function runBuiltin({ tool, arguments: args, context }: RunInput): Promise<RunResult> {
  const code = builtinTool(tool.id);
  const started = performance.now();
  const ended = () => ({ upstreamMs: performance.now() - started, attempts: 1 });
  if (code === undefined) return failed("This tool is in the catalogue, but this version has no code for it.", ended());
  const result = await code.execute(args, context);
  if (!result.success)
    return {
      success: false,
      error: {
        code: "tool_failed",
        message: result.error ?? "The tool failed.",
        ...(result.details === undefined ? {} : { details: result.details }),
      },
      ...ended(),
    };
  return { success: true, output: result.output ?? null, ...ended() };
}

function failed(message: string, timing: Pick<RunResult, "upstreamMs" | "attempts">): RunResult {
  return { success: false, error: { code: "tool_failed", message }, ...timing };
}
