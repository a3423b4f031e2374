import { expect, test } from "vitest";
import { parseRange } from "@/lib/access/model/addresses";
import { compileGlob } from "@/lib/access/matching/globs";
import { compileMatcher } from "@/lib/access/matching/compiled-matcher";
import { compilePattern } from "@/lib/access/matching/patterns";
import { isProblem } from "@/lib/access/model/problem";
import { parseDuration, parseTime } from "@/lib/access/model/times";
import { parseVersion } from "@/lib/access/model/versions";
import { cpuMs } from "@/test/support/cpu-time";

// Each of these would take seconds, or practically for ever, in a backtracking engine.

test.each(["(a+)+$", "(a|aa)*b", "(.*a){20}", "([a-z]+)*x", "(a?){100}a{100}"])(
  "the claim pattern %s is fast",
  (value) => {
    const matcher = compileMatcher({ claim: "text", operator: "matches", value, ignoreCase: false });
    expect(matcher.problem).toBeNull();
    expect(cpuMs(() => matcher.test({ text: `${"a".repeat(4000)}!` }, 0))).toBeLessThan(2000);
  },
);

test.each([".*(drop|delete|truncate).*", ".*(password|secret|api.?key).*", "(.*a){20}b", "(.*a){90}b"])(
  "the claim pattern %s is fast on a long list: beyond a bound in all, the list is uncomparable",
  (value) => {
    const matcher = compileMatcher({ claim: "texts", operator: "matches", value, ignoreCase: true });
    expect(matcher.problem).toBeNull();
    const judge = (texts: readonly string[]) => matcher.test({ texts }, 0);
    const long = Array.from({ length: 63 }, () => "a ".repeat(2045));
    expect(cpuMs(() => expect(judge(long)).toBe("uncomparable"))).toBeLessThan(50);
    expect(judge([...long, `drop password ${"a".repeat(90)}b`])).toBe("uncomparable");
    expect(cpuMs(() => expect(judge(long.slice(0, 1))).toBe("no_match"))).toBeLessThan(500);
  },
);

test("the claim pattern with the most work for each character is fast on a single text", () => {
  const value = "([a-z ]{1,100}){1,9}".repeat(12);
  const matcher = compileMatcher({ claim: "text", operator: "matches", value: `${value}!`, ignoreCase: true });
  expect(matcher.problem).toBeNull();
  const judge = (length: number) => matcher.test({ text: "a ".repeat(length / 2) }, 0);
  expect(cpuMs(() => expect(judge(4096)).toBe("uncomparable"))).toBeLessThan(50);
  expect(cpuMs(() => expect(judge(96)).toBe("no_match"))).toBeLessThan(1000);
});

test("the worst glob for its text is fast", () => {
  const glob = compileGlob(`${"*a".repeat(100)}?b`, true);
  expect(cpuMs(() => glob("a".repeat(20_000)))).toBeLessThan(2000);
});

test("a regular expression of a selector never reaches RegExp", () => {
  const pattern = compilePattern("regex:(x+x+)+y");
  if (isProblem(pattern)) throw new Error(pattern.problem);
  expect(cpuMs(() => pattern.test("x".repeat(5000)))).toBeLessThan(2000);
  expect(compilePattern("regex:(?=a)")).toHaveProperty("problem");
});

test("the fixed patterns in the code do not backtrack", () => {
  const hostile = [
    `1.1.1-${"-".repeat(60_000)}!`,
    `1.1.1-${"0".repeat(60_000)}.`,
    `2026-01-01T00:00:00.${"9".repeat(60_000)}`,
    `P${"1".repeat(60_000)}`,
  ];
  for (const text of hostile)
    expect(cpuMs(() => [parseVersion(text), parseTime(text), parseDuration(text), parseRange(text)])).toBeLessThan(500);
});
