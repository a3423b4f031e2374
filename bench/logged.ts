import { closing, type AtEnd } from "@/bench/support/closing";
import { measuredInstallation } from "@/bench/support/servers/measured-installation";
import { median, report } from "@/bench/support/measure";
import type { Dependencies } from "@/lib/calls/pipeline/dependencies";

// Measures what the log adds to a call: the same pipeline on a tool in code, in one process, with its two rows and without.
// In turns, in one run. The ratio has no goal, but a machine must log 1,000 calls a second.

const ROUNDS = 7;
const CALLS = 4_000;

await closing(measure);

async function measure(atEnd: AtEnd): Promise<void> {
  const installation = await measuredInstallation();
  atEnd(installation.stop);
  // Imported after the environment is set.
  const { callToolWith } = await import("@/lib/agents/rest/call");
  const { production } = await import("@/lib/calls/pipeline/dependencies");
  const { closeDatabase } = await import("@/lib/store/db/database");
  const { closeSnapshot } = await import("@/lib/store/snapshot/snapshot");
  atEnd(closeDatabase);
  atEnd(closeSnapshot);
  const logged = production();
  const unlogged: Dependencies = {
    ...logged,
    writeIntent: async (_intent, { revision }) => ({
      written: true,
      revision,
      keyGood: true,
      sessionCurrent: true,
      sessionFree: true,
    }),
    writeOutcome: async ({ stateAfter }) => stateAfter,
  };
  for (const inFlight of [1, 16, 64]) {
    const rounds: { readonly logged: number; readonly unlogged: number }[] = [];
    for (let round = -1; round < ROUNDS; round += 1) {
      const seen = {
        logged: await rate(
          callToolWith(() => logged),
          installation.apiKey,
          inFlight,
        ),
        unlogged: await rate(
          callToolWith(() => unlogged),
          installation.apiKey,
          inFlight,
        ),
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

/** Calls a second with a given number in flight. @throws when one does not succeed */
async function rate(
  handler: (request: Request) => Promise<Response>,
  apiKey: string,
  inFlight: number,
): Promise<number> {
  let left = inFlight === 1 ? CALLS / 8 : CALLS;
  const calls = left;
  const body = JSON.stringify({ tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } });
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const caller = async () => {
    while (left-- > 0) {
      const answer = await handler(
        new Request("http://quartermaster/api/agents/tools/call", { method: "POST", headers, body }),
      );
      if (answer.status !== 200) throw new Error(await answer.text());
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: inFlight }, caller));
  return (1_000 * calls) / (performance.now() - start);
}
