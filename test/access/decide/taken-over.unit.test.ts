import { expect, test } from "vitest";
import { catalogueChange } from "@/lib/access/model/catalogue";
import { atOnce } from "@/lib/access/model/parts";
import { compile } from "@/lib/access/compile/compile";
import { configurationOf } from "@/bench/support/workload";

test("compile reuses the matchers of the same policy object, not of a copy", () => {
  const config = configurationOf({ tools: 1, groups: 1, policies: 2 });
  const [kept, changed] = config.policies;
  const condition = { claim: "amount", operator: "lte", value: 5, ignoreCase: false };
  const before = compile({ ...config, policies: [{ ...kept!, arguments: [condition] }, changed!] });
  const [first, second] = before.policies;
  const after = compile({ ...config, policies: [first!.policy, { ...changed! }] }, before);
  expect(after.policies[0]?.matchers).toBe(first?.matchers);
  expect(after.policies[0]?.arguments).toBe(first?.arguments);
  expect(after.policies[1]?.matchers).not.toBe(second?.matchers);
});

test("of two catalogues only new and changed tools are tested again", () => {
  const config = configurationOf({ tools: 4, groups: 1, policies: 0 });
  const [gone, changed, ...kept] = config.tools;
  const came = { ...gone!, id: "shop:new", name: "new" };
  const now = compile({ ...config, tools: [{ ...changed! }, ...kept, came] }).tools;
  const { movedTo, others } = atOnce(catalogueChange(compile(config).tools, now));
  expect([...others.numberOf.keys()].toSorted()).toEqual([came.id, changed!.id].toSorted());
  expect([...movedTo]).toEqual([-1, -1, ...kept.map(({ id }) => now.numberOf.get(id))]);
});

test("compile reuses the tables of tools and groups while all their rows and sources are the same objects", () => {
  const config = configurationOf({ tools: 6, groups: 2, policies: 2 });
  const twice = { ...config, tools: [...config.tools, config.tools[0]!] };
  const before = compile(twice);
  expect(before.errors).toHaveLength(1);
  const after = compile(
    { ...twice, tools: [...twice.tools], groups: [...twice.groups], policies: [config.policies[0]!], revision: 2 },
    before,
  );
  expect(after.tools).toBe(before.tools);
  expect(after.groups).toBe(before.groups);
  expect(after.errors).toEqual(before.errors);
  for (const changed of [
    { tools: config.tools },
    { tools: [...twice.tools.slice(1), { ...twice.tools[0]! }] },
    { groups: [{ ...config.groups[0]! }, ...config.groups.slice(1)] },
    { sources: config.sources.map((source) => ({ ...source, enabled: false })) },
  ]) {
    const next = { ...twice, ...changed };
    const over = compile(next, before);
    expect(over.tools).not.toBe(before.tools);
    expect(over.errors).toEqual(compile(next).errors);
    expect(over.tools.disabled).toEqual(compile(next).tools.disabled);
  }
});
