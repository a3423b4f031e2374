import { reauthenticate } from "@/lib/auth/agents/authenticate";
import type { Caller } from "@/lib/auth/agents/caller";
import type { Dependencies } from "@/lib/calls/pipeline/dependencies";
import type { ToolAnswer } from "@/lib/sandbox/messages";
import { AppError, type ErrorCode } from "@/lib/errors";
import type { Answer } from "@/lib/calls/pipeline/answer";
import type { Call, ScriptHold } from "@/lib/calls/pipeline/call";

/** Scripts that may stand between an agent and a tool: a script may call a script that calls tools, and no further. */
const MAX_DEPTH = 2;

/** Lets a script call a tool, by its exposed name or its id; `args` is JSON text. Never rejects. */
export type CallTool = (name: string, args: string) => Promise<ToolAnswer>;

/** Makes the function by which one run of a script calls tools. It refuses calls after the run has ended. */
export type NestedCalls = (ended: AbortSignal) => CallTool;

/**
 * The only way out of a script: a separate call through the whole pipeline, as the same caller, in the same session,
 * with all fields that the caller stated, and a log row with the same request id. A script can do nothing that its
 * caller could not do, and its calls end with it.
 */
export function nestedCalls(
  call: Call,
  hold: ScriptHold | null,
  make: (call: Call) => Promise<Answer>,
  newId: () => string,
): NestedCalls {
  const depth = (call.script?.depth ?? 0) + 1;
  return (ended) => async (name, args) => {
    if (depth > MAX_DEPTH) return refusal("invalid_request", "A script that another script called cannot call tools.");
    // The colon of an id cannot be part of a name.
    const target = name.includes(":") ? { toolId: name, name: null } : { toolId: null, name };
    try {
      const nested: Call = {
        ...call,
        ...target,
        callId: newId(),
        arguments: JSON.parse(args) as unknown,
        at: Date.now(),
        idempotencyKey: null,
        mode: "now",
        listener: null,
        onAuthorized: undefined,
        script: { callId: call.callId, depth, ended, hold },
      };
      return toToolAnswer(await make(nested));
    } catch (error) {
      if (error instanceof AppError) return refusal(error.code, error.message);
      return refusal("internal", "The tool could not be called.");
    }
  };
}

/** The call as its script's calls continue it: its token may expire meanwhile, as that of a queued call. */
export function asAccepted(call: Call, caller: Caller, deps: Pick<Dependencies, "snapshot" | "now">): Call {
  if (caller.credential.kind === "trial") return { ...call, caller };
  return { ...call, caller, reauthenticate: async () => reauthenticate(caller, await deps.snapshot(), deps.now()) };
}

function toToolAnswer({ output: { status, output, error } }: Answer): ToolAnswer {
  if (status === "succeeded") return { ok: true, output: output ?? null };
  if (error === undefined)
    return refusal("internal", "The tool answers asynchronously, and a script cannot wait for it.");
  const { code, message, details } = error;
  return { ok: false, code, message, ...(details === undefined ? {} : { details }) };
}

function refusal(code: ErrorCode, message: string): ToolAnswer {
  return { ok: false, code, message };
}
