import { oncePer } from "@/lib/access/model/once-per";
import { type Index, withoutPauses } from "@/lib/access/compile/compile";
import { numbersOf } from "@/lib/access/model/bitset";
import type { Tool } from "@/lib/access/model/configuration";
import { reachOf, type Reach, type UsageCaller } from "@/lib/access/rightsizing/reach";
import { publicOrigin } from "@/lib/env";
import { loadClaims } from "@/lib/store/log/recent-calls";
import type {
  AgentUse,
  RightsizingPage,
  RightsizingQuery,
  RightsizingRow,
} from "@/lib/contracts/decisions/rightsizing";
import { pageAt } from "@/lib/contracts/changes/list";
import { AppError } from "@/lib/errors";
import { toNative } from "@/lib/manifest/native";
import { estimateTokens } from "@/lib/manifest/tokens";
import { inTurns, runInTurns } from "@/lib/store/db/in-turns";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import {
  hasDemoUse,
  readChangedSince,
  readFirstDay,
  readKept,
  readToolsOfAgent,
  readUsageCallers,
  readUsedTools,
  type StoredCaller,
} from "@/lib/store/usage/read";

/** The most callers whose tools are computed, latest first. A caller is a set of claims with a request. */
const MAX_CALLERS = 1_000;
/** Milliseconds for which a computed reach is reused. */
const REACH_MS = 60_000;

/** The reach of recent callers by index and window. Requests at the same time share one computation. */
const reaches = new WeakMap<Index, Map<string, { readonly at: number; readonly reach: Promise<Reach> }>>();

/** The first day (UTC) of a window that ends now, as `2026-01-31`. */
export function firstDayOfWindow(now: number, days: number): string {
  return new Date(now - days * 86_400_000).toISOString().slice(0, 10);
}

/**
 * Lists allow policies with what their recent callers get and use, most unused tokens first. Its cost depends on the
 * callers and the policies, not on the calls.
 *
 * @param now epoch milliseconds
 * @throws AppError `config_unavailable`
 */
export async function listRightsizing(query: RightsizingQuery, now = Date.now()): Promise<RightsizingPage> {
  const from = firstDayOfWindow(now, query.days);
  const [rows, first, demo, { revision }] = await Promise.all([
    usesOfPolicies(query.days, now),
    readFirstDay(),
    hasDemoUse(from),
    currentSnapshot(),
  ]);
  const q = query.q?.toLowerCase();
  const found = rows.filter(
    ({ policy }) =>
      (query.policy === undefined || query.policy === policy) && (q === undefined || policy.toLowerCase().includes(q)),
  );
  const { items, ...page } = pageAt(found, query);
  return { ...page, items: [...items], since: first === null ? null : first < from ? from : first, demo, revision };
}

/**
 * Counts the use of every allow policy that matches a recent caller, most unused tokens first.
 *
 * @param only the name of the one policy to count
 * @throws AppError `config_unavailable`
 */
export async function usesOfPolicies(
  days: number,
  now = Date.now(),
  only?: string,
): Promise<readonly RightsizingRow[]> {
  const { index } = await currentSnapshot();
  const since = firstDayOfWindow(now, days);
  const [reach, used, kept, changed] = await Promise.all([
    reachIn(index, since, now),
    readUsedTools(since, only),
    readKept(only),
    readChangedSince(new Date(`${since}T00:00:00Z`)),
  ]);
  const keptBy = new Map<string, Set<string>>();
  for (const { policy, tool } of kept) keptBy.set(policy, (keptBy.get(policy) ?? new Set()).add(tool));
  const found = [...reach.policies].filter(([policy]) => only === undefined || policy === only);
  const rows: RightsizingRow[] = [];
  for await (const [policy, { callers, tools }] of inTurns(found)) {
    const granted = numbersOf(tools).flatMap((number) => index.tools.all[number] ?? []);
    const usedHere = used.get(policy) ?? new Set();
    const idle = changed.policies.has(policy)
      ? []
      : granted.filter(({ id }) => !usedHere.has(id) && !changed.tools.has(id));
    const unused = idle.filter(({ id }) => keptBy.get(policy)?.has(id) !== true);
    rows.push({
      policy,
      callers,
      granted: granted.length,
      used: granted.filter(({ id }) => usedHere.has(id)).length,
      unused: unused.length,
      tokens: tokensOf(unused),
      kept: idle.length - unused.length,
      changed: changed.policies.has(policy),
    });
  }
  return rows.toSorted(
    (left, right) => right.tokens - left.tokens || right.unused - left.unused || (left.policy < right.policy ? -1 : 1),
  );
}

/**
 * Counts the tools that an agent's recent callers get, and those that the agent called.
 *
 * @throws AppError `not_found`, `config_unavailable`
 */
export async function useOfAgent(agent: string, days: number, now = Date.now()): Promise<AgentUse> {
  const { index } = await currentSnapshot();
  if (!index.config.agents.some(({ name }) => name === agent))
    throw new AppError("not_found", "There is no such agent.");
  const since = firstDayOfWindow(now, days);
  const [callers, called, changed, demo] = await Promise.all([
    readUsageCallers(since, MAX_CALLERS, agent),
    readToolsOfAgent(agent, since),
    readChangedSince(new Date(`${since}T00:00:00Z`)),
    hasDemoUse(since, agent),
  ]);
  const reach = await reachBy(index, await withClaims(callers), now);
  const tools = reach.agents.get(agent);
  const granted = tools === undefined ? [] : numbersOf(tools).flatMap((number) => index.tools.all[number] ?? []);
  const usedHere = new Set(called);
  const unused = granted.filter(({ id }) => !usedHere.has(id) && !changed.tools.has(id));
  return {
    agent,
    granted: granted.length,
    used: granted.filter(({ id }) => usedHere.has(id)).length,
    unused: unused.length,
    tokens: tokensOf(unused),
    demo,
  };
}

/** The reach of the latest callers of a window. Ignores pauses, because rightsizing compares rules. */
export async function reachIn(index: Index, since: string, now: number): Promise<Reach> {
  const known = reaches.get(index) ?? new Map<string, { readonly at: number; readonly reach: Promise<Reach> }>();
  reaches.set(index, known);
  const present = known.get(since);
  if (present !== undefined && now - present.at < REACH_MS) return present.reach;
  const reach = readUsageCallers(since, MAX_CALLERS)
    .then(withClaims)
    .then((callers) => reachBy(index, callers, now));
  // A reach of many policies is large, and an index may stay in force for weeks.
  for (const [day, { at }] of known) if (now - at >= REACH_MS) known.delete(day);
  known.set(since, { at: now, reach });
  // Forgets a failure, and also an empty result, so that the first counted call shows at once.
  reach.then(({ policies }) => policies.size > 0 || known.delete(since)).catch(() => known.delete(since));
  return reach;
}

async function reachBy(index: Index, callers: readonly UsageCaller[], now: number): Promise<Reach> {
  return runInTurns(reachOf(await runInTurns(withoutPauses(index)), callers, now));
}

/** Adds the logged claims. Leaves out callers whose claims are erased or cannot be decrypted. */
async function withClaims(stored: readonly StoredCaller[]): Promise<readonly UsageCaller[]> {
  const claims = await loadClaims(stored);
  return stored.flatMap((caller) => {
    const known = claims.get(caller.claimsDigest);
    return known === undefined ? [] : [toCaller(caller, known)];
  });
}

/** A stored caller with its claims, as the resolver needs it. */
export function toCaller(
  { issuer, subject, agent, request, inSession }: StoredCaller,
  claims: UsageCaller["claims"],
): UsageCaller {
  return {
    issuer,
    subject,
    isOwnToken: issuer === publicOrigin(),
    agent,
    claims,
    request: request as UsageCaller["request"],
    fromSession: inSession,
  };
}

/** Estimated tokens of these tools in a list. */
export function tokensOf(tools: readonly Tool[]): number {
  return tools.reduce((sum, tool) => sum + tokensOfTool(tool), 0);
}

const tokensOfTool = oncePer((tool: Tool): number => {
  const resolved = { tool, exposedName: tool.name, callable: true, groups: [], conditional: false };
  const description = [tool.description, tool.guidance].filter((text) => text !== null && text !== "").join("\n\n");
  return estimateTokens(toNative({ resolved, description, conditions: [] }));
});
