import { expect, test } from "vitest";
import { compile } from "@/lib/access/compile";
import type { Configuration, Policy } from "@/lib/access/configuration";
import { check, resolve } from "@/lib/access/resolve";
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
  "of the namesakes that a caller sees, here of %s, the first source's keeps its name, in a list as in a check",
  (_title, sources) => {
    const request = requestOf({ sources });
    const listed = resolve(index, request, 0).tools;
    const names = new Map(listed.map((one) => [one.tool.source, one.exposedName]));
    expect([...names.keys()].toSorted()).toEqual(sources);
    for (const [source, name] of names) expect(name).toMatch(source === sources[0] ? /^get$/ : /^get_[0-9a-f]{6}$/);
    for (const one of listed) expect(check(index, request, one.tool.id, 0)).toEqual({ verdict: "visible", tool: one });
  },
);
