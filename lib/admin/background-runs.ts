import type { RunState } from "@/lib/contracts/decisions/run-state";
import { AppError } from "@/lib/errors";
import { singleton } from "@/lib/process/singleton";

/** Work that runs in the background, or has ended. */
export interface BackgroundRun<Result> {
  readonly startedAt: number;
  /** When it was last requested; epoch milliseconds. */
  wantedAt: number;
  /** Milliseconds after the last request from which on nobody waits for it. */
  readonly unwantedMs: number;
  done: number;
  total: number;
  result: Result | null;
  failure: string | null;
  /** Whether somebody has read the result or the failure. */
  isRead: boolean;
}

/** Ends a run that nobody waits for any more. The next request starts it again. */
class UnwantedRun extends Error {}

/**
 * Work calls it between its parts.
 *
 * @param now epoch milliseconds
 * @throws UnwantedRun which ends a run that nobody waits for
 */
export function requireWanted(run: BackgroundRun<unknown>, now: number): void {
  if (!isWanted(run, now)) throw new UnwantedRun();
}

function isWanted({ wantedAt, unwantedMs }: BackgroundRun<unknown>, now: number): boolean {
  return now - wantedAt <= unwantedMs;
}

/** What is specific to one kind of background work. */
interface RunKind<Result> {
  /** The name of its singleton. */
  readonly name: string;
  /** Milliseconds for which a result is used again. */
  readonly resultMs: number;
  /** Milliseconds after the last request from which on nobody waits for a run. */
  readonly unwantedMs: number;
  /** Whether a result may be used again; absent = always. */
  readonly isReusable?: (result: Result) => boolean;
  /** The text of a failure, which may be any error. Also the place to log it. */
  readonly failed: (error: unknown) => string;
}

/** Most runs of a kind that wait, run, or keep their result in memory. */
const MAX_RUNS = 20;

interface Runs<Result> {
  readonly byKey: Map<string, BackgroundRun<Result>>;
  last: Promise<void>;
}

/**
 * Finds the run of a key or starts it: off the request, one after the other in a process. A process remembers the latest
 * runs of a kind. One request reads a failure; the next one starts the run again.
 *
 * @param now epoch milliseconds
 * @throws AppError `overloaded` while too many other runs wait or were not read yet
 */
type FindRun<Result> = (
  key: string,
  now: number,
  work: (run: BackgroundRun<Result>) => Promise<Result>,
) => BackgroundRun<Result>;

/** Makes `FindRun` for one kind of work. */
export function backgroundRuns<Result>({
  name,
  resultMs,
  unwantedMs,
  isReusable,
  failed,
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
        run.failure = failed(error);
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
 * Forgets the oldest run without a waiting reader, if there is no room for another one. A run that somebody waits for
 * stays until its end is read: otherwise more callers than `MAX_RUNS` would start each other's runs again without end.
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
