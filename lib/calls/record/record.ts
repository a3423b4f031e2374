import { canonicalText } from "@/lib/access/model/canonical";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { nextState } from "@/lib/access/compile/machines";
import { noProgress, type Attempt } from "@/lib/access/decide/routing";
import { toStoredBody } from "@/lib/audit/record/body";
import { toLoggedClaims } from "@/lib/audit/record/claims";
import { cut, redact, storedName } from "@/lib/audit/record/redact";
import type { Caller } from "@/lib/auth/agents/caller";
import type { CallOutput } from "@/lib/contracts/agents/agent-api";
import { stage } from "@/lib/process/turn";
import { keyedDigest } from "@/lib/store/keys/cipher";
import type { SessionMove } from "@/lib/store/log/executions-log";
import type { Intent } from "@/lib/store/log/executions-rows";
import type { LockedSession, RecentCall, SessionChange, SessionRow } from "@/lib/store/calls/sessions";
import type { ToolRow } from "@/lib/resources/tool";
import type { Snapshot } from "@/lib/store/snapshot/snapshot";
import { traceIdOf } from "@/lib/telemetry/trace-context";
import { boundArguments } from "@/lib/calls/pipeline/argument-bounds";
import type { Call } from "@/lib/calls/pipeline/call";
import type { CallContext } from "@/lib/calls/pipeline/call-context";
import { check } from "@/lib/access/decide/resolve";
import { rulesThatRestrict } from "@/lib/access/decide/flow-rules";
import { toRaised } from "@/lib/store/labels/raised-by";

/** How many past calls the no-progress detector examines (docs/reference/decision.md#tier). */
const REMEMBERED_CALLS = 3;

/** The content of an intent row: the call, the inputs of its decision, and the decision. */
export interface Decided {
  readonly call: Call;
  readonly instance: string;
  readonly caller: Caller;
  readonly snapshot: Snapshot;
  readonly session: SessionRow | null;
  /** `null` when the request itself was refused. */
  readonly context: CallContext | null;
  readonly toolId: string | null;
  readonly policies: readonly string[];
  readonly groups: readonly string[];
}

/** The intent row. Redacts bodies before they reach the store. */
export async function toIntent({ call, caller, snapshot, context, toolId, ...decided }: Decided): Promise<Intent> {
  const { redact: configured } = snapshot.settings;
  const tool = toolId === null ? undefined : snapshot.tools.get(toolId);
  const logged = await stage(() => loggedArguments(call));
  return {
    callId: call.callId,
    instance: decided.instance,
    requestId: call.requestId,
    at: new Date(call.at),
    door: call.door,
    ...caller.principal,
    claims: toLoggedClaims(caller.claims, configured),
    toolId,
    source: tool?.source ?? null,
    asked: requestedName(call, tool),
    definitionHash: tool?.definitionHash ?? null,
    policies: decided.policies,
    groups: decided.groups,
    revision: snapshot.revision,
    session: decided.session?.id ?? null,
    stateBefore: storedState(context?.resolution.state ?? null),
    mode: context?.resolution.mode ?? null,
    request: withoutSecrets(context === null ? statedOnly(call) : withoutClaims(context, toolId)),
    arguments: await toStoredBody(logged, configured),
    argumentsDigest: await stage(() => digestOf(logged)),
    parent: call.script?.callId ?? null,
    traceId: traceIdOf(call.trace),
  };
}

/** The name that the caller used. A name of the catalogue stays unchanged; any other may contain a secret. */
function requestedName({ toolId, name }: Call, tool: ToolRow | undefined): string {
  const requested = toolId ?? name ?? "";
  return tool !== undefined && (requested === tool.id || requested === tool.name) ? requested : storedName(requested);
}

/** A state as the log keeps it: a caller may state any text. */
export function storedState(state: string | null): string | null {
  return state === null ? null : storedName(state);
}

/** Fields of a request whose text a caller chooses. */
const CHOSEN = ["group", "state", "machine", "profile", "profiles", "intent", "session_id"];

function withoutSecrets(request: JsonObject): JsonObject {
  const masked: Record<string, Json> = { ...request };
  for (const field of CHOSEN) {
    const value = masked[field];
    if (typeof value === "string") masked[field] = storedName(value);
    else if (Array.isArray(value))
      masked[field] = value.map((one: Json) => (typeof one === "string" ? storedName(one) : one));
  }
  return masked;
}

/** Equal calls have equal digests. A keyed digest does not reveal its arguments. */
export function argumentsDigest(call: Pick<Call, "arguments">): string {
  return digestOf(loggedArguments(call));
}

function digestOf(logged: Json): string {
  return keyedDigest("arguments", canonicalText(logged));
}

/** The arguments; for arguments out of bounds only their problem, because no code may walk through such arguments. */
function loggedArguments(call: Pick<Call, "arguments">): Json {
  const bounded = boundArguments(call.arguments);
  return bounded.ok ? bounded.value : { out_of_bounds: { ...bounded.problem } };
}

/** The request, for each held label the call that raised it, and the flow rules that restrict the tool. */
function withoutClaims(context: CallContext, toolId: string | null): JsonObject {
  const { claims: _claims, ...fields } = context.request;
  const raised = toRaised(context.labels.held ?? []);
  const rules = toolId === null ? [] : decidingRules(context, toolId);
  return {
    ...fields,
    ...(raised.length > 0 && { raisedBy: Object.fromEntries(raised.map(({ label, ...by }) => [label, by])) }),
    ...(rules.length > 0 && { flowRules: [...rules] }),
  };
}

/** The names of the flow rules that hide a tool, or by which its calls wait. Rules behind another refusal do not count. */
function decidingRules({ snapshot: { index }, request, now }: CallContext, toolId: string): readonly string[] {
  const restricting = rulesThatRestrict(index, request, toolId);
  if (restricting.length === 0) return [];
  const checked = check(index, request, toolId, now);
  const isHidden = checked.verdict === "hidden" && checked.reason === "flow_restricted";
  if (checked.verdict !== "visible" && !isHidden) return [];
  return restricting.flatMap(({ rule }) => (rule.effect === (isHidden ? "hide" : "approve") ? rule.name : []));
}

/** The stated fields of a request that was not resolved. The endpoint passes its whole body; the log keeps these fields. */
function statedOnly({ stated, sessionId }: Call): JsonObject {
  const { group, state, machine, profile, intent, confidence } = stated;
  const fields = { group, state, machine, profile, intent, confidence, session_id: sessionId };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** A call's change to its session. `move` runs under the session's lock, on the state that it has then. */
export function sessionMove(
  call: Call,
  context: CallContext,
  ended: { readonly toolId: string; readonly success: boolean; readonly empty: boolean; readonly at: number },
): SessionMove | null {
  const { session, snapshot, request, resolution } = context;
  if (session === null) return null;
  const recentCall: RecentCall = {
    tool: ended.toolId,
    arguments: argumentsDigest(call),
    failed: !ended.success,
    empty: ended.empty,
  };
  const move = (locked: LockedSession): SessionChange => {
    // After a hold expires, another call may hold the session. Then only that call moves it.
    const mayMove = locked.holder === null || locked.holder === (call.script?.hold?.holder ?? call.callId);
    const recent = [...locked.recent, recentCall].slice(-REMEMBERED_CALLS);
    const escalates = !locked.escalated && resolution.mode !== "full" && noProgress(recent.map(toAttempt));
    return {
      ...(ended.success && mayMove
        ? { state: nextState(snapshot.index, request.machine, locked.state, ended.toolId) }
        : {}),
      ...(escalates ? { escalated: true } : {}),
      recent: escalates ? [] : recent,
      calls: 1,
      released: locked.holder === call.callId,
      expiresAt: expiryOf(snapshot, ended.at),
    };
  };
  return { id: session.id, move };
}

function toAttempt({ tool, arguments: digest, failed, empty }: RecentCall): Attempt {
  return { tool, arguments: digest, failed, output: empty ? null : true };
}

/** When a session used at `at` (epoch milliseconds) expires. */
export function expiryOf({ settings }: Snapshot, at: number): Date {
  return new Date(at + settings.sessionHours * 3_600_000);
}

/** The longest details of an error that the log keeps, as JSON text. */
const MAX_DETAILS = 16 * 1024;

/** The caller's error in logged form: bounded and without secrets. */
export function toStoredError(error: CallOutput["error"], configured: readonly string[]): Json {
  if (error === undefined) return null;
  const { details, ...rest } = redact(error as unknown as JsonObject, configured) as JsonObject;
  const message = cut(String(rest["message"]), 4 * 1024);
  if (details === undefined) return { ...rest, message };
  const text = JSON.stringify(details);
  return { ...rest, message, details: text.length > MAX_DETAILS ? { cut: cut(text, MAX_DETAILS) } : details };
}
