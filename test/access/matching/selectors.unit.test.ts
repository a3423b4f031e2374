import { describe, expect, test } from "vitest";
import type { Selector, Tool } from "@/lib/access/model/configuration";
import { isProblem } from "@/lib/access/model/problem";
import { compileSelector, explainSelector, selectorFacts } from "@/lib/access/matching/selectors";
import { configurationOf } from "@/bench/support/workload";
import { BLANK_SELECTOR } from "@/lib/access/matching/selector-clauses";

const tool: Tool = {
  ...configurationOf({ tools: 1, groups: 1, policies: 0 }).tools[0]!,
  source: "shop",
  operation: "listOrders",
  path: "/Orders",
  method: "GET",
  tags: ["read", "Orders"],
  labels: ["team:a"],
};
const bare: Tool = { ...tool, path: null, method: null, tags: [], labels: [] };

function compiled(over: Partial<Selector>) {
  const selector = compileSelector({ ...BLANK_SELECTOR, ...over });
  if (isProblem(selector)) throw new Error(selector.problem);
  return selector;
}

test.each<[Partial<Selector>, Tool, boolean]>([
  [{}, bare, true],
  [{ source: "", name: "", path: "", method: "" }, bare, true],
  [{ source: "SHOP", name: "list*", path: "/orders", method: "get" }, tool, true],
  [{ source: "shop", name: "get*" }, tool, false],
  [{ name: "regex:LIST" }, tool, true],
  [{ path: "regex:/orders$" }, tool, true],
  [{ path: "*" }, bare, true],
  [{ path: "**" }, bare, false],
  [{ method: "?" }, bare, false],
  [{ method: "regex:.*" }, bare, false],
  [{ requiredTags: ["read", "Orders"] }, tool, true],
  [{ requiredTags: ["read", "orders"] }, tool, false],
  [{ excludedTags: ["write", "orders"] }, tool, true],
  [{ excludedTags: ["write", "read"] }, tool, false],
  [{ requiredLabels: ["team:a"] }, tool, true],
  [{ requiredLabels: ["team:a", "team:b"] }, tool, false],
  [{ readOnly: true }, { ...bare, annotations: { readOnlyHint: true } }, true],
  [{ readOnly: true }, bare, false],
  [{ readOnly: false }, bare, true],
  [{ hasSideEffects: true }, { ...bare, hasSideEffects: true }, true],
  [{ hasSideEffects: false }, { ...bare, hasSideEffects: true }, false],
  [{ destructive: true }, { ...bare, annotations: { destructiveHint: true } }, true],
  [{ destructive: true }, { ...bare, hasSideEffects: true }, true],
  [{ destructive: true }, { ...bare, hasSideEffects: true, annotations: { destructiveHint: false } }, false],
  [{ destructive: false }, bare, true],
])("%j", (over, given, expected) => {
  const selector = compiled(over);
  expect(selector.test(selectorFacts(given))).toBe(expected);
  expect(selector.selector).toEqual({ ...BLANK_SELECTOR, ...over });
});

test("the name alone shows that a selector matches no tool of a source", () => {
  expect(compiled({ source: "sh*" }).testSource("SHOP")).toBe(true);
  expect(compiled({ source: "sh*" }).testSource("files")).toBe(false);
  expect(compiled({ name: "sh*" }).testSource("files")).toBe(true);
});

describe("a pattern that does not compile", () => {
  test.each(["source", "name", "path", "method"] as const)("is refused with its place: %s", (clause) => {
    const problem = expect.stringMatching(new RegExp(`^${clause}: not a valid RE2 pattern: .`));
    expect(compileSelector({ ...BLANK_SELECTOR, [clause]: "regex:(" })).toEqual({ problem });
  });

  test("differs from a missing or empty pattern", () => {
    expect(isProblem(compileSelector({ ...BLANK_SELECTOR, source: "", name: "a*", path: "*" }))).toBe(false);
  });

  test("matches nothing in an explanation", () => {
    expect(explainSelector({ ...BLANK_SELECTOR, name: "regex:(" }, tool)).toEqual([
      { clause: "name", pattern: "regex:(", actual: "listOrders", held: false },
    ]);
  });
});

test("every stated part of a selector shows the tool's value and its verdict", () => {
  const selector: Selector = {
    ...BLANK_SELECTOR,
    source: "shop",
    name: "get*",
    path: "*",
    method: "",
    requiredTags: ["read", "write"],
    excludedTags: ["read", "write"],
    requiredLabels: ["team:a"],
  };
  const verdict = (clause: string, pattern: string, actual: string | null, held: boolean) => ({
    clause,
    pattern,
    actual,
    held,
  });
  expect(explainSelector(selector, tool)).toEqual([
    verdict("source", "shop", "shop", true),
    verdict("name", "get*", "listOrders", false),
    verdict("path", "*", "/Orders", true),
    verdict("requiredTags", "read", "read, Orders", true),
    verdict("requiredTags", "write", "read, Orders", false),
    verdict("excludedTags", "read", "read, Orders", false),
    verdict("excludedTags", "write", "read, Orders", true),
    verdict("requiredLabels", "team:a", "team:a", true),
  ]);
  expect(explainSelector(selector, bare).filter(({ actual }) => actual === null)).toEqual([
    verdict("path", "*", null, true),
    verdict("requiredTags", "read", null, false),
    verdict("requiredTags", "write", null, false),
    verdict("excludedTags", "read", null, true),
    verdict("excludedTags", "write", null, true),
    verdict("requiredLabels", "team:a", null, false),
  ]);
});
