import { compileInParts, type Index } from "@/lib/access/compile/compile";
import { FlowReplay, type FlowVerdict } from "@/lib/access/flow/replay";
import type { Configuration, Tool } from "@/lib/access/model/configuration";
import { answeredFlow, hasGuess } from "@/lib/access/model/flow";
import { backgroundRuns, requireWanted, rulesNumber, stateOf, type BackgroundRun } from "@/lib/admin/background-runs";
import { draftOf } from "@/lib/config/draft";
import {
  MAX_NAMED_CALLS,
  MAX_REPLAYED_CALLS,
  type FlowImpactCall,
  type FlowImpactInput,
  type FlowImpactOutput,
  type FlowImpactResult,
} from "@/lib/contracts/decisions/flow-impact";
import { AppError } from "@/lib/errors";
import { guessFlow, lacksGuess } from "@/lib/sources/import/guess-flow";
import { stores } from "@/lib/store/config/index";
import { db } from "@/lib/store/db/database";
import { inTurns, runInTurns } from "@/lib/store/db/in-turns";
import { readClears, type ClearedLabel } from "@/lib/store/labels/clears";
import { measureCalls, readFlowCalls, type LoggedFlowCall } from "@/lib/store/log/flow-calls";
import { Stored } from "@/lib/store/save/stored";
import { currentSnapshot, type Snapshot } from "@/lib/store/snapshot/snapshot";
import { log } from "@/lib/telemetry/log";

/** Milliseconds for which a result answers further requests. */
const RESULT_MS = 600_000;
/** A replay ends this many milliseconds after the last request for it. Each edit of a draft starts another replay. */
const UNWANTED_MS = 10_000;
/** The time limit of a replay, in milliseconds from its start: the wait for other replays does not count. */
const LIMIT_MS = 120_000;

const findRun = backgroundRuns<FlowImpactResult>({
  name: "FlowImpactRuns",
  resultMs: RESULT_MS,
  unwantedMs: UNWANTED_MS,
  describeFailure: (error) => {
    if (error instanceof AppError) return error.message;
    log.warn({ err: error }, "A replay of flow rules failed.");
    return "The replay failed. Try again.";
  },
});

interface FlowImpactOptions {
  /** Epoch milliseconds. */
  readonly clock?: () => number;
  /** The most calls to replay. */
  readonly maxCalls?: number;
}

/**
 * Replays the logged calls of a window under a draft: a flow rule, label or tool, answers to guesses, or new guesses. Only
 * the flow rules decide. The replay runs in the background. The answer has its state, and its result once it has ended.
 *
 * @throws AppError `invalid_request` naming the field of the row; `overloaded`; `config_unavailable`
 */
export async function readFlowImpact(
  input: FlowImpactInput,
  { clock = Date.now, maxCalls = MAX_REPLAYED_CALLS }: FlowImpactOptions = {},
): Promise<FlowImpactOutput> {
  const snapshot = await currentSnapshot();
  const { index } = snapshot;
  const makeSides = sidesOf(snapshot, input);
  const now = clock();
  // Guesses also read fields that are no rules, such as a tool's address.
  const rules = input.guess === undefined ? rulesNumber(index.config) : index.revision;
  const run = findRun(JSON.stringify([rules, input]), now, (started) =>
    replay(started, { index, makeSides, days: input.days, now, clock, maxCalls }),
  );
  return { revision: index.revision, days: input.days, replay: stateOf(run), result: run.result };
}

interface Sides {
  readonly before: Configuration;
  readonly after: Configuration;
}

/**
 * Checks the draft, and returns the function that makes the two configurations to compare. Each poll checks; only the run
 * reads all tools. @throws AppError `invalid_request`
 */
function sidesOf(snapshot: Snapshot, input: FlowImpactInput): () => Promise<Sides> {
  const { answer, guess } = input;
  const before = snapshot.index.config;
  if (answer !== undefined) {
    refuseUnknown(snapshot.index, answer.ids, "answer.ids");
    return async () => ({ before, after: await withAnswer(before, answer) });
  }
  if (guess !== undefined) {
    if ("ids" in guess) refuseUnknown(snapshot.index, guess.ids, "guess.ids");
    else stores.tools.checkQuery(guess.query);
    return async () => ({ before, after: await withGuesses(snapshot, guess) });
  }
  const sides = rowSides(before, input);
  return () => Promise.resolve(sides);
}

/**
 * The two configurations of a drafted row. A flow rule is compared with its absence, and as if it were active and
 * enforced, so that a person sees its effect before switching it on. @throws AppError `invalid_request`
 */
function rowSides(stored: Configuration, { resource, id, input }: FlowImpactInput): Sides {
  if (resource === undefined) throw new AppError("invalid_request", "State `resource`, `answer` or `guess`.");
  const drafted = draftOf(stored, { resource, id, input });
  if (!drafted.ok) throw new AppError("invalid_request", "The row is not valid.", { errors: [...drafted.errors] });
  const after = drafted.configuration;
  if (resource !== "flows" || input === undefined) return { before: stored, after };
  const others = stored.flows.filter(({ name }) => name !== id);
  const flows = after.flows.map((rule) =>
    others.includes(rule) ? rule : { ...rule, active: true, mode: "enforce" as const },
  );
  return { before: { ...stored, flows: others }, after: { ...after, flows } };
}

/** The configuration with answered guesses. A tool without a guess is unchanged, because somebody has answered it. */
async function withAnswer(
  stored: Configuration,
  { ids, flow }: NonNullable<FlowImpactInput["answer"]>,
): Promise<Configuration> {
  const answered = new Set(ids);
  const tools: Tool[] = [];
  for await (const tool of inTurns(stored.tools)) {
    const changes = answered.has(tool.id) && hasGuess(tool);
    tools.push(changes ? { ...tool, ...answeredFlow(tool, flow, stored.labels) } : tool);
  }
  return { ...stored, tools };
}

/** The configuration in which the selected tools that lack a guess have the one that the bulk change would give them. */
async function withGuesses(
  { index: { config }, tools, sources }: Snapshot,
  rows: NonNullable<FlowImpactInput["guess"]>,
): Promise<Configuration> {
  const ids = "ids" in rows ? rows.ids : await stores.tools.matching(rows.query, new Stored(db()));
  const chosen = new Set(ids);
  const guessed: Tool[] = [];
  for await (const tool of inTurns(config.tools)) {
    const row = chosen.has(tool.id) ? tools.get(tool.id) : undefined;
    const lacks = row !== undefined && lacksGuess(row, sources.get(row.source)?.kind);
    guessed.push(lacks ? { ...tool, flowGuess: guessFlow(row) } : tool);
  }
  return { ...config, tools: guessed };
}

/** @throws AppError `invalid_request` naming the unknown tools */
function refuseUnknown({ tools }: Index, ids: readonly string[], path: string): void {
  const errors = ids.flatMap((id, place) =>
    tools.numberOf.has(id) ? [] : { path: `${path}[${place}]`, message: `there is no tool \`${id}\`` },
  );
  if (errors.length > 0) throw new AppError("invalid_request", "The request names an unknown tool.", { errors });
}

interface ReplayInput {
  readonly index: Index;
  readonly makeSides: () => Promise<Sides>;
  readonly days: number;
  readonly now: number;
  readonly clock: () => number;
  readonly maxCalls: number;
}

async function replay(run: BackgroundRun<FlowImpactResult>, input: ReplayInput): Promise<FlowImpactResult> {
  const { index, makeSides, days, now, clock, maxCalls } = input;
  const startedAt = clock();
  const check = () => {
    requireWanted(run, clock());
    if (clock() - startedAt > LIMIT_MS)
      throw new AppError("request_timeout", "The replay takes too long: choose fewer days.");
  };
  check();
  const sides = await makeSides();
  const before = await runInTurns(compileInParts(sides.before, index));
  const after = await runInTurns(compileInParts(sides.after, index));
  const window = { from: new Date(now - days * 86_400_000), until: new Date(now) };
  const { calls: found, first } = await measureCalls(window, maxCalls + 1);
  const result = new Comparison(before, after);
  if (first === null) return result.toWire(false);
  run.total = Math.min(found, maxCalls);
  const span = { from: first, until: window.until };
  const clears = await readClears(span);
  for await (const { read, calls } of readFlowCalls(span)) {
    check();
    for await (const call of inTurns(calls)) result.next(call, clears);
    run.done = Math.min(run.total, run.done + read);
  }
  return result.toWire(found > maxCalls);
}

const CHANGES = { hidden: "stopped", waits: "waiting", passes: "allowed" } as const;
type Change = (typeof CHANGES)[keyof typeof CHANGES];

/** Replays the same calls under two configurations, and keeps the calls that they decide differently. */
class Comparison {
  readonly #sides: readonly [FlowReplay, FlowReplay];
  readonly #changed = new Map<Change, { count: number; calls: FlowImpactCall[] }>();
  #calls = 0;
  #unknownTools = 0;
  #since: number | null = null;
  #cleared = 0;

  constructor(before: Index, after: Index) {
    this.#sides = [new FlowReplay(before), new FlowReplay(after)];
  }

  /** Applies the clears up to the time of the next call, and decides the call on both sides. */
  next(call: LoggedFlowCall, clears: readonly ClearedLabel[]): void {
    for (;;) {
      const clear = clears[this.#cleared];
      if (clear === undefined || clear.at > call.at) break;
      for (const side of this.#sides) side.clear(clear.owner, clear.label);
      this.#cleared += 1;
    }
    const [was, is] = [this.#sides[0].next(call), this.#sides[1].next(call)];
    this.#calls += 1;
    this.#since ??= call.at;
    if (is.kind === "unknown_tool") this.#unknownTools += 1;
    if (was.kind === is.kind || !isDecided(was) || !isDecided(is)) return;
    this.#keep(CHANGES[is.kind], call, is.kind === "passes" ? was : is);
  }

  #keep(change: Change, { callId, at, toolId, who }: LoggedFlowCall, { rules, raisedBy }: FlowVerdict): void {
    const kept = this.#changed.get(change) ?? { count: 0, calls: [] };
    this.#changed.set(change, kept);
    kept.count += 1;
    const held = raisedBy.map((raised) => ({ ...raised, at: timeText(raised.at) }));
    kept.calls.push({ callId, at: timeText(at), toolId, who, rules: [...rules], raisedBy: held });
    if (kept.calls.length > MAX_NAMED_CALLS) kept.calls.shift();
  }

  /** The answer, latest calls first. */
  toWire(more: boolean): FlowImpactResult {
    const changed = (change: Change) => {
      const { count, calls } = this.#changed.get(change) ?? { count: 0, calls: [] };
      return { count, calls: calls.toReversed() };
    };
    return {
      calls: this.#calls,
      since: this.#since === null ? null : timeText(this.#since),
      more,
      stopped: changed("stopped"),
      waiting: changed("waiting"),
      allowed: changed("allowed"),
      unknownTools: this.#unknownTools,
    };
  }
}

type Decided = FlowVerdict & { readonly kind: keyof typeof CHANGES };

/** Whether a side decided the call. A call that is not made, or whose tool the side does not know, is not decided. */
function isDecided(verdict: FlowVerdict): verdict is Decided {
  return Object.hasOwn(CHANGES, verdict.kind);
}

function timeText(at: number): string {
  return new Date(at).toISOString();
}
