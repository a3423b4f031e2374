import { setTimeout as delay } from "node:timers/promises";
import { startTraffic, warmUp, type Seen } from "@/bench/support/traffic";
import { isWrong, RECOVERS_MS, violations, type Fault } from "@/test/endurance/invariants";
import { kindsOf } from "@/test/endurance/kinds";
import type { World } from "@/test/endurance/world";
import type { Instance } from "@/test/support/processes/instance";

/** A scenario's access to the traffic around it. */
export interface Stage {
  /** Something is broken from when this is called until `work` resolves: whatever is wrong then, and shortly after, may be. */
  broken(work: () => Promise<void>): Promise<void>;
  /** Waits for so many milliseconds of traffic. */
  goOn(milliseconds: number): Promise<void>;
  readonly seen: readonly Seen[];
}

/** The result of a scenario. */
export interface Outcome {
  readonly violations: readonly string[];
  readonly requests: number;
  /** How long after each mending the last wrong answer came, in milliseconds; 0 when none did. */
  readonly recoveries: readonly number[];
}

/** Clients, and the milliseconds that each waits between two requests: some load, with room for the scenario. */
const LOAD = { clients: 12, pauseMs: 10 };
/** Milliseconds without a wrong answer after which things are as before. */
const QUIET_MS = 600;

/** Runs a scenario under load; then checks all invariants. */
export async function play(
  world: World,
  instance: Instance,
  scenario: (stage: Stage) => Promise<void>,
): Promise<Outcome> {
  const since = new Date();
  const seen: Seen[] = [];
  const faults: Fault[] = [];
  const kinds = kindsOf(world, instance.origin);
  await warmUp(kinds);
  const traffic = startTraffic(kinds, LOAD, (one) => void seen.push(one));
  const lastWrong = (after: number) => Math.max(after, ...seen.filter(isWrong).map(({ ended }) => ended));
  try {
    await scenario({
      seen,
      goOn: async (milliseconds) => {
        await delay(milliseconds);
      },
      broken: async (work) => {
        const from = performance.now();
        await work();
        const mended = performance.now();
        faults.push({ from, mended });
        const isBack = () =>
          performance.now() - lastWrong(mended) > QUIET_MS &&
          seen.some((one) => one.kind === "order" && one.began > mended && !isWrong(one));
        while (!isBack() && performance.now() < mended + RECOVERS_MS + QUIET_MS) await delay(20);
      },
    });
  } finally {
    await traffic.stop();
  }
  const recoveries = faults.map(({ mended }, place) => {
    const until = faults[place + 1]?.from ?? Number.POSITIVE_INFINITY;
    return lastWrong(mended) < until ? lastWrong(mended) - mended : lastWrongBefore(seen, mended, until) - mended;
  });
  return { violations: await violations(world, seen, faults, since), requests: seen.length, recoveries };
}

function lastWrongBefore(seen: readonly Seen[], after: number, before: number): number {
  const times = seen.filter((one) => isWrong(one) && one.ended < before).map(({ ended }) => ended);
  return Math.max(after, ...times);
}
