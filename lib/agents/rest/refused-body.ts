import type { Caller } from "@/lib/auth/agents/caller";
import type { AppError } from "@/lib/errors";
import { newCallId } from "@/lib/store/log/call-id";
import { traceContextOf } from "@/lib/telemetry/trace-context";
import type { Call, Refusal } from "@/lib/calls/pipeline/call";
import type { Dependencies } from "@/lib/calls/pipeline/dependencies";
import { executeAnswered } from "@/lib/calls/pipeline/execute";

/** Limits of what the log stores of a refused body: characters per name, and problems. */
const MAX_CHARACTERS = 200;
const MAX_PROBLEMS = 5;

/** A call with an invalid envelope. Nothing in its body can be trusted. */
export interface RefusedBody {
  readonly caller: Caller;
  readonly reauthenticate: Call["reauthenticate"];
  readonly body: unknown;
  readonly error: AppError;
  readonly request: Request;
  readonly requestId: string;
}

/** Logs the refused call of an authenticated caller. The caller gets the error in any case. */
export async function logRefusedBody(refused: RefusedBody, deps: Dependencies): Promise<void> {
  const { caller, reauthenticate, body, error, request, requestId } = refused;
  const { tool_id: toolId, name } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const call: Call = {
    callId: newCallId(),
    requestId,
    door: "rest",
    caller,
    reauthenticate,
    toolId: textOf(toolId),
    name: textOf(name),
    arguments: {},
    sessionId: null,
    stated: {},
    at: Date.now(),
    idempotencyKey: null,
    mode: "now",
    listener: null,
    trace: traceContextOf(request.headers),
    refused: refusalOf(error),
  };
  await executeAnswered(call, deps);
}

function refusalOf({ message, errors }: AppError): Refusal {
  const problems = errors.slice(0, MAX_PROBLEMS).map((problem) => ({
    path: problem.path.slice(0, MAX_CHARACTERS),
    message: problem.message.slice(0, MAX_CHARACTERS),
  }));
  const [first] = problems;
  const reason = first === undefined ? message : `${first.path}: ${first.message}`;
  return { code: "invalid_request", message, details: problems, reason };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value.slice(0, MAX_CHARACTERS) : null;
}
