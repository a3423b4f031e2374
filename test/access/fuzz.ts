import * as fc from "fast-check";
import { randomInt } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { compile } from "@/lib/access/compile/compile";
import { createResolver } from "@/lib/access/decide/remember";
import { resolve } from "@/lib/access/decide/resolve";
import { keepAsCase } from "@/test/access/found-case";
import { seenByCore } from "@/test/access/seen-by-core";
import { seenByOracle } from "@/test/access/seen-by-oracle";
import { worlds, type World } from "@/test/access/worlds";

// npm run fuzz [-- WORLDS [SEED]]: compares core and oracle until stopped (Ctrl-C), or for WORLDS worlds, from SEED or
// a random seed; each batch uses the next seed.
// A difference is shrunk, saved as a JSON case under cases/found and printed; the run then ends with exit code 1.

const BATCH = 100;
const [most, first] = process.argv.slice(2).map(Number);
const firstSeed = first ?? randomInt(2 ** 30);
/** Milliseconds between two lines of progress. */
const EVERY = 5_000;
const started = performance.now();
let count = 0;
let showing = 0;

function agree({ calls, ...question }: World): boolean {
  const oracle = seenByOracle(question, calls);
  count += 1;
  if (oracle.visible.length > 0) showing += 1;
  return isDeepStrictEqual(seenByCore(question, calls), oracle) && remembers(question);
}

/** Whether a cached answer equals the computed one, the first time and the second. */
function remembers({ configuration, request, now }: Omit<World, "calls">): boolean {
  const index = compile(configuration);
  const resolver = createResolver();
  const answer = resolve(index, request, now);
  return [1, 2].every(() => isDeepStrictEqual(resolver.resolve(index, structuredClone(request), now), answer));
}

function report(): void {
  const seconds = (performance.now() - started) / 1000;
  const share = ((100 * showing) / Math.max(count, 1)).toFixed(0);
  console.log(
    `${count} worlds from seed ${firstSeed}, ${(count / seconds).toFixed(0)}/s, ${share} % show tools, no difference`,
  );
}

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    report();
    process.exit(0);
  });

let reported = started;

for (let seed = firstSeed; count < (most ?? Number.POSITIVE_INFINITY); seed += 1) {
  const run = fc.check(fc.property(worlds, agree), { seed, numRuns: BATCH });
  if (run.failed) {
    const [world] = run.counterexample ?? fc.sample(worlds, { seed, numRuns: 1 });
    if (run.errorInstance !== null) console.error(run.errorInstance);
    console.error(
      `Core and oracle differ (seed ${seed}). Kept as ${keepAsCase(world!, seenByOracle(world!, world!.calls))}`,
    );
    process.exit(1);
  }
  if (performance.now() - reported >= EVERY) {
    report();
    reported = performance.now();
  }
  // Lets signals through between batches.
  await new Promise(setImmediate);
}

report();
