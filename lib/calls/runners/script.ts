import type { Json } from "@/lib/access/model/configuration";
import { isDeeper } from "@/lib/access/model/json";
import { AppError, type ErrorCode } from "@/lib/errors";
import type { Verdict } from "@/lib/sandbox/messages";
import { sharedSandbox } from "@/lib/sandbox/sandbox";
import type { RunResult } from "@/lib/calls/pipeline/contract";
import type { RunInput } from "@/lib/calls/runners/runner";
import { MAX_ANSWER_DEPTH } from "@/lib/calls/runners/sequence";

/** Runs a tool whose `run` is a script (docs/reference/execution.md#sandbox). Never throws: every failure is a result. */
export async function runScript(input: RunInput): Promise<RunResult> {
  const { tool, arguments: args, signal, callTool, nested, print } = input;
  const started = performance.now();
  const ended = (answer: Pick<RunResult, "success" | "output" | "error">, attempts = 1): RunResult => ({
    ...answer,
    upstreamMs: performance.now() - started,
    attempts,
  });
  if (tool.run?.kind !== "script") return ended(failure("sandbox_error", "The tool has no script."), 0);
  const { code, cpuSeconds } = tool.run;
  try {
    const job = { code, args: JSON.stringify(args), cpuMs: cpuSeconds * 1000, signal, callTool, nested, print };
    return ended(toAnswer(await sharedSandbox().run(job)));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return ended(failure(error.code, error.message), 0);
  }
}

function toAnswer(verdict: Verdict): Pick<RunResult, "success" | "output" | "error"> {
  if (!verdict.ok) {
    const { code, message, line } = verdict;
    return failure(code, line === null ? message : `${message} (line ${line})`);
  }
  const output = JSON.parse(verdict.output) as Json;
  if (isDeeper(output, MAX_ANSWER_DEPTH))
    return failure("result_too_large", `The script's answer is nested deeper than ${MAX_ANSWER_DEPTH} levels.`);
  return { success: true, output };
}

function failure(code: ErrorCode, message: string): Pick<RunResult, "success" | "error"> {
  return { success: false, error: { code, message } };
}
