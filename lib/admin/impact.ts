import { compileInParts, withoutPauses, type Index } from "@/lib/access/compile/compile";
import { isApplied } from "@/lib/access/compile/policies";
import { OWN_ISSUER } from "@/lib/access/model/claims";
import type { Agent, Configuration, Tool } from "@/lib/access/model/configuration";
import { compareIndexes, type Comparison, type ToolsChange } from "@/lib/access/impact/impact";
import { findUnloggedClaims } from "@/lib/access/impact/unlogged-claims";
import {
  compareStops,
  newlyStopped,
  type CountedCall,
  type Stops,
  type StopsComparison,
} from "@/lib/access/impact/stops";
import { inParts, type Parts } from "@/lib/access/model/parts";
import { toRequest, type RequestAnswer } from "@/lib/access/model/request";
import { draftOfRows, type DraftedSection } from "@/lib/config/draft";
import {
  MAX_AGENTS,
  MAX_CALLERS,
  MAX_NAMED,
  type ImpactCall,
  type ImpactCaller,
  type ImpactInput,
  type ImpactOutput,
} from "@/lib/contracts/decisions/impact";
import { compareFindingsOf } from "@/lib/admin/impact/findings";
import { draftConfiguration, runWithinLimit, type Drafted } from "@/lib/admin/impact/draft";
import { loadRecentCallers, loadRecentCalls, type RecentCall, type RecentCaller } from "@/lib/store/log/recent-calls";
import { stopsAfterRows, stopsIn, toStops, type StopRows } from "@/lib/admin/impact/stops";
import { currentSnapshot, snapshotAt, type Snapshot } from "@/lib/store/snapshot/snapshot";

/** The differences between the log's claims and arguments and the originals, which only the log's writer knows. */
export interface UnloggedClaims {
  /** Outermost claim names that change with every token. */
  readonly unlogged: ReadonlySet<string>;
  /** The replacement of masked values. */
  readonly mask: string;
}

/**
 * Computes what an unsaved change would do (docs/reference/http.md#admin-api): the tools of each persona, distinct recent
 * caller and agent without recent calls before and after, and the recent calls that would be decided differently. Both
 * sides use the resolver without pauses, because an impact describes rules.
 *
 * @param signal ends the work when the caller has left; `admit` gets the number of conditions that the change adds, and
 * throws to refuse it; `onRead` runs before the log is read
 * @throws AppError `invalid_request` naming the field of the change; `not_found` for an unknown revision;
 * `request_timeout`
 */
export async function impact(
  input: ImpactInput,
  unlogged: UnloggedClaims,
  { signal, admit, onRead }: ImpactOptions & { readonly admit?: (conditions: number) => Promise<void> } = {},
): Promise<ImpactOutput> {
  const snapshot = await (input.revision === undefined ? currentSnapshot() : snapshotAt(input.revision));
  const draft = async (before: Configuration) => {
    const drafted = await draftConfiguration(before, input, signal);
    await admit?.(await runWithinLimit(countAddedConditions(before, drafted.configuration), signal));
    return drafted;
  };
  return impactOn(snapshot, draft, unlogged, { signal, onRead, readsArguments: input.arguments });
}

/** Who ends an impact, and what runs before it reads the log. */
export interface ImpactOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onRead?: (() => Promise<void>) | undefined;
}

/** The conditions of the change's policies that no stored policy has. */
function* countAddedConditions(before: Configuration, after: Configuration): Parts<number> {
  const stored = new Set<string>();
  yield* inParts(before.policies, ({ matchers }) => stored.add(JSON.stringify(matchers)));
  let added = 0;
  yield* inParts(after.policies, ({ matchers }) => {
    if (!stored.has(JSON.stringify(matchers))) added += matchers.length;
  });
  return added;
}

/**
 * Computes the impact of many valid rows of one section against the configuration in force. `rows` maps an id to the row as
 * it would be saved, or to `null` for a deletion.
 *
 * @param options.minRevision the revision of the plan, which another process may have saved
 * @throws AppError `config_unavailable`, `request_timeout`
 */
export async function impactOfRows(
  section: DraftedSection,
  rows: ReadonlyMap<string, object | null>,
  unlogged: UnloggedClaims,
  { signal, minRevision = 0 }: { readonly signal?: AbortSignal | undefined; readonly minRevision?: number } = {},
): Promise<ImpactOutput> {
  const draft = async (before: Configuration) => ({
    configuration: await runWithinLimit(draftOfRows(before, section, rows), signal),
    changeStops: (present: StopRows) => stopsAfterRows(present, section, rows),
  });
  return impactOn(await currentSnapshot(minRevision), draft, unlogged, { signal });
}

/** The impact of a change on a snapshot. @throws AppError `config_unavailable`, `request_timeout` */
export async function impactOn(
  snapshot: Snapshot,
  draft: (before: Configuration) => Promise<Drafted>,
  { unlogged, mask }: UnloggedClaims,
  { signal, onRead, readsArguments = false }: ImpactOptions & { readonly readsArguments?: boolean },
): Promise<ImpactOutput> {
  const now = Date.now();
  const before = await runWithinLimit(withoutPauses(snapshot.index), signal);
  const { configuration, changeStops } = await draft(before.config);
  const after = await runWithinLimit(compileInParts(configuration, before), signal);
  const stopRows = stopsIn(snapshot);
  const stops = { before: toStops(stopRows), after: toStops(changeStops(stopRows)) };
  await onRead?.();
  const rules = await runWithinLimit(compareIndexes(before, after, now), signal);
  const ofCaller = await runWithinLimit(compareStops(after.tools.all, stops.before, stops.after), signal);
  const comparison = { ...rules, stops: ofCaller };
  const [seen, calls] = await Promise.all([loadRecentCallers(), loadRecentCalls(readsArguments ? { mask } : null)]);
  const callers = seen.slice(0, MAX_CALLERS);
  const silent = silentAgents(seen, before, after);
  const matchers = after.config.policies.flatMap((policy) => (isApplied(policy) ? policy.matchers : []));
  const claims = callers.map((caller) => caller.claims);
  const seenClaims = { callers: claims, unlogged, mask };
  return {
    revision: snapshot.revision,
    callers: [
      ...(await runWithinLimit(compareCallers(comparison, before, after, callers), signal)),
      ...(await runWithinLimit(compareAgents(comparison, after, silent.slice(0, MAX_AGENTS)), signal)),
    ].toSorted(byWeight),
    moreCallers: seen.length > callers.length,
    moreAgents: silent.length > MAX_AGENTS,
    calls: await runWithinLimit(replay(comparison, calls, stops), signal),
    findings: await runWithinLimit(compareFindingsOf(before, after, seenClaims, now), signal),
    notKept: [...(await runWithinLimit(findUnloggedClaims(matchers, seenClaims), signal))],
  };
}

/** What a change does to callers: to their tools, and to what stops their calls. */
interface Compared extends Comparison {
  readonly stops: StopsComparison;
}

function* compareCallers(
  comparison: Compared,
  before: Index,
  after: Index,
  callers: readonly RecentCaller[],
): Parts<ImpactCaller[]> {
  const compared: ImpactCaller[] = [];
  const personas = new Set([...before.config.personas, ...after.config.personas].map(({ name }) => name));
  for (const name of personas) {
    yield;
    const change = comparison.tools(personaOn(before, name), personaOn(after, name));
    compared.push({ kind: "persona", name, issuer: null, callId: null, at: null, ...toWire(comparison, change, null) });
  }
  for (const caller of callers) {
    yield;
    const { agent, subject, issuer, callId, at } = caller;
    const who = agent === null ? { kind: "caller" as const, name: subject } : { kind: "agent" as const, name: agent };
    const change = toWire(comparison, comparison.caller(caller), agent);
    compared.push({ ...who, issuer, callId, at: at.toISOString(), ...change });
  }
  return compared;
}

/** The agents of either side without recent calls. Those that the change adds, removes or edits come first. */
function silentAgents(seen: readonly RecentCaller[], before: Index, after: Index): readonly Agent[] {
  const recent = new Set(seen.map(({ agent }) => agent));
  const was = new Map(before.config.agents.map((agent) => [agent.name, agent]));
  const is = new Map(after.config.agents.map((agent) => [agent.name, agent]));
  const silent = [...new Map([...was, ...is]).values()].filter(({ name }) => !recent.has(name));
  const edited = silent.filter(({ name }) => was.get(name) !== is.get(name));
  return [...new Set([...edited, ...silent])];
}

function* compareAgents(
  comparison: Compared,
  { config: { issuers } }: Index,
  agents: readonly Agent[],
): Parts<ImpactCaller[]> {
  const compared: ImpactCaller[] = [];
  for (const { name, issuer } of agents) {
    yield;
    const change = comparison.agent(name);
    if (change === null) continue;
    const iss = issuer === null ? OWN_ISSUER : (issuers.find((one) => one.name === issuer)?.issuer ?? null);
    compared.push({ kind: "agent", name, issuer: iss, callId: null, at: null, ...toWire(comparison, change, name) });
  }
  return compared;
}

/** A request for everything with a persona's sample claims, as in the preview. */
function personaOn(index: Index, name: string): RequestAnswer {
  const claims = index.config.personas.find((persona) => persona.name === name)?.sampleClaims ?? {};
  return toRequest(
    index,
    { claims, agent: null, issuer: null },
    { group: null, state: null, machine: null, profile: null, intent: null, confidence: null, persona: name },
  );
}

function* replay(
  comparison: Comparison,
  calls: readonly RecentCall[],
  stops: { readonly before: Stops; readonly after: Stops },
): Parts<ImpactOutput["calls"]> {
  const refused: ImpactCall[] = [];
  const allowed: ImpactCall[] = [];
  const running: (CountedCall & { readonly call: RecentCall })[] = [];
  let undecided = 0;
  for (const call of calls) {
    yield;
    // A later step than the rules stopped it: the change neither lets it through nor takes anything away.
    if (call.isStopped) continue;
    const change = comparison.call(call);
    if (change.kind === "undecided") undecided += 1;
    if (change.kind === "allowed" || (change.kind === "same" && !call.denied)) running.push(toCountedCall(call));
    if (change.kind !== "refused" && change.kind !== "allowed") continue;
    // Another reason than the rules refused it: the change takes nothing away.
    if (change.kind === "refused" && call.denied) continue;
    (change.kind === "refused" ? refused : allowed).push({ ...toCallFacts(call), ...change.why });
  }
  const { waiting, limited } = newlyStopped(running.toReversed(), stops.before, stops.after);
  return {
    replayed: calls.length,
    since: calls.at(-1)?.at.toISOString() ?? null,
    refused,
    allowed,
    waiting: waiting.toReversed().map(({ call }) => ({ ...toCallFacts(call), reason: "needs_approval", detail: null })),
    limited: limited.toReversed().map(({ call: { call }, reason }) => ({ ...toCallFacts(call), reason, detail: null })),
    undecided,
  };
}

function toCountedCall(call: RecentCall): CountedCall & { readonly call: RecentCall } {
  const { issuer, subject } = call.caller;
  const ran = { from: call.ran.from.getTime(), until: call.ran.until.getTime() };
  return { toolId: call.toolId, issuer, subject, agent: call.agent, at: call.at.getTime(), ran, call };
}

function toCallFacts({ callId, at, toolId, who }: RecentCall): Pick<ImpactCall, "callId" | "at" | "toolId" | "who"> {
  return { callId, at: at.toISOString(), toolId, who };
}

function toWire(
  { stops }: Compared,
  { kept: _kept, keptInAnyState, ...change }: ToolsChange,
  agent: string | null,
): Omit<ImpactCaller, "kind" | "name" | "issuer" | "callId" | "at"> {
  const { gained, lost, gainedInOtherStates, lostInOtherStates, argumentsLimited, argumentsChanged, ...facts } = change;
  const { approvalAdded, approvalRemoved, limitsChanged } = stops(keptInAnyState, agent);
  return {
    ...facts,
    gained: firstOf(gained),
    lost: firstOf(lost),
    gainedInOtherStates: firstOf(gainedInOtherStates),
    lostInOtherStates: firstOf(lostInOtherStates),
    approvalAdded: firstOf(approvalAdded),
    approvalRemoved: firstOf(approvalRemoved),
    limitsChanged: firstOf(limitsChanged),
    argumentsLimited: firstOf(argumentsLimited),
    argumentsChanged: firstOf(argumentsChanged),
  };
}

function firstOf(tools: readonly Tool[]): ImpactCaller["gained"] {
  return { count: tools.length, tools: tools.slice(0, MAX_NAMED).map(({ id, name }) => ({ toolId: id, name })) };
}

/**
 * Orders callers by most tools lost, then by most gained, then by most that newly need an approval. Equal ones keep their order:
 * personas first, then the latest.
 */
function byWeight(left: ImpactCaller, right: ImpactCaller): number {
  const [first = 0] = (["lost", "lostInOtherStates", "gained", "approvalAdded"] as const)
    .map((kind) => right[kind].count - left[kind].count)
    .filter((difference) => difference !== 0);
  return first;
}
