import { closing, type AtEnd } from "@/bench/support/closing";
import { measureRate, pipelineInProcess } from "@/bench/support/pipeline-in-process";
import { median, report } from "@/bench/support/measure";
import type { Dependencies } from "@/lib/calls/pipeline/dependencies";

// Measures what the log adds to a call: the same pipeline on a tool in code, in one process, with its two rows and without.
// In turns, in one run. The ratio has no goal, but a machine must log 1,000 calls a second.

const ROUNDS = 7;
const CALLS = 4_000;

await closing(measure);

async function measure(atEnd: AtEnd): Promise<void> {
  const { production: logged, callWith } = await pipelineInProcess(atEnd);
  const unlogged: Dependencies = {
    ...logged,
    writeIntent: async (_intent, { revision }) => ({
      written: true,
      revision,
      keyGood: true,
      sessionCurrent: true,
      labelsCurrent: true,
      sessionFree: true,
    }),
    writeOutcome: async ({ stateAfter }) => stateAfter,
  };
  for (const inFlight of [1, 16, 64]) {
    const rounds: { readonly logged: number; readonly unlogged: number }[] = [];
    for (let round = -1; round < ROUNDS; round += 1) {
      const seen = {
        logged: (await measureRate(callWith(logged), { calls: CALLS, inFlight })).perSecond,
        unlogged: (await measureRate(callWith(unlogged), { calls: CALLS, inFlight })).perSecond,
      };
      if (round >= 0) rounds.push(seen);
    }
    const ratio = median(rounds.map((seen) => seen.logged / seen.unlogged));
    const perSecond = median(rounds.map((seen) => seen.logged));
    console.log(
      `        ${inFlight} in flight: logged / unlogged ${ratio.toPrecision(3)}, ${perSecond.toFixed(0)} logged a second`,
    );
    if (inFlight === 64) report("calls through the pipeline and logged, a second", perSecond, { atLeast: 1_000 });
  }
}
