import { isSameJson } from "@/lib/access/model/canonical";
import type { Configuration, Json } from "@/lib/access/model/configuration";
import type { RunState } from "@/lib/contracts/decisions/run-state";
import { AppError } from "@/lib/errors";
import { singleton } from "@/lib/process/singleton";

/** One run of work in the background: waiting, running or ended. */
export interface BackgroundRun<Result> {
  readonly startedAt: number;
  /** The time of the last request for the run; epoch milliseconds. */
  wantedAt: number;
  /** Milliseconds after the last request until the run counts as unwanted. */
  readonly unwantedMs: number;
  done: number;
  total: number;
  result: Result | null;
  failure: string | null;
  /** Whether somebody has read the result or the failure. */
  isRead: boolean;
}

/** Thrown to end an unwanted run. The next request starts it again. */
class UnwantedRun extends Error {}

/**
 * Ends a run that nobody waits for any more. The work of a run calls this between its parts.
 *
 * @param now epoch milliseconds
 * @throws UnwantedRun if nobody waits
 */
export function requireWanted(run: BackgroundRun<unknown>, now: number): void {
  if (!isWanted(run, now)) throw new UnwantedRun();
}

function isWanted({ wantedAt, unwantedMs }: BackgroundRun<unknown>, now: number): boolean {
  return now - wantedAt <= unwantedMs;
}

/** The settings of one kind of background work. */
interface RunKind<Result> {
  /** The name of the singleton that holds its runs. */
  readonly name: string;
  /** Milliseconds for which a result answers further requests. */
  readonly resultMs: number;
  /** Milliseconds after the last request until a run counts as unwanted. */
  readonly unwantedMs: number;
  /** Whether a result may answer further requests; absent = always. */
  readonly isReusable?: (result: Result) => boolean;
  /** Returns the sentence about a failure, and logs the error if that helps the operator. */
  readonly describeFailure: (error: unknown) => string;
}

/** Most runs of a kind in memory: waiting, running and ended ones together. */
const MAX_RUNS = 20;

interface Runs<Result> {
  readonly byKey: Map<string, BackgroundRun<Result>>;
  last: Promise<void>;
}

/**
 * Finds the run of a key, or starts one in the background. A process runs one at a time of each kind, and keeps the latest
 * ones. One request reads a failure; the next request starts the run again.
 *
 * @param now epoch milliseconds
 * @throws AppError `overloaded` while the memory is full of runs that somebody waits for
 */
type FindRun<Result> = (
  key: string,
  now: number,
  work: (run: BackgroundRun<Result>) => Promise<Result>,
) => BackgroundRun<Result>;

/** Creates the function that finds or starts the runs of one kind. */
export function backgroundRuns<Result>({
  name,
  resultMs,
  unwantedMs,
  isReusable,
  describeFailure,
}: RunKind<Result>): FindRun<Result> {
  const runs = singleton<Runs<Result>>(name, () => ({ byKey: new Map(), last: Promise.resolve() }));
  const isFresh = ({ result, failure, isRead, startedAt }: BackgroundRun<Result>, now: number): boolean => {
    if (failure !== null) return !isRead;
    return result === null || (isReusable?.(result) !== false && now - startedAt < resultMs);
  };
  return (key, now, work) => {
    const known = runs().byKey.get(key);
    if (known !== undefined && isFresh(known, now)) {
      known.wantedAt = now;
      known.isRead = hasEnded(known);
      return known;
    }
    makeRoom(runs().byKey, key, now);
    const run: BackgroundRun<Result> = {
      startedAt: now,
      wantedAt: now,
      unwantedMs,
      done: 0,
      total: 0,
      result: null,
      failure: null,
      isRead: false,
    };
    runs().byKey.set(key, run);
    const end = async (before: Promise<void>) => {
      await before;
      try {
        run.result = await work(run);
      } catch (error) {
        if (error instanceof UnwantedRun) {
          if (runs().byKey.get(key) === run) runs().byKey.delete(key);
          return;
        }
        run.failure = describeFailure(error);
      }
    };
    runs().last = end(runs().last);
    return run;
  };
}

function hasEnded({ result, failure }: BackgroundRun<unknown>): boolean {
  return result !== null || failure !== null;
}

/**
 * Makes room for one more run: forgets the oldest run that was read or that nobody waits for. Other runs stay until their
 * result is read. Otherwise more callers than `MAX_RUNS` would evict and restart each other's runs for ever.
 */
function makeRoom(byKey: Map<string, BackgroundRun<unknown>>, key: string, now: number): void {
  byKey.delete(key);
  if (byKey.size < MAX_RUNS) return;
  const [oldest] = [...byKey].find(([, run]) => (hasEnded(run) && run.isRead) || !isWanted(run, now)) ?? [];
  if (oldest === undefined) throw new AppError("overloaded", "Too many replays wait: try again in a minute.");
  byKey.delete(oldest);
}

/** The state of a run, as the API returns it. */
export function stateOf({ result, failure, done, total }: BackgroundRun<unknown>): RunState {
  if (failure !== null) return { state: "failed", message: failure };
  return result === null ? { state: "running", done, total } : { state: "done" };
}

/** The latest configuration, and how often its rules have changed. */
const latestRules = singleton<{ config: Configuration | null; changes: number }>("LatestRules", () => ({
  config: null,
  changes: 0,
}));

/**
 * A number that stays while only revisions follow that change no rule, such as those of connections and token keys. In the
 * key of a run it lets such a revision keep the run.
 */
export function rulesNumber(config: Configuration): number {
  const latest = latestRules();
  if (latest.config !== config && (latest.config === null || !hasSameRules(config, latest.config))) latest.changes += 1;
  latest.config = config;
  return latest.changes;
}

/** Cheap although it compares everything: an unchanged row is the same object in both. */
function hasSameRules(one: Configuration, other: Configuration): boolean {
  return isSameJson({ ...one, revision: 0 } as unknown as Json, { ...other, revision: 0 } as unknown as Json);
}
