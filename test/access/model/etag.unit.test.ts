import { expect, test } from "vitest";
import { configurationOf } from "@/bench/support/workload";
import { requestOf } from "@/lib/access/model/request";
import { compile } from "@/lib/access/compile/compile";
import type { Configuration, Policy, Tool } from "@/lib/access/model/configuration";
import { resolve } from "@/lib/access/decide/resolve";

const everyone: Policy = {
  name: "everyone",
  description: "",
  effect: "allow",
  priority: 0,
  active: true,
  validFrom: null,
  validUntil: null,
  matchers: [],
  everyone: true,
  arguments: [],
  groups: ["group-0"],
};
const config: Configuration = { ...configurationOf({ tools: 20, groups: 2, policies: 0 }), policies: [everyone] };
const etagOf = (changed: Configuration) => resolve(compile(changed), requestOf({}), 0).etag;
const first = (change: Partial<Tool>): Configuration => ({
  ...config,
  tools: config.tools.map((tool, n) => (n === 0 ? { ...tool, ...change } : tool)),
});
const condition = { claim: "amount", operator: "lte", value: 100, ignoreCase: false };

test.each<[string, Configuration]>([
  ["a name", first({ name: "renamed" })],
  ["a description", first({ description: "Other words." })],
  ["a schema", first({ inputSchema: { type: "object" } })],
  ["guidance", first({ guidance: "Use it last." })],
  ["an annotation", first({ annotations: { readOnlyHint: true } })],
  ["a group's guidance", { ...config, groups: config.groups.map((group) => ({ ...group, guidance: "Careful." })) }],
  ["a tool less", first({ enabled: false })],
  ["another group", { ...config, policies: [{ ...everyone, groups: ["group-1"] }] }],
  ["a condition on arguments", { ...config, policies: [{ ...everyone, arguments: [condition] }] }],
])("the etag changes with %s", (_name, changed) => expect(etagOf(changed)).not.toBe(etagOf(config)));

test("the etag changes with a condition's description", () => {
  const conditional = (description: string) =>
    etagOf({ ...config, policies: [{ ...everyone, description, arguments: [condition] }] });
  expect(conditional("At most 100.")).not.toBe(conditional("At most one hundred."));
});

test("the etag ignores conditions that affect no listed tool", () => {
  const beside = (description: string) => {
    const other = { ...everyone, name: "other", groups: ["group-1"], description, arguments: [condition] };
    const index = compile({ ...config, policies: [everyone, other] });
    return resolve(index, { ...requestOf({}), group: ["group-0"] }, 0).etag;
  };
  expect(beside("At most 100.")).toBe(beside("At most one hundred."));
});

test("the etag ignores the revision, hidden tools and another policy for the same groups", () => {
  const hidden = config.tools.map((tool, n) => (n === 1 ? { ...tool, description: "Nobody sees this." } : tool));
  expect(etagOf({ ...config, revision: 99, tools: hidden, policies: [{ ...everyone, name: "other" }] })).toBe(
    etagOf(config),
  );
});

test("the etag is the same in every process: it depends on nothing but the entries", () => {
  expect(etagOf(structuredClone(config))).toBe(etagOf(config));
  expect(etagOf(config)).toMatch(/^[0-9a-f]{32}$/);
});
