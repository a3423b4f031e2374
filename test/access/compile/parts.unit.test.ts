import { describe, expect, it } from "vitest";
import { compile, compileInParts } from "@/lib/access/compile/compile";
import type { Configuration } from "@/lib/access/model/configuration";
import { configurationOf } from "@/bench/support/workload";

/** How often one part of a compilation reads fields of rows, at most. */
function mostReads(configuration: Configuration, previous: Configuration | null = null): number {
  let reads = 0;
  const watched = <Row extends object>(rows: readonly Row[]): Row[] =>
    rows.map(
      (row) =>
        new Proxy(row, {
          get: (target, field) => {
            reads += 1;
            return Reflect.get(target, field) as unknown;
          },
        }),
    );
  const { tools, groups, policies, machines, driftAcceptances } = configuration;
  const rows = { tools: watched(tools), groups: watched(groups), policies: watched(policies) };
  const others = { machines: watched(machines), driftAcceptances: watched(driftAcceptances) };
  const before = previous === null ? null : compile(previous);
  let most = 0;
  const parts = compileInParts({ ...configuration, ...rows, ...others }, before);
  for (;;) {
    const since = reads;
    const { done } = parts.next();
    most = Math.max(most, reads - since);
    if (done === true) return most;
  }
}

const SMALL = { tools: 300, groups: 20, policies: 20 };
/** More reads than the parts of a small configuration need, and far fewer than one stage over all rows of a large one. */
const MAX_READS = 12_000;

describe("a part of a compilation is short", () => {
  it.each(["tools", "groups", "policies"] as const)("with thousands of %s", (section) => {
    expect(mostReads(configurationOf({ ...SMALL, [section]: 3_000 }))).toBeLessThan(MAX_READS);
  });

  it("when all of many tools changed", () => {
    const large = configurationOf({ ...SMALL, tools: 3_000 });
    expect(mostReads(large, large)).toBeLessThan(MAX_READS);
  });

  it("with many accepted definitions", () => {
    const entry = { profile: "read-only", tool: "shop:a", definitionHash: "h" };
    const driftAcceptances = Array.from({ length: 20_000 }, () => entry);
    expect(mostReads({ ...configurationOf(SMALL), driftAcceptances })).toBeLessThan(MAX_READS);
  });
});
