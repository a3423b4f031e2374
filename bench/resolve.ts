import { caslByGroup, caslPeer, type CaslPeer } from "@/bench/support/peers/casl";
import { cedarPeer } from "@/bench/support/peers/cedar";
import { compare, report } from "@/bench/support/measure";
import { callersOf, configurationOf, DENSE, STATED } from "@/bench/support/workload";
import { requestOf } from "@/lib/access/model/request";
import { compile } from "@/lib/access/compile/compile";
import type { JsonObject } from "@/lib/access/model/configuration";
import { explain } from "@/lib/access/explain/explain";
import { reasons } from "@/lib/access/explain/hidden";
import { createResolver } from "@/lib/access/decide/remember";
import { check, resolve } from "@/lib/access/decide/resolve";
import { consultOracle } from "@/test/access/oracle/resolve";

// Compares three engines on two workloads in one process; checks that their answers are equal before it measures. On
// each workload CASL is in its fastest form: tools as fields when there are denies, groups as fields when there are none.

const NOW = Date.UTC(2026, 0, 1);
const config = configurationOf(STATED);
const index = compile(config);
const casl = caslPeer(config);
const cedar = cedarPeer(config);
const callers = callersOf(50);
const requests = callers.map(requestOf);
const tools = config.tools.map((tool) => ({ id: tool.id, group: tool.tags[0] ?? "" }));

const at = <T>(list: readonly T[], n: number): T => {
  const value = list[n % list.length];
  if (value === undefined) throw new RangeError("empty list");
  return value;
};
/** A tool for the n-th call, spread over the catalogue. */
const toolAt = (n: number) => at(tools, n * 7919);

checkEqual();
const visible = requests.map((request) => resolve(index, request, NOW).tools.length);
console.log(
  `${config.policies.length} policies × ${config.tools.length} tools in ${config.groups.length} groups, ${callers.length} callers,`,
  `${Math.min(...visible)}–${Math.max(...visible)} visible tools, ${Math.round(visible.reduce((a, b) => a + b) / visible.length)} on average; answers equal`,
);

const resolver = createResolver();
// A new token each time, as in production: its other claims are read by no policy, and no object is shared between calls.
const tokens = Array.from({ length: 1000 }, (_, n): JsonObject => ({
  ...structuredClone(at(callers, n)),
  jti: `fresh-${n}`,
  exp: 1_900_000_000 + n,
}));
const fresh = tokens.map(requestOf);
const times = compare({
  list: { calls: 1000, work: (n) => resolve(index, at(requests, n), NOW) },
  remembered: { calls: 1000, work: (n) => resolver.resolve(index, at(fresh, n), NOW) },
  check: { calls: 1000, work: (n) => check(index, at(requests, n), toolAt(n).id, NOW) },
  reasons: { calls: 50, work: (n) => reasons(index, at(requests, n), NOW) },
  explanation: { calls: 1000, work: (n) => explain(index, at(requests, n), toolAt(n).id, NOW) },
  caslList: { calls: 200, work: (n) => casl.list(at(callers, n)) },
  caslCheck: { calls: 200, work: (n) => casl.check(at(callers, n), toolAt(n).id) },
  cedarCheck: { calls: 20, work: (n) => cedar(at(callers, n), toolAt(n)) },
});

for (const [name, time] of Object.entries(times)) console.log(`        ${name.padEnd(14)} ${time.toFixed(4)} ms`);
report("uncached list with reasons / CASL's list", times.list / times.caslList, { atMost: 1 / 5 });
report("remembered list / CASL's list", times.remembered / times.caslList, { atMost: 1 / 30 });
report("single check / CASL's check", times.check / times.caslCheck, { atMost: 1 / 15 });
report("reason codes for all tools / list", times.reasons / times.list, { atMost: 15 });
report("one tool's full explanation / CASL's list", times.explanation / times.caslList, { atMost: 1 / 10 });
reportOracle();
console.log(
  `        Cedar's check of one tool is ${(times.cedarCheck / times.check).toFixed(0)} × ours; it has no list`,
);
reportDense();

/** Callers who match many policies and see a quarter of the catalogue. */
function reportDense(): void {
  const dense = configurationOf(STATED, 1, DENSE);
  const compiled = compile(dense);
  const peer = caslByGroup(dense);
  const claims = callersOf(50, 2, DENSE);
  const asked = claims.map(requestOf);
  const idAt = (n: number) => at(dense.tools, n * 7919).id;
  const lists = asked.map((request) => resolve(compiled, request, NOW));
  claims.forEach((one, n) => checkList(`dense caller ${n}`, at(lists, n), peer, one));
  const mean = (of: (list: (typeof lists)[number]) => number) =>
    Math.round(lists.reduce((sum, list) => sum + of(list), 0) / lists.length);
  console.log(
    `dense: ${mean((list) => list.matchedPolicies.length)} matching policies, ${mean((list) => list.tools.length)} visible tools on average; answers equal`,
  );
  const dearer = compare({
    list: { calls: 200, work: (n) => resolve(compiled, at(asked, n), NOW) },
    check: { calls: 1000, work: (n) => check(compiled, at(asked, n), idAt(n), NOW) },
    reasons: { calls: 50, work: (n) => reasons(compiled, at(asked, n), NOW) },
    caslList: { calls: 200, work: (n) => peer.list(at(claims, n)) },
    caslCheck: { calls: 1000, work: (n) => peer.check(at(claims, n), idAt(n)) },
  });
  for (const [name, time] of Object.entries(dearer)) console.log(`        ${name.padEnd(14)} ${time.toFixed(4)} ms`);
  report("dense: uncached list with reasons / CASL's list", dearer.list / dearer.caslList, { atMost: 0.5 });
  report("dense: single check / CASL's check", dearer.check / dearer.caslCheck, { atMost: 0.15 });
  report("dense: reason codes for all tools / list", dearer.reasons / dearer.list, { atMost: 10 });
}

function checkList(caller: string, list: ReturnType<typeof resolve>, peer: CaslPeer, claims: JsonObject): void {
  const ours = list.tools.map(({ tool }) => tool.id).toSorted();
  const theirs = [...peer.list(claims)].toSorted();
  if (ours.join() !== theirs.join()) throw new Error(`${caller}: ours ${ours.length} tools, CASL ${theirs.length}`);
}

/** Compares with the oracle, which searches all rules for each tool: one answer at the stated size takes a minute, so both get a tenth. */
function reportOracle(): void {
  const small = configurationOf({ tools: 1_000, groups: 10, policies: 100 });
  const compiled = compile(small);
  const both = compare(
    {
      oracle: { calls: 1, work: (n) => consultOracle(small, at(requests, n), NOW) },
      list: { calls: 1000, work: (n) => resolve(compiled, at(requests, n), NOW) },
    },
    3,
  );
  report("oracle's list / list, at a tenth of the size", both.oracle / both.list, { atLeast: 100 }, "×");
}

function checkEqual(): void {
  callers.forEach((claims, n) => {
    const list = resolve(index, requestOf(claims), NOW);
    checkList(`caller ${n}`, list, casl, claims);
    const set = new Set(list.tools.map(({ tool }) => tool.id));
    for (let i = 0; i < 20; i += 1) {
      const tool = toolAt(n * 20 + i);
      const answers = [
        set.has(tool.id),
        check(index, requestOf(claims), tool.id, NOW).verdict === "visible",
        casl.check(claims, tool.id),
        cedar(claims, tool),
      ];
      if (new Set(answers).size !== 1) throw new Error(`caller ${n}, ${tool.id}: ${answers.join()}`);
    }
  });
}
