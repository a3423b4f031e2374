import { expect, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import type { Matcher, OperatorName } from "@/lib/access/model/matcher";
import { configurationOf } from "@/bench/support/workload";

const matcher = (operator: OperatorName, value: string): Matcher => ({
  claim: "c",
  operator,
  value,
  ignoreCase: false,
});
const base = configurationOf({ tools: 1, groups: 1, policies: 1 });
const errorsOf = (change: object) =>
  compile({ ...base, policies: base.policies.map((one) => ({ ...one, name: "p", ...change })) }).errors;

test("valid stored rows have no errors", () => {
  expect(errorsOf({ validFrom: "2026-01-01T00:00:00Z", matchers: [matcher("equals", "x")] })).toEqual([]);
});

test("a stored matcher or argument condition that does not compile is reported with its policy and index", () => {
  const broken = [matcher("equals", "x"), matcher("gt", "tall")];
  const [inMatchers, ...others] = errorsOf({ matchers: broken });
  expect(inMatchers).toMatch(/^policy `p`, condition 2: ./);
  expect(others).toEqual([]);
  expect(errorsOf({ arguments: broken })).toEqual([expect.stringMatching(/^policy `p`, argument condition 2: ./)]);
});

test("a stored bound that is no time is reported with its policy", () => {
  expect(errorsOf({ validFrom: "soon" })).toEqual(["policy `p`: `soon` is not a time"]);
  expect(errorsOf({ validUntil: "later" })).toEqual(["policy `p`: `later` is not a time"]);
});
