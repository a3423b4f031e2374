import { compileInParts, type Index, withoutPauses } from "@/lib/access/compile/compile";
import { compareIndexes } from "@/lib/access/impact/impact";
import { numbersOf } from "@/lib/access/model/bitset";
import type { Policy, Tool } from "@/lib/access/model/configuration";
import { candidatesFor, withCandidate, type Candidate } from "@/lib/access/rightsizing/candidates";
import { replayCalls, type ReplayResult, type Representative } from "@/lib/access/rightsizing/replay";
import { backgroundRuns, requireWanted, rulesNumber, type BackgroundRun } from "@/lib/admin/background-runs";
import { loadClaims } from "@/lib/store/log/recent-calls";
import { firstDayOfWindow, reachIn, toCaller } from "@/lib/admin/rightsizing/overview";
import { AppError } from "@/lib/errors";
import { runInTurns } from "@/lib/store/db/in-turns";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import {
  readCallersById,
  readChangedSince,
  readKept,
  readUsedTools,
  readUsesOf,
  type KeptTool,
  type ToolUse,
} from "@/lib/store/usage/read";
import { log } from "@/lib/telemetry/log";

/** Most callers and tools that a replay decides; the calls of the others count as not judged. */
const MAX_REPRESENTATIVES = 100_000;
/** Callers that one statement reads. */
const BATCH = 5_000;
/** How long a result is used again. */
const RESULT_MS = 600_000;
/** Milliseconds after which a replay ends that nobody asks for any more. A script may ask rarely. */
const UNWANTED_MS = 60_000;

/** One tool of a policy, with its calls in the window. */
interface UsedTool {
  readonly tool: Tool;
  readonly calls: number;
  readonly callers: number;
  readonly lastDay: string | null;
  readonly isUnused: boolean;
  readonly isChanged: boolean;
  readonly kept: KeptTool | null;
}

/** A candidate with the result of its replay. */
export interface ReplayedCandidate {
  readonly candidate: Candidate;
  readonly result: ReplayResult;
}

/** The result of a run. */
export interface RunResult {
  readonly index: Index;
  readonly tools: readonly UsedTool[];
  readonly candidates: readonly ReplayedCandidate[];
}

const findRun = backgroundRuns<RunResult>({
  name: "RightsizingRuns",
  resultMs: RESULT_MS,
  unwantedMs: UNWANTED_MS,
  isReusable: ({ tools }) => tools.length > 0,
  describeFailure: (err) => {
    log.warn({ err }, "A rightsizing replay failed.");
    return "The replay failed. Try again.";
  },
});

/** A run, and the present revision, whose rules it replays. */
interface Replaying {
  readonly run: BackgroundRun<RunResult>;
  readonly revision: number;
}

/**
 * The replay of a policy's candidates on the calls of a window. Starts it in the background unless it is known.
 *
 * @param clock epoch milliseconds
 * @throws AppError `not_found`; `overloaded`; `config_unavailable`
 */
export async function runOf(name: string, days: number, clock = Date.now): Promise<Replaying> {
  const { index } = await currentSnapshot();
  const policy = index.config.policies.find((one) => one.name === name && one.effect === "allow");
  if (policy === undefined) throw new AppError("not_found", "There is no such allow policy.");
  const now = clock();
  const since = firstDayOfWindow(now, days);
  const kept = await readKept(name);
  const key = JSON.stringify([rulesNumber(index.config), name, since, kept.map(({ tool }) => tool).toSorted()]);
  const run = findRun(key, now, (started) => replay(started, { index, policy, since, kept, now, clock }));
  return { run, revision: index.revision };
}

interface Question {
  readonly index: Index;
  readonly policy: Policy;
  readonly since: string;
  readonly kept: readonly KeptTool[];
  readonly now: number;
  readonly clock: () => number;
}

async function replay(run: BackgroundRun<RunResult>, question: Question): Promise<RunResult> {
  const { index, policy, since, now, clock } = question;
  requireWanted(run, clock());
  const tools = await grantedTools(question);
  const unused = tools.filter(({ isUnused }) => isUnused).map(({ tool }) => tool.id);
  const { uses, total } = await readUsesOf(policy.name, unused, since, MAX_REPRESENTATIVES);
  const representatives = await withCallers(uses);
  const before = await runInTurns(withoutPauses(index));
  const reachable = tools.map(({ tool }) => tool.id);
  const candidates = candidatesFor(before, { policy, reachable, unused: new Set(unused) });
  run.total = candidates.length * representatives.length;
  const left = total - representatives.reduce((sum, { calls }) => sum + calls, 0);
  const replayed: ReplayedCandidate[] = [];
  for (const [number, candidate] of candidates.entries()) {
    requireWanted(run, clock());
    const after = await runInTurns(compileInParts(withCandidate(before.config, candidate), before));
    const comparison = await runInTurns(compareIndexes(before, after, now));
    const base = number * representatives.length;
    const onProgress = (done: number) => {
      requireWanted(run, clock());
      run.done = base + done;
    };
    const result = await runInTurns(replayCalls(comparison, representatives, onProgress));
    const calls = result.calls + left;
    replayed.push({ candidate, result: { ...result, calls, notJudged: result.notJudged + left } });
  }
  return { index, tools: withCalls(tools, uses), candidates: replayed };
}

/** The tools that recent callers get through the policy, without their calls. */
async function grantedTools({
  index,
  policy: { name: policy },
  since,
  kept,
  now,
}: Question): Promise<readonly UsedTool[]> {
  const [reach, usedTools, changed] = await Promise.all([
    reachIn(index, since, now),
    readUsedTools(since, policy),
    readChangedSince(new Date(`${since}T00:00:00Z`)),
  ]);
  const used = usedTools.get(policy) ?? new Set();
  const marks = new Map(kept.map((mark) => [mark.tool, mark]));
  const granted = reach.policies.get(policy)?.tools;
  return (granted === undefined ? [] : numbersOf(granted))
    .flatMap((number) => index.tools.all[number] ?? [])
    .map((tool) => {
      const isChanged = changed.policies.has(policy) || changed.tools.has(tool.id);
      const mark = marks.get(tool.id) ?? null;
      const isUnused = !used.has(tool.id) && !isChanged && mark === null;
      return { tool, calls: 0, callers: 0, lastDay: null, isUnused, isChanged, kept: mark };
    });
}

function withCalls(tools: readonly UsedTool[], uses: readonly ToolUse[]): readonly UsedTool[] {
  const byTool = new Map<string, { calls: number; callers: number; lastDay: string }>();
  for (const { tool, calls, lastDay: day } of uses) {
    const known = byTool.get(tool) ?? { calls: 0, callers: 0, lastDay: day };
    byTool.set(tool, {
      calls: known.calls + calls,
      callers: known.callers + 1,
      lastDay: day > known.lastDay ? day : known.lastDay,
    });
  }
  return tools.map((used) => (used.isUnused ? used : { ...used, ...byTool.get(used.tool.id) }));
}

/** The uses with their callers and claims, read in batches. */
async function withCallers(uses: readonly ToolUse[]): Promise<readonly Representative[]> {
  const ids = [...new Set(uses.map(({ caller }) => caller))];
  const callers = new Map<string, Pick<Representative, "caller" | "who">>();
  for (let at = 0; at < ids.length; at += BATCH) {
    const stored = await readCallersById(ids.slice(at, at + BATCH));
    const claims = await loadClaims(stored);
    for (const row of stored) {
      const known = claims.get(row.claimsDigest);
      callers.set(row.caller, {
        caller: known === undefined ? null : toCaller(row, known),
        who: row.agent ?? row.subject,
      });
    }
  }
  return uses.map(({ caller, tool, calls }) => ({
    caller: null,
    who: "an erased caller",
    ...callers.get(caller),
    toolId: tool,
    calls,
  }));
}
