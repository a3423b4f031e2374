import { expect, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import type { Configuration, Policy } from "@/lib/access/model/configuration";
import { check, findByExposedName, resolve } from "@/lib/access/decide/resolve";
import { configurationOf } from "@/bench/support/workload";
import { requestOf } from "@/lib/access/model/request";

/** One tool per source. One policy per source grants its tool to callers that claim the source. */
const base = configurationOf({ tools: 1, groups: 1, policies: 1 });
const [tool, group, policy] = [base.tools[0]!, base.groups[0]!, base.policies[0]!];
const configurationWith = (nameBySource: Readonly<Record<string, string>>): Configuration => ({
  ...base,
  sources: Object.keys(nameBySource).map((name) => ({ name, kind: "http", enabled: true })),
  tools: Object.entries(nameBySource).map(([source, name]) => ({
    ...tool,
    id: `${source}:get`,
    source,
    operation: "get",
    name,
    groups: [source],
  })),
  groups: Object.keys(nameBySource).map((name) => ({ ...group, name, selectors: [] })),
  policies: Object.keys(nameBySource).map((name): Policy => ({
    ...policy,
    name,
    effect: "allow",
    matchers: [{ claim: "sources", operator: "contains", value: name, ignoreCase: false }],
    groups: [name],
  })),
});

/** Three sources whose tools have one name. */
const SOURCES = ["a", "a-b", "b"];
const config = configurationWith({ a: "get", "a-b": "get", b: "get" });
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

test("a grant never moves a name to another tool, listed or not: what it calls before, it still calls or is ambiguous", () => {
  // `get_ad9b39` is the suffixed name of `a:get`: six digits of the SHA-256 of its id.
  const imitated = compile(configurationWith({ a: "get", "a-b": "get", b: "get", x: "get_ad9b39" }));
  const grants = [...subsets, ...subsets.map((sources) => [...sources, "x"])];
  const lists = grants.map((sources) => ({ sources, list: resolve(imitated, requestOf({ sources }), 0) }));
  const names = new Set(lists.flatMap(({ list }) => list.tools.flatMap((one) => [one.exposedName, one.tool.name])));
  expect([...names].toSorted()).toEqual(["get", "get_6f6a28", "get_80be7c", "get_ad9b39", "get_ad9b39_c18b6e"]);
  for (const before of lists) {
    for (const after of lists.filter(({ sources }) => before.sources.every((source) => sources.includes(source)))) {
      for (const name of names) {
        const [first, then] = [before, after].map(({ list }) =>
          findByExposedName(list, name).map((one) => one.tool.id),
        );
        expect(then).toEqual(expect.arrayContaining(first!));
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
