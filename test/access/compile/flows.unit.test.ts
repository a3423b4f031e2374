import { expect, test } from "vitest";
import { rulesHeld, type CompiledFlows } from "@/lib/access/compile/flows";
import { compile } from "@/lib/access/compile/compile";
import type { FlowRule } from "@/lib/access/model/flow";
import { caseConfiguration } from "@/test/access/findings-of";
import { seeded } from "@/test/support/seeded";

const LABELS = Array.from({ length: 12 }, (_, n) => `label-${n}`);

function ruleOf(n: number, when: readonly string[]): FlowRule {
  const restrict = [{ is: "outward", tool: null, selector: null }];
  return { name: `rule-${n}`, description: "", active: true, mode: "enforce", when, restrict, effect: "hide" };
}

function compiled(rules: readonly FlowRule[]): CompiledFlows {
  return compile({ ...caseConfiguration({}), flows: rules }).flows;
}

test("the rules of held labels are those whose labels are all held, by name, each once", () => {
  const random = seeded(23);
  const some = (most: number) => LABELS.filter(() => random() * LABELS.length < most);
  const flows = compiled(Array.from({ length: 200 }, (_, n) => ruleOf(n, some(2))));
  let found = 0;
  for (let round = 0; round < 200; round += 1) {
    const held = [...some(5), ...some(2)];
    const expected = flows.all.filter(({ rule }) => rule.when.every((label) => held.includes(label)));
    expect(rulesHeld(flows, held)).toEqual(expected);
    found += expected.length;
  }
  expect(found).toBeGreaterThan(1_000);
  expect(rulesHeld(flows, []).every(({ rule }) => rule.when.length === 0)).toBe(true);
});

test("a decision reads only the rules under the labels that its caller holds", () => {
  const flows = compiled(Array.from({ length: 1_000 }, (_, n) => ruleOf(n, [`label-${n % 100}`])));
  let read = 0;
  const all = flows.all.map((one) => ({
    passing: one.passing,
    get rule() {
      read += 1;
      return one.rule;
    },
  }));
  expect(rulesHeld({ ...flows, all }, ["label-1", "label-2", "unknown"])).toHaveLength(20);
  expect(read).toBe(20);
});
