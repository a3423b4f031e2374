import { describe, expect, test } from "vitest";
import type { Json } from "@/lib/access/model/configuration";
import { operatorLabel, OPERATORS, operatorSentence } from "@/lib/access/model/matcher";
import type { ValueKind } from "@/lib/access/matching/operator-spec";
import { compileMatcher, problemOfMatcher } from "@/lib/access/matching/compiled-matcher";
import { isOperator, operatorTable } from "@/lib/access/matching/operators";
import { problemOfPattern } from "@/lib/access/matching/patterns";
import { compileSelector, explainSelector } from "@/lib/access/matching/selectors";
import { configurationOf } from "@/test/access/case-configuration";
import { BLANK_SELECTOR } from "@/lib/access/matching/selector-clauses";

const problem = (operator: string, value: Json, claim = "a") =>
  problemOfMatcher({ claim, operator, value, ignoreCase: false });

test("the operator table has every operator once, in the editor's order, text_contains last", () => {
  expect(Object.keys(operatorTable).toSorted()).toEqual([...OPERATORS].toSorted());
  expect(OPERATORS.at(-1)).toBe("text_contains");
  expect(isOperator("toString")).toBe(false);
});

test("every operator has a unique label, and unique words between claim and value", () => {
  const labels = OPERATORS.map((name) => operatorLabel(name));
  for (const words of [...labels, ...OPERATORS.map((name) => operatorSentence(name))])
    expect(words).toMatch(/^[a-z]+( [a-z]+)*$/);
  expect(new Set(labels).size).toBe(labels.length);
  expect(operatorSentence("toString")).toBe("toString");
});

test("an operator accepts values of the kind that its editor offers", () => {
  const usual: Record<ValueKind, Json> = {
    none: null,
    scalar: "a",
    list: ["a"],
    number_or_time: "2026-01-31T12:00:00Z",
    duration: "P1D",
    pattern: "a+",
    glob: "a*",
    version: "1.0.0",
    cidr: "10.0.0.0/8",
  };
  const kinds = OPERATORS.map((name) => [name, operatorTable[name].value] as const);
  expect(kinds.filter(([, kind]) => !Object.hasOwn(usual, kind))).toEqual([]);
  expect(kinds.filter(([name, kind]) => problem(name, usual[kind]) !== null)).toEqual([]);
});

test("the negative operators are exactly those that a missing claim satisfies in a deny", () => {
  expect(OPERATORS.filter((name) => operatorTable[name].negative)).toEqual([
    "not_equals",
    "not_in",
    "not_contains",
    "contains_none",
    "lacks_scope",
    "not_exists",
  ]);
});

describe("saving refuses, with the correct form", () => {
  test.each([
    ["is_like", "x", /^unknown operator `is_like`: use one of `equals`, `not_equals`, .*`not_exists`/],
    ["equals", null, /one text, number or boolean/],
    ["equals", ["x"], /one text, number or boolean/],
    ["in", null, /list of values/],
    ["in", [null], /text, numbers and booleans only/],
    ["in", Array.from({ length: 1001 }, (_, n) => n), /at most 1000/],
    ["equals", "", /enter a value/],
    ["has_scope", " ", /enter a value/],
    ["in", "", /enter a value/],
    ["matches", "", /enter a value/],
    ["gt", "", /enter a value/],
    ["within_last", "", /enter a value/],
    ["in", [], /at least one value/],
    ["not_in", [""], /at least one value/],
    ["contains_any", [], /at least one value/],
    ["in", "admin,", /remove the empty value/],
    ["not_in", ["admin", " "], /remove the empty value/],
    ["contains_none", ",", /remove the empty value/],
    ["contains_all", [], /at least one value/],
    ["contains_none", [], /at least one value/],
    ["matches", 5, /a pattern as text/],
    ["matches", "(", /RE2/],
    ["matches", "(?=a)", /RE2/],
    ["matches", "x".repeat(257), /at most 256/],
    ["matches", "[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}!", /instructions of at most 4096: lower/],
    ["gt", "soon", /number, or a time/],
    ["lte", "2026-01-01", /number, or a time/],
    ["lt", true, /number, or a time/],
    ["lt", [5], /number, or a time/],
    ["gte", ["2026-01-31T12:00:00Z"], /number, or a time/],
    ["within_last", "30 days", /duration/],
    ["within_next", ["P1D"], /duration/],
    ["semver_gte", "1.4", /semantic version/],
    ["semver_lt", ["1.4.0"], /semantic version/],
    ["cidr", "10.0.0.0/33", /CIDR/],
    ["cidr", "010.0.0.0/8", /CIDR/],
    ["cidr", 10, /CIDR/],
  ] as const)("%s %j", (operator, value, message) => expect(problem(operator, value as Json)).toMatch(message));

  test("a claim path that is none", () => expect(problem("exists", null, "a..b")).toMatch(/position/));
  test("a pattern that does not compile", () => expect(problemOfPattern("regex:[")).toMatch(/RE2/));
  test("a selector, naming its part", () => {
    const selector = { ...BLANK_SELECTOR, source: "*", name: "regex:(" };
    expect(compileSelector(selector)).toEqual({ problem: expect.stringMatching(/^name: /) });
  });
});

test.each([
  ["in", ["a", 1, true]],
  ["in", "a, b"],
  ["exists", null],
  ["matches", "^a+$"],
  ["matches", "x".repeat(256)],
  ["matches", String.raw`[a-z0-9._%+-]{1,64}@([a-z0-9-]{1,63}\.){1,8}[a-z]{2,63}$`],
  ["matches", "[^;]{1,500}"],
  ["within_next", "P1Y2M3DT4H5M6.5S"],
  ["cidr", "::ffff:10.0.0.0/104"],
  ["gte", "2026-01-31T12:00:00+01:00"],
  ["lt", "1e3"],
] as const)("saving accepts %s %j", (operator, value) => expect(problem(operator, value as Json)).toBeNull());

test("a stored pattern that saving refuses is evaluated, on texts within its budget", () => {
  const value = "[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}!";
  expect(problem("matches", value)).toMatch(/6000 instructions/);
  const stored = compileMatcher({ claim: "text", operator: "matches", value, ignoreCase: false });
  expect(stored.problem).toBeNull();
  // 2,097,152 steps of 6,000 instructions read 349 characters.
  const most = `${"a".repeat(348)}!`;
  expect(stored.test({ text: most }, 0)).toBe("match");
  expect(stored.test({ text: "1" }, 0)).toBe("no_match");
  expect(stored.test({ text: `${most}!` }, 0)).toBe("uncomparable");
  expect(stored.test({ text: [most, "!"] }, 0)).toBe("uncomparable");
});

test("a number that JSON reads as infinite is uncomparable as a number and as a time", () => {
  const claims = JSON.parse('{"at":1e999}');
  const outcome = (operator: string, value: Json) =>
    compileMatcher({ claim: "at", operator, value, ignoreCase: false }).test(claims, 0);
  expect(outcome("gt", 5)).toBe("uncomparable");
  expect(outcome("gt", "2026-01-31T12:00:00Z")).toBe("uncomparable");
  expect(outcome("within_next", "P1D")).toBe("uncomparable");
});

test("an explained selector shows each clause's verdict and the tool's value", () => {
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
    ...BLANK_SELECTOR,
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

test("a list may have a thousand values at most", () => {
  const values = Array.from({ length: 1_001 }, (_, n) => `v${n}`);
  expect(problem("in", values.slice(1))).toBeNull();
  expect(problem("in", values)).toContain("at most 1000 values");
});
