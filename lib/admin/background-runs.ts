import { BoundedCache } from "@/lib/access/model/bounded-cache";
import type { RunState } from "@/lib/contracts/decisions/run-state";
import { singleton } from "@/lib/process/singleton";

/** Work that runs in the background, or has ended. */
export interface BackgroundRun<Result> {
  readonly startedAt: number;
  /** When it was last requested; epoch milliseconds. */
  wantedAt: number;
  done: number;
  total: number;
  result: Result | null;
  failure: string | null;
  /** Whether somebody has read the failure. */
  isFailureRead: boolean;
}

/** Ends a run that nobody asks for any more. The next request starts it again. */
export class UnwantedRun extends Error {}

/** What is specific to one kind of background work. */
interface RunKind<Result> {
  /** The name of its singleton. */
  readonly name: string;
  /** Milliseconds for which a result is used again. */
  readonly resultMs: number;
  /** Whether a result may be used again; absent = always. */
  readonly isReusable?: (result: Result) => boolean;
  /** The text of a failure, which may be any error. Also the place to log it. */
  readonly failed: (error: unknown) => string;
}

/** Runs whose results stay in memory. */
const MAX_RUNS = 20;

interface Runs<Result> {
  readonly byKey: BoundedCache<BackgroundRun<Result>>;
  last: Promise<void>;
}

/**
 * Finds the run of a key or starts it: off the request, one after the other in a process. A process remembers the latest
 * runs of a kind. One request reads a failure; the next one starts the run again.
 *
 * @param now epoch milliseconds
 */
type FindRun<Result> = (
  key: string,
  now: number,
  work: (run: BackgroundRun<Result>) => Promise<Result>,
) => BackgroundRun<Result>;

/** Makes `FindRun` for one kind of work. */
export function backgroundRuns<Result>({ name, resultMs, isReusable, failed }: RunKind<Result>): FindRun<Result> {
  const runs = singleton<Runs<Result>>(name, () => ({ byKey: new BoundedCache(MAX_RUNS), last: Promise.resolve() }));
  const isFresh = ({ result, failure, isFailureRead, startedAt }: BackgroundRun<Result>, now: number): boolean => {
    if (failure !== null) return !isFailureRead;
    return result === null || (isReusable?.(result) !== false && now - startedAt < resultMs);
  };
  return (key, now, work) => {
    const known = runs().byKey.get(key);
    if (known !== undefined && isFresh(known, now)) {
      known.wantedAt = now;
      known.isFailureRead = known.failure !== null;
      return known;
    }
    const run: BackgroundRun<Result> = {
      startedAt: now,
      wantedAt: now,
      done: 0,
      total: 0,
      result: null,
      failure: null,
      isFailureRead: false,
    };
    runs().byKey.set(key, run, 1);
    const end = async (before: Promise<void>) => {
      await before;
      try {
        run.result = await work(run);
      } catch (error) {
        if (error instanceof UnwantedRun) return runs().byKey.delete(key);
        run.failure = failed(error);
      }
    };
    runs().last = end(runs().last);
    return run;
  };
}

/** The state of a run, as the API returns it. */
export function stateOf({ result, failure, done, total }: BackgroundRun<unknown>): RunState {
  if (failure !== null) return { state: "failed", message: failure };
  return result === null ? { state: "running", done, total } : { state: "done" };
}
