import { expect, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import type { Configuration, Policy } from "@/lib/access/model/configuration";
import { check, findByExposedName, resolve } from "@/lib/access/decide/resolve";
import { configurationOf } from "@/bench/support/workload";
import { requestOf } from "@/lib/access/model/request";

/** Tools with one name in three sources. One policy per source grants its tool to callers that claim the source. */
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
  "a tool keeps its name while no other visible tool has it, here %s, in lists and checks; of several none does",
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

test("a grant never moves a name to another tool: the name still finds the tool, or several tools", () => {
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

test("a tool whose name imitates a suffix leaves exposed names unique, in lists and checks, also compiled step by step", () => {
  const [a] = SOURCES;
  const suffixed = resolve(index, requestOf({ sources: SOURCES }), 0).tools.find(({ tool: one }) => one.source === a);
  const name = suffixed!.exposedName;
  const imitating = { ...config.tools[2]!, id: `b:${name}`, operation: name, name };
  const tools = [...config.tools, imitating];
  const request = requestOf({ sources: SOURCES });
  for (const one of [compile({ ...config, tools }), compile({ ...config, tools }, index)]) {
    const list = resolve(one, request, 0);
    const listed = list.tools;
    expect(listed.length).toBe(4);
    expect(new Set(listed.map(({ exposedName }) => exposedName)).size).toBe(4);
    for (const entry of listed) {
      expect(findByExposedName(list, entry.exposedName)).toEqual([entry]);
      expect(check(one, request, entry.tool.id, 0)).toEqual({
        verdict: "visible",
        tool: entry,
      });
    }
  }
});
