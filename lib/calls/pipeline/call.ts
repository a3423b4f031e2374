import type { Caller } from "@/lib/auth/agents/caller";
import type { Json } from "@/lib/access/model/configuration";
import type { ErrorCode } from "@/lib/errors";
import type { PrintedLine } from "@/lib/sandbox/messages";
import type { TraceContext } from "@/lib/telemetry/trace-context";
import type { SpanAttributes } from "@/lib/telemetry/traces";
import type { Stated } from "@/lib/calls/pipeline/asked";

/** A call as a door hands it over: who, what and with which arguments; nothing is decided yet. */
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
  /** As received: nothing has bounded or read it. */
  readonly arguments: unknown;
  readonly sessionId: string | null;
  readonly stated: Stated;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The caller's key: the same call with the same key is made once (docs/reference/http.md#agent-api). */
  readonly idempotencyKey: string | null;
  /** `later`: the caller does not wait for the answer. `resumed`: it was accepted before and runs now. */
  readonly mode: "now" | "later" | "resumed";
  /** Hears of a running call; `null` = nobody listens. */
  readonly listener: CallListener | null;
  /** The caller's trace; within the pipeline, the call's own place in it. `null` = none. */
  readonly trace: TraceContext | null;
  /** What the door's protocol says of the request, for the call's span. */
  readonly exchange?: SpanAttributes;
  /** Where the end of a call that is answered later is told; absent = nowhere. */
  readonly callbackUrl?: string;
  /** Why its door has it refused, whatever the rules say: logged like any refusal. Absent = the pipeline decides. */
  readonly refused?: Refusal;
  /** The script that calls; absent = the agent itself. */
  readonly script?: CallingScript;
}

/** A script that calls a tool. */
export interface CallingScript {
  /** The script's own call. */
  readonly callId: string;
  /** How many scripts stand between the agent and the call. */
  readonly depth: number;
  /** Aborted when the script has ended, however it did: what it called ends with it. */
  readonly ended: AbortSignal;
  /** The hold of the session that the script runs under; `null` = none. */
  readonly hold: ScriptHold | null;
}

/** A hold of a session as the calls of a script have it: those that move the session take turns among themselves. */
export interface ScriptHold {
  /** The call that holds the session. */
  readonly holder: string;
  readonly turns: TurnQueue;
}

/** Turns in the order in which they were asked for. */
export type TurnQueue = () => {
  /** Resolves when those before have given their turns back. */
  readonly mine: Promise<void>;
  readonly release: () => void;
};

/** What a caller that waits is told while the tool runs. */
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
  /** What the caller is told. */
  readonly message: string;
  readonly details?: Json;
  /** What an HTTP door adds: when to come again. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The true reason, for the log alone. */
  readonly reason: string;
  /** The tool that was meant, as far as that is known; for the log alone. */
  readonly toolId?: string | null;
  readonly policies?: readonly string[];
  readonly groups?: readonly string[];
}
