import { expect, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import type { Configuration, Policy } from "@/lib/access/model/configuration";
import { check, findByExposedName, resolve } from "@/lib/access/decide/resolve";
import { configurationOf, requestOf } from "@/bench/support/workload";

/** Tools of one name in three sources, each granted by a policy of its own to the caller that claims its source. */
const SOURCES = ["a", "a-b", "b"];
const base = configurationOf({ tools: 1, groups: 1, policies: 1 });
const [tool, group, policy] = [base.tools[0]!, base.groups[0]!, base.policies[0]!];
const config: Configuration = {
  ...base,
  sources: SOURCES.map((name) => ({ name, kind: "http", enabled: true })),
  tools: SOURCES.map((source) => ({
    ...tool,
    id: `${source}:get`,
    source,
    operation: "get",
    name: "get",
    groups: [source],
  })),
  groups: SOURCES.map((name) => ({ ...group, name, selectors: [] })),
  policies: SOURCES.map((name): Policy => ({
    ...policy,
    name,
    effect: "allow",
    matchers: [{ claim: "sources", operator: "contains", value: name, ignoreCase: false }],
    groups: [name],
  })),
};
const index = compile(config);
const subsets = Array.from({ length: 2 ** SOURCES.length }, (_, bits) =>
  SOURCES.filter((_source, n) => bits & (1 << n)),
);

test.each(subsets.map((sources) => [sources.join(" and ") || "none", sources] as const))(
  "a tool keeps its name while it is the only one of it, here of %s, in a list as in a check; of several none does",
  (_title, sources) => {
    const request = requestOf({ sources });
    const listed = resolve(index, request, 0).tools;
    const names = new Map(listed.map((one) => [one.tool.source, one.exposedName]));
    expect([...names.keys()].toSorted()).toEqual(sources);
    for (const name of names.values()) expect(name).toMatch(sources.length === 1 ? /^get$/ : /^get_[0-9a-f]{6}$/);
    expect(new Set(names.values()).size).toBe(sources.length);
    for (const one of listed) expect(check(index, request, one.tool.id, 0)).toEqual({ verdict: "visible", tool: one });
  },
);

test("a grant never moves a name from one tool to another: the tool is meant still, or one of several", () => {
  const listed = (sources: readonly string[]) => resolve(index, requestOf({ sources }), 0);
  for (const before of subsets) {
    for (const after of subsets.filter((larger) => before.every((source) => larger.includes(source)))) {
      for (const one of listed(before).tools) {
        const meant = findByExposedName(listed(after), one.exposedName).map((found) => found.tool.id);
        expect(meant).toContain(one.tool.id);
      }
    }
  }
});
