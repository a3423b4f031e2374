import type { Caller } from "@/lib/auth/agents/caller";
import type { Json } from "@/lib/access/model/configuration";
import type { ErrorCode } from "@/lib/errors";
import type { PrintedLine } from "@/lib/sandbox/messages";
import type { TraceContext } from "@/lib/telemetry/trace-context";
import type { SpanAttributes } from "@/lib/telemetry/traces";
import type { Stated } from "@/lib/calls/pipeline/request-fields";

/** A call as an endpoint passes it on: caller, tool and arguments, before any decision. */
export interface Call {
  readonly callId: string;
  readonly requestId: string;
  readonly door: "rest" | "mcp" | "try";
  readonly caller: Caller;
  /** Authenticates the same request again, when the rules changed meanwhile. @throws AppError `unauthenticated` */
  readonly reauthenticate: () => Promise<Caller>;
  /** Exactly one of the two; `name` is the exposed name of the caller's list. */
  readonly toolId: string | null;
  readonly name: string | null;
  /** As received, without any check. */
  readonly arguments: unknown;
  readonly sessionId: string | null;
  readonly stated: Stated;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The same call with the same key is made once (docs/reference/http.md#agent-api). */
  readonly idempotencyKey: string | null;
  /** `later`: the caller does not wait for the answer. `resumed`: it was accepted before and runs now. */
  readonly mode: "now" | "later" | "resumed";
  /** Receives the events of a running call; `null` = no one needs them. */
  readonly listener: CallListener | null;
  /** Called once, when no step can refuse the call any more: before it runs, is queued, or gets the stored answer. */
  readonly onAuthorized?: (() => void) | undefined;
  /** The trace context: the caller's as received, the call's own span inside the pipeline. `null` = none. */
  readonly trace: TraceContext | null;
  /** Facts of the endpoint's protocol, for the call's span. */
  readonly exchange?: SpanAttributes;
  /** The callback address of an async call; absent = no callback. */
  readonly callbackUrl?: string;
  /** The endpoint's refusal, which the rules cannot lift. It is logged like other refusals. Absent = the pipeline decides. */
  readonly refused?: Refusal;
  /** The script that calls; absent = the agent itself. */
  readonly script?: CallingScript;
}

/** A script that calls a tool. */
interface CallingScript {
  /** The script's own call. */
  readonly callId: string;
  /** How many scripts stand between the agent and the call. */
  readonly depth: number;
  /** Aborted when the script ends in any way: its calls end with it. */
  readonly ended: AbortSignal;
  /** The hold of the session that the script runs under; `null` = none. */
  readonly hold: ScriptHold | null;
}

/** A script's hold of a session. Calls of the script that move the session take turns. */
export interface ScriptHold {
  /** The call that holds the session. */
  readonly holder: string;
  readonly turns: TurnQueue;
}

/** Gives turns in the order of the requests. */
export type TurnQueue = () => {
  /** Resolves when all earlier turns are released. */
  readonly mine: Promise<void>;
  readonly release: () => void;
};

/** The events that a waiting caller receives while the tool runs. */
export interface CallListener {
  /** @param fraction 0..1 */
  readonly progress: (fraction: number, message: string) => void;
  readonly chunk: (data: Json) => void;
  /** A line that a script printed: for its author, not for agents. */
  readonly print?: (line: PrintedLine) => void;
}

/** Why a call is refused before it runs. */
export interface Refusal {
  readonly code: ErrorCode;
  /** The message for the caller. */
  readonly message: string;
  readonly details?: Json;
  /** Headers that an HTTP endpoint adds: when to retry. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The true reason, for the log only. */
  readonly reason: string;
  /** The tool that the caller meant, when it is known; for the log only. */
  readonly toolId?: string | null;
  readonly policies?: readonly string[];
  readonly groups?: readonly string[];
}
