import { compare, median, report } from "@/bench/support/measure";
import { callersOf, configurationOf, STATED, withUnreachable } from "@/bench/support/workload";
import { requestOf } from "@/lib/access/model/request";
import { compile } from "@/lib/access/compile/compile";
import { resolve } from "@/lib/access/decide/resolve";

// Measures the same callers before and after the catalogue and the policies double with parts that the callers cannot reach.

const NOW = Date.UTC(2026, 0, 1);
const config = configurationOf(STATED);
const near = compile(config);
const far = compile(withUnreachable(config));
const requests = callersOf(50).map(requestOf);
const request = (n: number) => requests[n % requests.length] ?? requestOf({});

requests.forEach((one, n) => {
  const [before, after] = [near, far].map((index) =>
    resolve(index, one, NOW)
      .tools.map(({ tool }) => tool.id)
      .join(),
  );
  if (before !== after) throw new Error(`caller ${n} reaches other tools after doubling`);
});

// Ratios of neighbouring rounds, so that other load on the machine affects both alike.
const ratios = Array.from({ length: 25 }, () => {
  const times = compare(
    {
      near: { calls: 500, work: (n) => resolve(near, request(n), NOW) },
      far: { calls: 500, work: (n) => resolve(far, request(n), NOW) },
    },
    5,
  );
  return times.far / times.near;
});
report(
  `list with ${far.tools.all.length} tools, ${far.policies.length} policies / with half of them reachable`,
  median(ratios),
  { atMost: 1.1 },
);
