import { isObject } from "@/lib/access/model/json";
import { checkArguments } from "@/lib/access/decide/arguments";
import type { Index } from "@/lib/access/compile/compile";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { explain } from "@/lib/access/explain/explain";
import { REASONS, type ResolveRequest } from "@/lib/access/decide/resolution";
import { REDACTED } from "@/lib/audit/record/redact";
import { AppError } from "@/lib/errors";
import type { ExecutionDetail } from "@/lib/contracts/log/execution";
import type { ReplayInput, ReplayOutput } from "@/lib/contracts/decisions/replay";
import { droppedCall } from "@/lib/store/log/dropped-calls";
import { getExecution } from "@/lib/store/log/executions";
import { loggedInputs } from "@/lib/admin/preview";
import { currentSnapshot, snapshotAt } from "@/lib/store/snapshot/snapshot";

type Decision = ReplayOutput["original"];
type Verdict = Decision["verdict"];

/**
 * Decides a logged call again from its own inputs (docs/reference/http.md#admin-api). Under its own revision, the decision
 * must match the log. Under another revision, it shows the effect of changed rules.
 *
 * @throws AppError `not_found` for the call or the revision; `dropped` for a call of a dropped month; `conflict` when the inputs are not stored
 */
export async function replayExecution(callId: string, { revision }: ReplayInput): Promise<ReplayOutput> {
  const logged = await getExecution(callId, { bodies: true });
  if (logged === null) throw (await droppedCall(callId)) ?? new AppError("not_found", "There is no such execution.");
  const request = loggedInputs(logged);
  if (typeof request === "string") throw new AppError("conflict", `The call cannot be replayed: ${request}.`);
  const toolId = logged.toolId ?? logged.asked;
  const args = knownArguments(logged);
  const at = Date.parse(logged.at);
  const own = await snapshotAt(logged.revision);
  const other = revision === undefined ? await currentSnapshot() : await snapshotAt(revision);
  const original = decisionOf({ index: own.index, request, toolId, args, now: at });
  const replayed = decisionOf({
    index: other.index,
    request,
    toolId,
    args,
    now: revision === undefined ? Date.now() : at,
  });
  const verdict = loggedVerdict(logged);
  return {
    callId,
    toolId,
    logged: {
      revision: logged.revision,
      at: logged.at,
      verdict,
      status: logged.status,
      code: logged.code,
      reason: logged.reason,
    },
    original,
    replayed,
    argumentsKnown: args !== null,
    reproduced: verdict === null ? null : isReproduced(original, { verdict, reason: logged.reason }, args !== null),
    differs: original.verdict !== replayed.verdict || original.reason !== replayed.reason,
  };
}

interface Question {
  readonly index: Index;
  readonly request: ResolveRequest;
  readonly toolId: string;
  /** null: argument conditions are not checked. */
  readonly args: JsonObject | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

function decisionOf({ index, request, toolId, args, now }: Question): Decision {
  const decided = { revision: index.revision, at: new Date(now).toISOString() };
  const explanation = explain(index, request, toolId, now);
  if (explanation === null)
    return {
      ...decided,
      verdict: "unknown_tool",
      decidedBy: null,
      reason: null,
      detail: `There is no tool \`${toolId}\`.`,
      policies: [],
    };
  const { decidedBy, reason, steps, via } = explanation;
  const failed = steps.find(({ step }) => step === decidedBy);
  if (failed !== undefined)
    return { ...decided, verdict: "hidden", decidedBy, reason, detail: failed.detail, policies: [] };
  const policies = [...new Set(via.flatMap((one) => one.policies))];
  const check = args === null ? null : checkArguments(index, request, toolId, args, now);
  const open = { ...decided, decidedBy: null, reason: null };
  if (check === null || check.allowed)
    return { ...open, verdict: "allowed", detail: "The tool passes every step.", policies };
  return {
    ...open,
    verdict: "arguments_refused",
    detail: check.reason,
    policies: check.policy === null ? [] : [check.policy],
  };
}

const HIDDEN: ReadonlySet<string | null> = new Set(["tool_not_available", "access_requestable", "paused"]);

/** The decision according to the log; null when the call was refused before the rules, or named several tools. */
function loggedVerdict({ code, reason, mode }: ExecutionDetail): Verdict | null {
  if (mode === null || code === "ambiguous_name") return null;
  if (reason === "unknown_tool") return "unknown_tool";
  if (HIDDEN.has(code)) return "hidden";
  return code === "arguments_refused" ? "arguments_refused" : "allowed";
}

function isReproduced(
  original: Decision,
  logged: { verdict: Verdict; reason: string | null },
  argumentsKnown: boolean,
) {
  const comparable = (verdict: Verdict) => (verdict === "arguments_refused" && !argumentsKnown ? "allowed" : verdict);
  if (comparable(original.verdict) !== comparable(logged.verdict)) return false;
  return original.reason === null || !Object.hasOwn(REASONS, logged.reason ?? "") || original.reason === logged.reason;
}

/** The arguments, if the policies were checked with exactly these: complete, and not refused before. */
function knownArguments({ arguments: args, code }: ExecutionDetail): JsonObject | null {
  if (code === "invalid_arguments" || !isObject(args)) return null;
  return isRedacted(args as Json) ? null : (args as JsonObject);
}

function isRedacted(value: Json): boolean {
  if (typeof value === "string") return value.includes(REDACTED);
  return typeof value === "object" && value !== null && Object.values(value).some((part) => isRedacted(part as Json));
}
