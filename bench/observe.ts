import { closing, type AtEnd } from "@/bench/support/closing";
import { median, report } from "@/bench/support/measure";
import { measureRate, pipelineInProcess } from "@/bench/support/pipeline-in-process";
import { compile } from "@/lib/access/compile/compile";
import { observedIn } from "@/lib/access/decide/observed";
import type { Configuration, Policy } from "@/lib/access/model/configuration";
import type { Dependencies } from "@/lib/calls/pipeline/dependencies";
import type { Snapshot } from "@/lib/store/snapshot/snapshot";

// Measures what observed rules cost a call: the pipeline on a tool in code, from the request to the answer, with 20 observed
// policies that match the caller and would refuse the call, against the same without them. Processor time, in turns; the
// writes of the observations are included.

const ROUNDS = 11;
/** About as many as a process makes in a second: observations are written once a second. */
const CALLS = 2_000;
const OBSERVED = 20;

await closing(measure);

async function measure(atEnd: AtEnd): Promise<void> {
  const { production, callWith } = await pipelineInProcess(atEnd);
  const { flushObserved } = await import("@/lib/store/observed/record");
  const plain = callWith(production);
  const observing = callWith(withObserved(production));
  const costs: Record<"plain" | "observing", number[]> = { plain: [], observing: [] };
  for (let round = -2; round < ROUNDS; round += 1) {
    for (const [name, call] of Object.entries({ plain, observing })) {
      const used = process.cpuUsage();
      await measureRate(call, { calls: CALLS, inFlight: 16 });
      await flushObserved();
      const { user, system } = process.cpuUsage(used);
      if (round >= 0) costs[name as keyof typeof costs].push((user + system) / 1_000 / CALLS);
    }
  }
  const ratios = costs.observing.map((cost, round) => cost / (costs.plain[round] ?? Number.NaN));
  console.log(`        a call ${median(costs.plain).toFixed(3)} ms, observed ${median(costs.observing).toFixed(3)} ms`);
  report(`processor of a call with ${OBSERVED} observed policies / without`, median(ratios), { atMost: 1.1 });
}

/** The same effects on a configuration with observed policies. */
function withObserved(deps: Dependencies): Dependencies {
  let known: { readonly plain: Snapshot; readonly observing: Snapshot } | null = null;
  return {
    ...deps,
    snapshot: async (minRevision) => {
      const plain = await deps.snapshot(minRevision);
      if (known?.plain === plain) return known.observing;
      const policies = [...plain.index.config.policies, ...Array.from({ length: OBSERVED }, observedPolicy)];
      const configuration: Configuration = { ...plain.index.config, policies };
      const index = compile(configuration, plain.index);
      observedIn(index);
      known = { plain, observing: { ...plain, index } };
      return known.observing;
    },
  };
}

function observedPolicy(_: unknown, number: number): Policy {
  return {
    name: `observed-${number}`,
    description: "",
    effect: "deny",
    mode: "observe",
    priority: 0,
    active: true,
    validFrom: null,
    validUntil: null,
    matchers: [{ claim: "sub", operator: "not_equals", value: `nobody-${number}`, ignoreCase: false }],
    everyone: false,
    arguments: [],
    groups: ["*"],
  };
}
