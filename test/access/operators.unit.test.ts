import { describe, expect, test } from "vitest";
import { OPERATORS, type Json } from "@/lib/access/configuration";
import { isOperator, operatorTable, problemOfMatcher } from "@/lib/access/operators";
import { problemOfPattern } from "@/lib/access/patterns";
import { explainSelector, problemOfSelector } from "@/lib/access/selectors";
import { configurationOf } from "@/test/access/case-configuration";

const problem = (operator: string, value: Json, claim = "a") =>
  problemOfMatcher({ claim, operator, value, ignoreCase: false });

test("the operator table has every operator once, in the editor's order, text_contains last", () => {
  expect(Object.keys(operatorTable).toSorted()).toEqual([...OPERATORS].toSorted());
  expect(OPERATORS.at(-1)).toBe("text_contains");
  expect(isOperator("toString")).toBe(false);
});

describe("saving refuses, and says what to write instead", () => {
  test.each([
    ["is_like", "x", /unknown operator `is_like`/],
    ["equals", null, /one text, number or boolean/],
    ["equals", ["x"], /one text, number or boolean/],
    ["in", null, /list of values/],
    ["in", [null], /text, numbers and booleans only/],
    ["in", Array.from({ length: 1001 }, (_, n) => n), /at most 1000/],
    ["contains_any", [], /at least one value/],
    ["contains_all", [], /at least one value/],
    ["contains_none", [], /at least one value/],
    ["matches", "(", /RE2/],
    ["matches", "(?=a)", /RE2/],
    ["matches", "x".repeat(257), /at most 256/],
    ["gt", "soon", /number, or a time/],
    ["lte", "2026-01-01", /number, or a time/],
    ["within_last", "30 days", /duration/],
    ["semver_gte", "1.4", /semantic version/],
    ["cidr", "10.0.0.0/33", /CIDR/],
    ["cidr", "010.0.0.0/8", /CIDR/],
  ] as const)("%s %j", (operator, value, message) => expect(problem(operator, value as Json)).toMatch(message));

  test("a claim path that is none", () => expect(problem("exists", null, "a..b")).toMatch(/position/));
  test("a pattern that does not compile", () => expect(problemOfPattern("regex:[")).toMatch(/RE2/));
  test("a selector, naming its part", () => {
    const selector = {
      source: "*",
      name: "regex:(",
      path: null,
      method: null,
      requiredTags: [],
      excludedTags: [],
      requiredLabels: [],
    };
    expect(problemOfSelector(selector)).toMatch(/^name: /);
  });
});

test.each([
  ["in", ["a", 1, true]],
  ["in", "a, b"],
  ["not_in", []],
  ["exists", null],
  ["matches", "^a+$"],
  ["within_next", "P1Y2M3DT4H5M6.5S"],
  ["cidr", "::ffff:10.0.0.0/104"],
  ["gte", "2026-01-31T12:00:00+01:00"],
  ["lt", "1e3"],
] as const)("saving accepts %s %j", (operator, value) => expect(problem(operator, value as Json)).toBeNull());

test("an explained selector says clause by clause what held and what was found instead", () => {
  const { tools } = configurationOf({
    file: "unit",
    name: "unit",
    configuration: {
      apiVersion: "quartermaster/v1",
      sources: [{ name: "shop", kind: "http" }],
      tools: [
        { id: "shop:get_item", description: "d", inputSchema: { type: "object" }, tags: ["read"], method: "GET" },
      ],
    },
  });
  const [tool] = tools;
  if (tool === undefined) throw new Error("no tool");
  const selector = {
    source: "shop",
    name: "get_*",
    path: "/x",
    method: "post",
    requiredTags: ["read"],
    excludedTags: ["read"],
    requiredLabels: ["safe"],
  };
  expect(explainSelector(selector, tool).map(({ clause, actual, held }) => [clause, actual, held])).toEqual([
    ["source", "shop", true],
    ["name", "get_item", true],
    ["path", null, false],
    ["method", "GET", false],
    ["requiredTags", "read", true],
    ["excludedTags", "read", false],
    ["requiredLabels", null, false],
  ]);
});

test("a list may have a thousand values, and not one more", () => {
  const values = Array.from({ length: 1_001 }, (_, n) => `v${n}`);
  expect(problem("in", values.slice(1))).toBeNull();
  expect(problem("in", values)).toContain("at most 1000 values");
});
