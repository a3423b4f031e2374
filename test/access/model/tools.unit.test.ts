import { expect, test } from "vitest";
import type { Configuration, Tool } from "@/lib/access/model/configuration";
import { atOnce } from "@/lib/access/model/parts";
import { compileTools } from "@/lib/access/model/tools";
import { configurationOf } from "@/bench/support/workload";

const base = configurationOf({ tools: 4, groups: 1, policies: 0 });
const withTools = (...changes: readonly Partial<Tool>[]) => ({
  ...base,
  tools: base.tools.map((tool, n) => ({ ...tool, ...changes[n] })),
});

const tableOf = (config: Configuration) => atOnce(compileTools(config, []));

test("tools that require the same capabilities share one set; blank entries require nothing", () => {
  const requires = (...requiredCapabilities: readonly string[]) => ({ requiredCapabilities });
  const { needOf, needs } = tableOf(withTools(requires("a"), requires(" "), requires("a", "b"), requires("a")));
  expect([...needOf]).toEqual([1, 0, 2, 1]);
  expect(needs).toEqual([[], ["a"], ["a", "b"]]);
});

test("reasons of step 3 that remove no tool are left out", () => {
  expect(tableOf(base).disabled).toEqual([]);
  const reasons = tableOf(withTools({ enabled: false }, { status: "quarantined" })).disabled;
  expect(reasons.map(({ reason }) => reason)).toEqual(["tool_quarantined", "tool_disabled"]);
});
