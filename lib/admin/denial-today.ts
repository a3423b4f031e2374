import { conditionalPolicies, rulesOnArguments } from "@/lib/access/decide/arguments";
import { isOperator, operatorTable } from "@/lib/access/matching/operators";
import { rulesThatAsk } from "@/lib/access/decide/flow-rules";
import { offersOf } from "@/lib/access/decide/offers";
import { explain } from "@/lib/access/explain/explain";
import { statePathsInParts } from "@/lib/access/explain/state-path";
import { registeredIn, requestAgain, type LoggedCaller } from "@/lib/access/impact/request";
import { isSameJson } from "@/lib/access/model/canonical";
import type { Json } from "@/lib/access/model/configuration";
import type { Index } from "@/lib/access/compile/compile";
import type { ResolveRequest } from "@/lib/access/decide/resolution";
import type { DenialDetail, DenialRow } from "@/lib/contracts/decisions/denial";
import type { ExecutionDetail } from "@/lib/contracts/log/execution";
import { findDenial } from "@/lib/admin/denials";
import { listGrants } from "@/lib/admin/grants";
import { loggedInputs } from "@/lib/admin/preview";
import { publicOrigin } from "@/lib/env";
import { statePathOutput } from "@/lib/manifest/preview";
import { toolNeedsApproval } from "@/lib/resources/tool";
import { listHeld } from "@/lib/store/labels/holders";
import { getExecution } from "@/lib/store/log/executions";
import type { Actor } from "@/lib/store/save/change";
import { runInTurns } from "@/lib/store/db/in-turns";
import { currentSnapshot, snapshotAt, type Snapshot } from "@/lib/store/snapshot/snapshot";

/** Today's decision on a call like a refused one, and the grants that would allow it. */
type Decided = Pick<DenialDetail, "revision" | "today" | "cause" | "grants">;
/** The labels that the caller holds now. */
type Held = Awaited<ReturnType<typeof listHeld>>["items"];

/** Codes of refusals that a resolution decides: policies, groups and its other steps. */
const DECIDED: ReadonlySet<string> = new Set([
  "tool_not_available",
  "access_requestable",
  "arguments_refused",
  "paused",
]);

/** The decision of today where none can be computed. */
const UNDECIDED: DenialDetail["today"] = {
  verdict: "unknown",
  needsApproval: false,
  conditions: [],
  offers: [],
  reason: null,
  problem: null,
  fix: null,
  machine: null,
  statePath: null,
};

/** Most calls that an answer names. */
const EXAMPLES = 5;

/**
 * The kind of a refused call (by id), with today's decision on a call like its latest and the grants that would
 * allow it; `null` when there is no such refusal. The fix depends on the caller's claims, so it may reveal them.
 *
 * @param reader the person who asks
 * @param now epoch milliseconds; `signal` ends the work when the caller has left
 * @throws AppError `config_unavailable`
 */
export async function readDenial(
  id: string,
  reader: Actor,
  now: number,
  signal?: AbortSignal,
): Promise<DenialDetail | null> {
  const found = await findDenial(id, now, EXAMPLES);
  if (found === null) return null;
  const logged = await getExecution(found.row.id, { bodies: true });
  const held = await heldNow(found.row, logged?.session ?? null, reader, now);
  const today = await decideToday(found.row, logged, held, now, signal);
  const flow = await flowOf(logged, held);
  return { ...found.row, examples: found.calls, raisedBy: logged?.raisedBy ?? [], flow, ...today };
}

/** The labels that the caller, and the session of its latest call, hold now. */
async function heldNow(
  { issuer, subject }: DenialRow,
  session: string | null,
  reader: Actor,
  now: number,
): Promise<Held> {
  const sessions = session === null ? [""] : ["", session];
  return (await listHeld({ issuer, subject, session: { in: sessions } }, reader, new Date(now))).items;
}

/** The flow rules that refused a call, with their labels that are still held. A deleted rule has no labels. */
async function flowOf(logged: ExecutionDetail | null, held: Held): Promise<DenialDetail["flow"]> {
  const rules = logged?.flowRules ?? [];
  if (rules.length === 0) return null;
  const { index } = await currentSnapshot();
  const labels = new Set(index.config.flows.flatMap(({ name, when }) => (rules.includes(name) ? when : [])));
  return { rules: [...rules], held: held.filter(({ label }) => labels.has(label)) };
}

async function decideToday(
  denial: DenialRow,
  logged: ExecutionDetail | null,
  held: Held,
  now: number,
  signal?: AbortSignal,
): Promise<Decided> {
  const { index, revision, settings, tools } = await currentSnapshot();
  const unknown = (problem: string, cause: Decided["cause"] = null): Decided => ({
    revision,
    today: { ...UNDECIDED, problem },
    cause,
    grants: [],
  });
  if (!denial.known) return unknown("No tool had this name. The caller got the same answer as for a hidden tool.");
  const cause = causeOf(denial, tools);
  if (cause !== null)
    return unknown(
      cause.kind === "limit"
        ? "A limit refused these calls. A grant would not change that."
        : "These calls needed a person's approval. A grant would not change that.",
      cause,
    );
  if (!DECIDED.has(denial.code ?? ""))
    return unknown("Neither policies nor groups refused these calls. A grant would not change that.");
  const caller = callerOf(denial, logged, held);
  if (caller === null) return unknown("The claims of this caller are no longer stored.");
  const known = await runInTurns(registeredIn(index), Number.POSITIVE_INFINITY, signal);
  const again = requestAgain(known, known, caller);
  if (!again.ok) return unknown(`The caller would not be served today: ${again.message}.`);
  const explanation = explain(index, again.request, denial.tool, now);
  if (explanation === null) return unknown("The tool no longer exists.");
  const tool = tools.get(denial.tool);
  const asks =
    (tool !== undefined && toolNeedsApproval(tool, settings.approvals.sideEffects)) ||
    rulesThatAsk(index, again.request, denial.tool).length > 0;
  const conditions = explanation.visible ? conditionalPolicies(index, again.request, denial.tool, now) : [];
  const decided = { index, request: again.request, tool: denial.tool, now };
  const verdict = explanation.visible ? await verdictOnArguments(logged, decided, conditions.length > 0) : "refused";
  const { offers, statePath } = await offersWithPath(decided, signal);
  return {
    revision,
    today: {
      verdict,
      needsApproval: asks,
      conditions: [...conditions],
      offers: [...offers],
      reason: explanation.reason,
      problem: null,
      fix: explanation.fix as Decided["today"]["fix"],
      machine: again.request.machine,
      statePath,
    },
    cause: null,
    grants: await listGrants({ index, request: again.request, now }, denial.tool, signal),
  };
}

/** A decision of today on a call of a tool. */
interface OnTool {
  readonly index: Index;
  readonly request: ResolveRequest;
  readonly tool: string;
  readonly now: number;
}

/**
 * The verdict on a call of a visible tool: refused again while the rules that refused its arguments are unchanged. Reads no
 * arguments, because a verdict of other rules would reveal something about them.
 */
async function verdictOnArguments(
  logged: ExecutionDetail | null,
  { index, request, tool, now }: OnTool,
  isConditional: boolean,
): Promise<Decided["today"]["verdict"]> {
  if (!isConditional) return "allowed";
  if (logged?.code !== "arguments_refused") return "conditional";
  const was = loggedInputs(logged);
  if (typeof was === "string") return "conditional";
  const { index: own } = await snapshotAt(logged.revision);
  const rules = [
    rulesOnArguments(own, was, tool, Date.parse(logged.at)),
    rulesOnArguments(index, request, tool, now),
  ] as const;
  const areSame = isSameJson(rules[0] as unknown as Json, rules[1] as unknown as Json);
  return areSame && !comparesWithNow(rules[1]) ? "refused" : "conditional";
}

/** Whether time alone can change the verdict of rules: a condition states a duration from now. */
function comparesWithNow(rules: ReturnType<typeof rulesOnArguments>): boolean {
  const isDuration = (operator: string) => isOperator(operator) && operatorTable[operator].value === "duration";
  return rules.some((rule) => rule.arguments.some(({ operator }) => isDuration(operator)));
}

/**
 * The request policies that offer a tool, with the calls that lead to its state. An offer in another state counts only if
 * calls lead there, or the caller states its state itself.
 */
async function offersWithPath(
  decided: OnTool,
  signal?: AbortSignal,
): Promise<{ readonly offers: readonly string[]; readonly statePath: Decided["today"]["statePath"] }> {
  const { index, request, tool, now } = decided;
  const pathTo = async (isOffered: boolean) => {
    const searched = statePathsInParts(index, request, now, [tool], isOffered);
    const paths = await runInTurns(searched, Number.POSITIVE_INFINITY, signal);
    return statePathOutput(paths.get(tool), index, request) as Decided["today"]["statePath"];
  };
  const { offers, isElsewhere } = offersFor(decided);
  const statePath = await pathTo(isElsewhere);
  if (!isElsewhere || statePath === null || statePath.calls.length > 0 || !statePath.needsSession)
    return { offers, statePath };
  return { offers: [], statePath: await pathTo(false) };
}

/** The request policies that offer a tool: in the caller's state, else (`isElsewhere`) in a state that allows the tool. */
function offersFor({ index, request, tool: toolId, now }: OnTool): {
  readonly offers: readonly string[];
  readonly isElsewhere: boolean;
} {
  const inState = (state: string | null) => offersOf(index, { ...request, state }, toolId, now).map(({ name }) => name);
  const here = inState(request.state);
  const tool = index.config.tools.find(({ id }) => id === toolId);
  const [allowed] = tool === undefined ? [] : (index.machines.get(request.machine)?.statesOf(tool) ?? []);
  if (here.length > 0 || allowed === undefined) return { offers: here, isElsewhere: false };
  const elsewhere = inState(allowed);
  return { offers: elsewhere, isElsewhere: elsewhere.length > 0 };
}

/** The limit or the approval that refused a call, with the row that holds it. */
function causeOf({ code, reason, tool, agent }: DenialRow, tools: Snapshot["tools"]): Decided["cause"] {
  if (code === "rate_limited" || code === "quota_exceeded") {
    if (reason.endsWith(" of agent") && agent !== null) return { kind: "limit", rule: { kind: "agent", name: agent } };
    const ofTool = reason.endsWith(" of tool") || reason.endsWith(" of caller_and_tool");
    return { kind: "limit", rule: ofTool ? { kind: "tool", name: tool } : null };
  }
  if (code !== "approval_denied" && code !== "approval_expired") return null;
  const isTools = tools.get(tool)?.requiresApproval === true;
  return { kind: "approval", rule: isTools ? { kind: "tool", name: tool } : { kind: "settings", name: "approvals" } };
}

function labelsOf(held: Held): string[] {
  return [...new Set(held.map(({ label }) => label))].toSorted();
}

/**
 * A call's caller from the log, with the labels that it holds now; `null` when its claims are deleted, or it was refused
 * before its resolution.
 */
function callerOf({ issuer, subject }: DenialRow, logged: ExecutionDetail | null, held: Held): LoggedCaller | null {
  if (logged === null || logged.claims === null || logged.mode === null) return null;
  return {
    issuer,
    subject,
    isOwnToken: issuer === publicOrigin(),
    claims: logged.claims as LoggedCaller["claims"],
    // Labels end and are cleared, so the ones of the refused call say nothing about today.
    request: { ...(logged.request as unknown as LoggedCaller["request"]), labels: labelsOf(held) },
    fromSession: logged.session !== null,
  };
}
