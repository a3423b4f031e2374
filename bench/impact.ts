import { monitorEventLoopDelay } from "node:perf_hooks";
import { compare, report, sink } from "@/bench/support/measure";
import { callersOf, configurationOf, STATED } from "@/bench/support/workload";
import { requestOf } from "@/lib/access/model/request";
import { compile, compileInParts } from "@/lib/access/compile/compile";
import type { Configuration, Policy } from "@/lib/access/model/configuration";
import { atOnce } from "@/lib/access/model/parts";
import { compareIndexes } from "@/lib/access/impact/impact";
import type { LoggedCaller } from "@/lib/access/impact/request";
import { resolve } from "@/lib/access/decide/resolve";
import { inTurns, runInTurns } from "@/lib/store/db/in-turns";

// Measures what the impact of a change costs without reading the log: 200 recent callers × 10,000 tools, before and
// after, against the least number of decisions that this needs, made one by one on the same index.

const NOW = 1_750_000_000_000;
const CALLERS = 200;

const stated = configurationOf(STATED);
const [policy] = stated.policies;
if (policy === undefined) throw new Error("The workload has no policies.");
/** Grants everything to everyone, so that every caller has all 10,000 tools. */
const all: Policy = { ...policy, name: "all", effect: "allow", matchers: [], everyone: true, groups: ["*"] };
const issuer = { name: "issuer", enabled: true, issuer: "https://issuer.example", capabilitiesClaim: null };
const config: Configuration = { ...stated, issuers: [issuer] };
const wide: Configuration = {
  ...config,
  policies: [...config.policies.filter(({ effect }) => effect === "allow"), all],
};

const callers: readonly LoggedCaller[] = callersOf(CALLERS).map((claims) => {
  const { claims: _none, ...request } = requestOf(claims);
  return {
    issuer: issuer.issuer,
    subject: String(claims["sub"]),
    isOwnToken: false,
    claims,
    request,
    fromSession: false,
  };
});

/** The whole impact: compiles the draft, then compares every caller, as the server does. */
function measureImpact(before: ReturnType<typeof compile>, draft: Configuration): number {
  const { caller } = atOnce(compareIndexes(before, compile(draft, before), NOW));
  return callers.reduce((moved, one) => {
    const { gained, lost } = caller(one);
    return moved + gained.length + lost.length;
  }, 0);
}

const changed = (n: number, of: Configuration): Configuration => ({
  ...of,
  policies: of.policies.map((one, at) => (at === n ? { ...one, groups: ["group-7"], everyone: false } : one)),
});

const before = compile(config);
const beforeWide = compile(wide);
const last = wide.policies.length - 1;
const resolved = (index: typeof before) => () => {
  for (const { claims } of callers) {
    sink.last = resolve(index, requestOf(claims), NOW);
    sink.last = resolve(index, requestOf(claims), NOW);
  }
};
const times = compare({
  resolves: { calls: 1, work: resolved(before) },
  impact: { calls: 1, work: (n) => measureImpact(before, changed(n, config)) },
  resolvesWide: { calls: 1, work: resolved(beforeWide) },
  impactWide: { calls: 1, work: () => measureImpact(beforeWide, changed(last, wide)) },
});
console.log(`        one changed policy, callers with some tools: ${times.impact.toFixed(1)} ms`);
console.log(`        the policy that gave everyone all 10,000 tools: ${times.impactWide.toFixed(1)} ms`);
report("its impact on 200 callers × 10,000 tools / 400 resolves", times.impact / times.resolves, { atMost: 3 });
report("the same where each loses all of 10,000 / 400 resolves", times.impactWide / times.resolvesWide, { atMost: 3 });

/** The longest hold-up of everything else while an impact is computed in slices. */
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const after = await runInTurns(compileInParts(changed(last, wide), beforeWide));
const comparison = await runInTurns(compareIndexes(beforeWide, after, NOW));
for await (const one of inTurns(callers)) sink.last = comparison.caller(one);
delay.disable();
report("the event loop is held up at once, at the most", delay.max / 1e6, { atMost: 200 }, " ms");
