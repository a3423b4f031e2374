import type { Json } from "@/lib/access/model/configuration";
import { ERRORS, publicCode, type ErrorCode } from "@/lib/errors";
import type { CallOutput } from "@/lib/contracts/agents/agent-api";
import type { ToolRow } from "@/lib/resources/tool";
import type { Call } from "@/lib/calls/pipeline/call";
import type { OutputWarning, RunResult } from "@/lib/calls/pipeline/contract";

/** A call's answer, and the error code whose HTTP status it has; `null` = it succeeded. */
export interface Answer {
  readonly code: ErrorCode | null;
  readonly output: CallOutput;
  /** For HTTP endpoints: when to retry. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent when the call did not end with this answer: it was accepted, or the answer was stored before. */
  readonly end?: CallEnd;
}

/** Facts about the end of a call, for telemetry and its idempotency key. No caller receives them. */
export interface CallEnd {
  /** The configured tool; `null` when the call named no tool of the catalogue. */
  readonly tool: Pick<ToolRow, "id" | "source" | "name"> | null;
  /** The true reason of a refusal. */
  readonly reason: string | null;
  /** Milliseconds spent in the tool; `null` when it did not run. */
  readonly upstreamMs: number | null;
  /** Whether the upstream received nothing of the last attempt. */
  readonly isUnsent?: boolean;
}

/** The parts of an answer besides its verdict. */
export interface Facts {
  readonly state?: CallOutput["state"];
  readonly revision?: number;
  readonly attempts?: number;
  /** Only for a call that is answered later. */
  readonly delivery?: CallOutput["delivery"];
  /** The output does not fit its schema. */
  readonly warning?: RunResult["warning"];
  /** Content blocks of an MCP server besides the output. */
  readonly content?: RunResult["content"];
  readonly toolId?: string;
  readonly name?: string;
  readonly details?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

const OPEN: ReadonlySet<CallOutput["status"]> = new Set(["pending", "running", "awaiting_approval"]);

/** Whether the call has not ended: the answer is its current status. */
export function isOpen({ output }: Pick<Answer, "output">): boolean {
  return OPEN.has(output.status);
}

const ENDED = ["succeeded", "denied", "cancelled"] as const;

/** The status of an ended call in the log, taken from its answer: even a run can be denied, for a missing consent. */
export function endedStatus({ output }: Answer): (typeof ENDED)[number] | "failed" {
  return ENDED.find((status) => status === output.status) ?? "failed";
}

type Failure = NonNullable<RunResult["error"]>;

/** Makes the answers of one call. */
export interface Answerer {
  success(output: Json, facts: Facts): Answer;
  failure(failure: Failure, facts: Facts): Answer;
  error(code: ErrorCode, message: string, facts?: Facts): Answer;
  /** The answer of a call that runs later, or when a person has approved it. */
  accepted(status: "pending" | "awaiting_approval", facts: Facts): Answer;
}

/** The codes of refusals; any other error is a failure. */
const DENIALS: ReadonlySet<ErrorCode> = new Set([
  "tool_not_available",
  "access_requestable",
  "arguments_refused",
  "insufficient_scope",
  "authorization_needed",
  "approval_denied",
  "approval_expired",
  "rate_limited",
  "quota_exceeded",
  "paused",
]);

/** The answer of a call that was abandoned before it ran, from its earlier answer. */
export function toCancelled({ output }: Answer): Answer {
  const error = { code: "cancelled", message: "The call was cancelled before it ran.", retryable: false };
  return { code: "cancelled", output: { ...output, status: "cancelled", error } };
}

function toOutputWarning({ message, problems }: OutputWarning): NonNullable<CallOutput["output_warning"]> {
  return { message, problems: problems.map((problem) => ({ ...problem })) };
}

/** Milliseconds with three decimals. */
export function toThousandths(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}

/** Answers for one call; `elapsed` in milliseconds since it came in. */
export function answerer(call: Pick<Call, "callId" | "toolId" | "name">, elapsed: () => number): Answerer {
  const base = (status: CallOutput["status"], facts: Facts): CallOutput => ({
    call_id: call.callId,
    tool_id: facts.toolId ?? call.toolId,
    name: facts.name ?? call.name,
    status,
    state: facts.state ?? { before: null, after: null },
    duration_ms: toThousandths(elapsed()),
    attempts: facts.attempts ?? 0,
    ...(facts.delivery === undefined ? {} : { delivery: facts.delivery }),
    revision: facts.revision ?? 0,
  });
  const failure = ({ code, message, retryable, details, headers }: Failure, facts: Facts): Answer => ({
    code,
    ...(headers === undefined ? {} : { headers }),
    output: {
      ...base(code === "cancelled" ? "cancelled" : DENIALS.has(code) ? "denied" : "failed", facts),
      error: {
        code: publicCode(code),
        message,
        retryable: retryable ?? ERRORS[code].retryable,
        ...(details === undefined ? {} : { details: details as never }),
      },
    },
  });
  return {
    success: (output, { content, warning, ...facts }) => ({
      code: null,
      output: {
        ...base("succeeded", facts),
        output: output as never,
        ...(warning === undefined ? {} : { output_warning: toOutputWarning(warning) }),
        ...(content === undefined ? {} : { content: content as never }),
      },
    }),
    failure,
    accepted: (status, facts) => ({ code: null, output: base(status, facts) }),
    error: (code, message, { details, headers, ...facts } = {}) =>
      failure(
        { code, message, ...(details === undefined ? {} : { details }), ...(headers === undefined ? {} : { headers }) },
        facts,
      ),
  };
}
