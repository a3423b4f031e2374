import { expect, vi } from "vitest";
import { RECOVERS_MS } from "@/test/endurance/invariants";
import { play, type Stage } from "@/test/endurance/scenario";
import type { World } from "@/test/endurance/world";
import type { Instance } from "@/test/support/processes/instance";

/** `npm run chaos`, and not the tests that run with all others. */
export const LONG = process.env["ENDURANCE"] === "long";
/** How often a fault is repeated in the long run. */
const TIMES = 20;

/** The state after a survived scenario. */
export const SURVIVED = { violations: [], backInTime: true };

/** Plays a scenario, says what came of it in a line, and answers whether everything held. */
export async function survival(
  world: World,
  instance: Instance,
  name: string,
  scenario: (stage: Stage) => Promise<void>,
): Promise<{ readonly violations: readonly string[]; readonly backInTime: boolean }> {
  const { requests, violations, recoveries } = await play(world, instance, scenario);
  const slowest = Math.max(0, ...recoveries);
  const broken = recoveries.length;
  process.stdout.write(
    `  ${name}: ${requests} requests, ${violations.length} violations` +
      (broken > 0 ? `; ${broken} times broken, back after ${slowest.toFixed(0)} ms at most\n` : "\n"),
  );
  return { violations: violations.slice(0, 5), backInTime: slowest <= RECOVERS_MS };
}

/** Repeats one fault with some traffic between; so many times in the short run. */
export async function again(stage: Stage, fault: () => Promise<void>, times = 1): Promise<void> {
  for (let time = 0; time < (LONG ? TIMES : times); time += 1) {
    await stage.goOn(500);
    await stage.broken(fault);
  }
}

/** It answers before it has read the configuration. */
export async function untilReady({ origin }: Instance): Promise<void> {
  const look = async () => expect((await fetch(`${origin}/api/ready`)).status).toBe(200);
  await vi.waitFor(look, { timeout: 30_000, interval: 50 });
}
