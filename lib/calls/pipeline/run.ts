import { CODE_KIND, type Json } from "@/lib/access/model/configuration";
import { withoutHidden } from "@/lib/access/model/hidden-characters";
import { AppError, messageOf } from "@/lib/errors";
import { answerBytes } from "@/lib/resources/parts/limits";
import type { SourceRow } from "@/lib/resources/source";
import { SOURCE_KINDS } from "@/lib/resources/source-kinds";
import type { ToolRow } from "@/lib/resources/tool";
import { keyedDigest } from "@/lib/store/keys/cipher";
import { stage } from "@/lib/process/turn";
import { identityParts } from "@/lib/store/calls/sessions";
import { log } from "@/lib/telemetry/log";
import { builtinTool } from "@/lib/calls/builtin/index";
import type { Call } from "@/lib/calls/pipeline/call";
import type { RunResult, ToolContext } from "@/lib/calls/pipeline/contract";
import type { AuthorizedCall } from "@/lib/calls/pipeline/decide";
import type { Dependencies } from "@/lib/calls/pipeline/dependencies";
import type { NestedCalls } from "@/lib/calls/pipeline/nested";
import { idempotencyHeaderOf, isRepeatable, mayCallerRepeat, withLostAnswerMarked } from "@/lib/calls/pipeline/repeat";
import { noteMisfit } from "@/lib/calls/record/note-misfit";
import { registerRunning } from "@/lib/calls/queue/running";
import type { RunInput } from "@/lib/calls/runners/runner";
import type { SchemaProblem } from "@/lib/calls/schemas/schema-problem";
import { problemsOf } from "@/lib/calls/schemas/validators";
import type { CallContext } from "@/lib/calls/pipeline/call-context";
import { spanned } from "@/lib/calls/pipeline/upstream-span";

/** Seconds a tool may run unless its own limit says otherwise (docs/reference/execution.md#outbound-http). */
const DEFAULT_SECONDS = 30;

/** The abort reason for the calls of an ended script. One object for all, because its stack is never read. */
const SCRIPT_ENDED = new AppError("cancelled", "The script that made the call has ended.");

/** How long a tool may run, in seconds. */
export function deadlineSeconds({ limits }: Pick<ToolRow, "limits">): number {
  return limits.timeoutSeconds ?? DEFAULT_SECONDS;
}

/** The dependencies of a run; a script calls other tools through `nestedCalls`. */
type RunDependencies = Pick<Dependencies, "runners" | "resilience" | "elapsed"> & {
  readonly nestedCalls: NestedCalls;
};

/** Steps 10 and 11: runs the tool under its deadline and checks its answer against the output schema. Never throws. */
export async function runTool(
  call: Call,
  authorized: AuthorizedCall,
  context: CallContext,
  deps: RunDependencies,
): Promise<RunResult> {
  const started = deps.elapsed();
  try {
    const result = await runAuthorized(call, authorized, context, deps);
    return result.success ? await checkAnswer(result, call, authorized) : result;
  } catch (error) {
    log.error(
      { callId: call.callId, requestId: call.requestId, tool: authorized.tool.id, err: error },
      "A tool threw.",
    );
    const code = authorized.source.kind === CODE_KIND ? "tool_failed" : "upstream_error";
    return failed(code, "The tool failed.", deps.elapsed() - started);
  }
}

async function runAuthorized(
  call: Call,
  authorized: AuthorizedCall,
  context: CallContext,
  deps: RunDependencies,
): Promise<RunResult> {
  const { tool, source } = authorized;
  const { run } = SOURCE_KINDS[source.kind];
  if (run !== null && tool.run?.kind !== run)
    return failed("tool_failed", "This version cannot run tools of this kind.", 0);
  const result = await underDeadline(call, deadlineSeconds(tool), (signals) =>
    startRunner(call, authorized, context, deps, signals),
  );
  return mayCallerRepeat(tool, source) ? result : withLostAnswerMarked(result);
}

interface RunSignals {
  /** Aborts at the deadline, when the call is cancelled, and when the script that made the call ends. */
  readonly signal: AbortSignal;
  /** Aborts when the run has ended in any way. */
  readonly over: AbortSignal;
}

/** The answer of `work`, or a failure at the deadline or when the call is cancelled. */
async function underDeadline(
  { callId, script }: Call,
  seconds: number,
  work: (signals: RunSignals) => Promise<RunResult>,
): Promise<RunResult> {
  const deadline = new AbortController();
  const over = new AbortController();
  const signal = script === undefined ? deadline.signal : AbortSignal.any([deadline.signal, script.ended]);
  const unregister = registerRunning(callId, deadline);
  if (signal.aborted) {
    unregister();
    return { ...failed("cancelled", "The call was cancelled before it ran.", 0), attempts: 0 };
  }
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<RunResult>((resolve) => {
    timer = setTimeout(() => {
      const message = `The tool did not answer within ${seconds} s.`;
      deadline.abort(new AppError("upstream_timeout", message));
      resolve(failed("upstream_timeout", message, seconds * 1000));
    }, seconds * 1000);
  });
  const answered = work({ signal, over: over.signal });
  try {
    return await Promise.race([answered, late, cancelled(signal)]);
  } finally {
    clearTimeout(timer);
    over.abort(SCRIPT_ENDED);
    // After the deadline no one needs the runner's failure.
    answered.catch(() => {});
    unregister();
  }
}

/** Starts the runner of the source's kind; for an upstream with retries and the circuit breaker. */
function startRunner(
  call: Call,
  authorized: AuthorizedCall,
  context: CallContext,
  deps: RunDependencies,
  { signal, over }: RunSignals,
): Promise<RunResult> {
  const { tool, source } = authorized;
  const { issuer, subject } = context.caller.principal;
  const toolContext = contextOf(call, context, signal);
  const callTool = deps.nestedCalls(over);
  const attempt = () =>
    spanned(authorized, call.trace, (trace) =>
      deps.runners[source.kind]({
        tool,
        source,
        caller: context.caller,
        arguments: authorized.arguments,
        idempotency: upstreamKey(call, authorized, context),
        signal,
        context: toolContext,
        hasListener: call.listener !== null,
        callTool,
        nested: call.script !== undefined,
        print: (line) => call.listener?.print?.(line),
        trace,
      }),
    );
  // A tool that runs in this process has no upstream to protect.
  if (!SOURCE_KINDS[source.kind].upstream) return attempt();
  return deps.resilience.run({
    source,
    repeatable: isRepeatable(tool, source),
    retries: tool.limits.retries,
    caller: JSON.stringify([issuer, subject]),
    signal,
    attempt,
  });
}

/** Resolves when the caller cancels the call; never when only the deadline is reached. */
function cancelled(signal: AbortSignal): Promise<RunResult> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => {
      if (signal.reason instanceof AppError && signal.reason.code === "cancelled")
        resolve({ ...failed("cancelled", signal.reason.message, 0), attempts: 1 });
    });
  });
}

/** The idempotency key for an upstream that honours keys. It contains the caller, so equal keys of two callers differ. */
function upstreamKey(
  { idempotencyKey, callId }: Call,
  { tool, source }: AuthorizedCall,
  { caller }: CallContext,
): RunInput["idempotency"] {
  const header = idempotencyHeaderOf(tool, source);
  if (header === null) return null;
  const named = idempotencyKey === null ? [callId] : [...identityParts(caller.principal), idempotencyKey];
  return { header, key: keyedDigest("upstream key", JSON.stringify(named)) };
}

function contextOf(call: Call, { caller, resolution, now }: CallContext, signal: AbortSignal): ToolContext {
  return {
    principal: caller.principal,
    persona: caller.agent?.persona ?? null,
    correlationId: call.callId,
    session: call.sessionId,
    signal,
    now,
    *visibleTools() {
      for (const { tool, exposedName } of resolution.tools)
        yield {
          id: tool.id,
          name: exposedName,
          description: withoutHidden(tool.description),
          tags: tool.tags.map(withoutHidden),
          category: tool.category === null ? null : withoutHidden(tool.category),
        };
    },
    progress: (fraction, message) => call.listener?.progress(fraction, message),
    emit: (chunk) => call.listener?.chunk(chunk),
  };
}

/** Limits the answer's size, and withholds or marks an answer that does not fit the output schema. */
async function checkAnswer(result: RunResult, call: Call, { tool, source }: AuthorizedCall): Promise<RunResult> {
  const { output: given, content, ...rest } = result;
  const text = await stage(() => JSON.stringify(given ?? null));
  const most = answerBytes(tool.limits);
  if (Buffer.byteLength(content === undefined ? text : text + JSON.stringify(content)) > most) {
    const message = `The tool's result is larger than ${most / (1024 * 1024)} MiB.`;
    return { ...rest, success: false, error: { code: "result_too_large", message } };
  }
  const output = await stage(() => JSON.parse(text) as Json);
  const passed = { ...rest, output, ...(content !== undefined && { content }) };
  // The output schema describes only answers with content.
  const misfit = NO_CONTENT.has(rest.status ?? 0) ? null : await misfitOf(tool, output);
  if (misfit === null) return passed;
  if (outputCheckOf(tool, source) === "withhold")
    return {
      ...rest,
      success: false,
      error: {
        code: "output_invalid",
        message: "The tool's result does not match its output schema and was withheld.",
        details: { problems: misfit.problems.map((problem) => ({ ...problem })) },
      },
    };
  if (misfit.checked) noteMisfit(tool, misfit.problems[0], call.callId);
  const what = misfit.checked ? "does not match the tool's output schema" : "could not be checked";
  return { ...passed, warning: { message: `The call succeeded. Its result ${what}.`, problems: misfit.problems } };
}

/** Statuses of answers without content (RFC 9110, 15.3.5 and 15.3.6). */
const NO_CONTENT: ReadonlySet<number> = new Set([204, 205]);

/** How to treat an answer that does not fit. */
function outputCheckOf(
  tool: Pick<ToolRow, "outputCheck">,
  source: Pick<SourceRow, "kind" | "outputCheck">,
): "warn" | "withhold" {
  return tool.outputCheck ?? source.outputCheck ?? SOURCE_KINDS[source.kind].outputCheck;
}

/** `checked`: the schema refuses the answer; otherwise the answer could not be checked. */
interface Misfit {
  readonly problems: readonly SchemaProblem[];
  readonly checked: boolean;
}

async function misfitOf(tool: AuthorizedCall["tool"], output: Json): Promise<Misfit | null> {
  try {
    const definition = tool as Parameters<typeof problemsOf>[1];
    const problems = await problemsOf(output, definition, "outputSchema", builtinTool(tool.id));
    return problems.length === 0 ? null : { problems, checked: true };
  } catch (error) {
    const message = `output schema: ${messageOf(error)}`;
    return { problems: [{ pointer: "", message }], checked: false };
  }
}

function failed(
  code: "upstream_error" | "tool_failed" | "upstream_timeout" | "cancelled",
  message: string,
  upstreamMs: number,
): RunResult {
  return { success: false, error: { code, message }, upstreamMs, attempts: 1 };
}
