import { serialize } from "node:v8";
import { cpuMilliseconds, median, percentile, report } from "@/bench/support/measure";
import { configurationOf, DENSE, SPARSE, STATED } from "@/bench/support/workload";
import { compile, type Index } from "@/lib/access/compile/compile";
import type { Configuration, Group, Policy, Tool } from "@/lib/access/model/configuration";
import { judgeChanges, type ReviewedChange } from "@/lib/config/review/judge";
import type { Verdict } from "@/lib/contracts/changes/verdict";

// Measures what the verdict on one change costs at 1,000 policies × 10,000 tools: CPU time, and the longest part, for which
// the serving thread answers nobody.

const NOW = 1_750_000_000_000;
const ROUNDS = 10;

const replaced = (resource: string, id: string, before: object, fields: object): ReviewedChange => {
  return { resource, id, before, after: { ...before, ...fields }, setsSecret: false };
};

/** One change of each usual kind, for row number `n`. */
function changesOf({ policies, groups, tools }: Configuration, n: number): ReadonlyMap<string, ReviewedChange> {
  const policy = policies[(n * 37 + 1) % policies.length] as Policy;
  const group = groups[(n * 7) % groups.length] as Group;
  const tool = tools[(n * 997) % tools.length] as Tool;
  const byHand = { tool: tool.id, who: null, when: null };
  const condition = { claim: "level", operator: "equals", value: "senior", ignoreCase: false };
  return new Map(
    Object.entries({
      "a condition more": replaced("policies", policy.name, policy, { matchers: [...policy.matchers, condition] }),
      "a condition less": replaced("policies", policy.name, policy, { matchers: policy.matchers.slice(1) }),
      everyone: replaced("policies", policy.name, policy, { matchers: [], everyone: true, effect: "allow" }),
      "a group more": replaced("policies", policy.name, policy, { groups: [...policy.groups, group.name] }),
      "a tool more": replaced("groups", group.name, group, { include: [byHand] }),
      "a tool disabled": replaced("tools", tool.id, tool, { enabled: false }),
      "a new policy": {
        resource: "policies",
        id: "new",
        before: null,
        after: { ...policy, name: "new" },
        setsSecret: false,
      },
    }),
  );
}

/** Judges in parts, as the server does. Returns the verdict and the longest part, in milliseconds. */
function judgeInParts(index: Index, change: ReviewedChange): { readonly verdict: Verdict; readonly longestMs: number } {
  const parts = judgeChanges(index, [change], NOW);
  let longestMs = 0;
  for (;;) {
    // CPU time: a busy machine does not lengthen it.
    const { milliseconds, made: part } = cpuMilliseconds(() => parts.next());
    longestMs = Math.max(longestMs, milliseconds);
    if (part.done === true) return { verdict: part.value, longestMs };
  }
}

for (const [density, config] of Object.entries({
  sparse: configurationOf(STATED, 1, SPARSE),
  dense: configurationOf(STATED, 1, DENSE),
})) {
  const index = compile(config);
  const rounds = Array.from({ length: ROUNDS + 1 }, (_, round) => [...changesOf(config, round)]);
  for (const name of rounds[0]?.map(([kind]) => kind) ?? []) {
    const changes = rounds.flat().filter(([kind]) => kind === name);
    // The first one warms up.
    const [, ...judged] = changes.map(([, change]) => cpuMilliseconds(() => judgeInParts(index, change)));
    const kinds = [...new Set(judged.map(({ made }) => made.verdict.kind))].join(", ");
    const spent = judged.map(({ milliseconds }) => milliseconds);
    const longest = judged.map(({ made }) => made.longestMs);
    report(`verdict, ${density}, ${name} (${kinds})`, median(spent), { atMost: 2_000 }, " ms");
    report(`  its longest part, p90`, percentile(longest, 90), { atMost: 50 }, " ms");
  }
  const copied = Array.from({ length: ROUNDS }, () => cpuMilliseconds(() => serialize(config)).milliseconds);
  const compiled = Array.from({ length: ROUNDS }, () => cpuMilliseconds(() => compile(config)).milliseconds);
  console.log(`        in a thread, ${density}: copying the configuration blocks for ${median(copied).toFixed(0)} ms,`);
  console.log(`        and compiling it there takes ${median(compiled).toFixed(0)} ms`);
}
