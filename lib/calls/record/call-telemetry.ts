import { metrics } from "@/lib/telemetry/metrics";
import { startSpan, type Span } from "@/lib/telemetry/traces";
import type { Answer, CallEnd } from "@/lib/calls/pipeline/answer";
import type { Call } from "@/lib/calls/pipeline/call";

/** The end of a call that failed before any decision. */
export const UNDECIDED: CallEnd = { tool: null, reason: null, upstreamMs: null };

/**
 * Makes a call within its span `execute_tool`, and counts how it ended (docs/reference/execution.md#telemetry). An answer
 * without `end` is not counted: the call was accepted, or the answer was stored before.
 */
export async function withTelemetry(call: Call, make: (traced: Call) => Promise<Answer>): Promise<Answer> {
  const span = spanOf(call);
  try {
    const answer = await make({ ...call, trace: span.context });
    endSpan(span, answer);
    if (answer.end !== undefined) count(call, answer, answer.end);
    return answer;
  } catch (error) {
    span.end({ attributes: {}, error: "unauthenticated" });
    throw error;
  }
}

/** OpenTelemetry, Semantic conventions for generative AI and for MCP. */
function spanOf({ callId, requestId, door, caller, sessionId, script, trace, exchange }: Call): Span {
  const { agent } = caller.principal;
  return startSpan(
    {
      name: "execute_tool",
      kind: script === undefined ? "server" : "internal",
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.call.id": callId,
        ...(agent !== null && { "gen_ai.agent.name": agent }),
        ...(sessionId !== null && { "gen_ai.conversation.id": sessionId }),
        ...exchange,
        "quartermaster.door": door,
        "quartermaster.request_id": requestId,
      },
    },
    trace,
  );
}

function endSpan(span: Span, { code, output, end }: Answer): void {
  const tool = end?.tool ?? null;
  span.end({
    ...(tool !== null && { name: `execute_tool ${tool.name}` }),
    attributes: {
      ...(tool !== null && { "gen_ai.tool.name": tool.name, "quartermaster.source": tool.source }),
      "quartermaster.status": output.status,
      "quartermaster.revision": output.revision,
    },
    error: code,
  });
}

/** Labels come from the configuration and from closed sets, never from a caller's text. */
function count({ door }: Call, { code, output }: Answer, { tool, reason, upstreamMs }: CallEnd): void {
  const { calls, errors, refusals, outputWarnings, toolTime, gatewayTime } = metrics();
  const { status, duration_ms: milliseconds, output_warning } = output;
  const of = { tool: tool?.id ?? "", source: tool?.source ?? "" };
  calls.of({ ...of, door, status }).add();
  if (output_warning !== undefined) outputWarnings.of(of).add();
  if (code !== null) errors.of({ ...of, code }).add();
  // Why a tool is hidden is a code; why arguments or limits refuse may be a sentence.
  if (status === "denied")
    refusals.of({ reason: code === "tool_not_available" ? (reason ?? code) : (code ?? "") }).add();
  if (upstreamMs !== null) toolTime.of(of).record(upstreamMs);
  gatewayTime.of({}).record(Math.max(0, milliseconds - (upstreamMs ?? 0)));
}
