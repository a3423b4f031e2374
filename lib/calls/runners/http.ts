import type { Json, JsonObject } from "@/lib/access/model/configuration";
import type { Caller } from "@/lib/auth/agents/caller";
import { AppError, ERRORS } from "@/lib/errors";
import { isConnectFailure } from "@/lib/outbound/connector";
import { outbound, type Outbound, type OutboundAnswer } from "@/lib/outbound/fetch";
import { answerBytes } from "@/lib/resources/parts/limits";
import type { SourceRow } from "@/lib/resources/source";
import type { ToolRow } from "@/lib/resources/tool";
import { traceFields, type TraceContext } from "@/lib/telemetry/trace-context";
import type { RunResult } from "@/lib/calls/pipeline/contract";
import { sharedCredentials, type Credentials } from "@/lib/calls/credentials/credentials";
import { detailsOf } from "@/lib/calls/linked-accounts/authorization-needed";
import { requireScopes } from "@/lib/calls/linked-accounts/step-up";
import { maskAnswer, maskResult } from "@/lib/calls/credentials/mask";
import { withCredentials } from "@/lib/calls/credentials/with-credentials";
import { toRunAnswer } from "@/lib/calls/runners/http-answer";
import { forwardChunks } from "@/lib/calls/runners/http-chunks";
import { toHttpRequest } from "@/lib/calls/runners/http-request";

/** One call of an HTTP tool, after every check of the pipeline. */
export interface HttpCall {
  readonly tool: Pick<ToolRow, "id" | "run" | "limits">;
  readonly source: Pick<SourceRow, "name" | "auth">;
  /** For token exchange (the caller's own token is exchanged, never sent) and for linked accounts. */
  readonly caller: Pick<Caller, "credential" | "bearer" | "principal">;
  readonly arguments: JsonObject;
  readonly signal: AbortSignal;
  /** Sent as `x-request-id`, so that the upstream's log and ours can be joined. */
  readonly correlationId?: string;
  /** Sent as `traceparent` and `tracestate`, to this upstream only: none of our other requests carries them. */
  readonly trace?: TraceContext | null;
  /** The idempotency key, equal at each attempt; `null` when the upstream honours no keys. */
  readonly idempotency?: { readonly header: string; readonly key: string } | null;
  /** Receives the answer in chunks; `null` = the caller needs only the whole answer. */
  readonly onChunk?: ((chunk: Json) => void) | null;
}

/**
 * Runs a tool whose `run` is an HTTP request (docs/reference/execution.md#pipeline). Never throws: every failure is a result. One
 * attempt, and one more with a new token when the upstream refuses the cached one. Nothing of the
 * credentials is in the result, whatever the upstream repeats.
 */
export async function runHttp(call: HttpCall, send: Outbound = outbound): Promise<RunResult> {
  const credentials = sharedCredentials();
  const started = performance.now();
  let attempts = 1;
  let streamed = false;
  let isAnswered = false;
  let isSending = false;
  const failed = (error: NonNullable<RunResult["error"]>): RunResult => ({
    success: false,
    error,
    upstreamMs: performance.now() - started,
    attempts,
    streamed,
  });
  const { run, limits } = call.tool;
  if (run?.kind !== "http")
    return failed({ code: "upstream_error", message: "The tool has no request to send: import it again." });
  try {
    const { url, ...built } = toHttpRequest(run, call.arguments);
    let given = await credentials.of({ ...call, url });
    const { onChunk, idempotency = null } = call;
    const forward = (chunk: Json) => {
      streamed = true;
      onChunk?.(chunk);
    };
    const request = {
      ...built,
      url,
      headers: {
        ...built.headers,
        ...(idempotency !== null && { [idempotency.header.toLowerCase()]: idempotency.key }),
        ...(call.correlationId !== undefined && { "x-request-id": call.correlationId }),
        ...traceFields(call.trace ?? null),
      },
      signal: call.signal,
      ...(typeof onChunk === "function" && { listen: forwardChunks(forward, () => given.hidden) }),
      maxBytes: answerBytes(limits),
      ...(limits.timeoutSeconds === null ? {} : { totalMs: limits.timeoutSeconds * 1000 }),
    };
    isSending = true;
    let answer = await send(withCredentials(request, given));
    isAnswered = true;
    let upstreamMs = answer.ms;
    if (answer.status === 401 && given.token !== null) {
      given = await credentials.of({ ...call, url }, given.token);
      attempts = 2;
      answer = await send(withCredentials(request, given));
      upstreamMs += answer.ms;
    }
    await requireScopes(answer, { ...call, hidden: given.hidden });
    return { ...toMaskedAnswer(answer, given), upstreamMs, attempts, status: answer.status, streamed };
  } catch (error) {
    return { ...failed(toFailure(error)), unsent: !isAnswered && (!isSending || isConnectFailure(error)) };
  }
}

/** Masks an error message before it is cut: half a secret would not be recognised. */
function toMaskedAnswer(
  answer: OutboundAnswer,
  { hidden }: Credentials,
): Pick<RunResult, "success" | "output" | "error"> {
  const shown = answer.status < 300 ? answer : maskAnswer(answer, hidden);
  return maskResult(toRunAnswer(shown), hidden);
}

function toFailure(error: unknown): NonNullable<RunResult["error"]> {
  if (!(error instanceof AppError)) return { code: "internal", message: "The request could not be made." };
  const { code, message, errors } = error;
  const facts =
    errors.length === 0 ? detailsOf(error) : errors.map((one) => ({ path: one.path, message: one.message }));
  const details = facts === undefined ? {} : { details: facts };
  return { code, message, retryable: ERRORS[code].retryable, ...details };
}
