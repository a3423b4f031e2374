import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { OPERATORS, type Matcher } from "@/lib/access/model/matcher";
import { compileMatcher, isHeld } from "@/lib/access/matching/compiled-matcher";
import { claims, matchers, NOW } from "@/test/access/claim-worlds";
import { isHeld as isHeldByOracle, outcomeOf } from "@/test/access/oracle/operators";

// Thousands of worlds take long on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

const seed = 20_260_331;

function expectAgreement(matcher: Matcher, input: JsonObject, now: number): void {
  const outcome = compileMatcher(matcher).test(input, now);
  expect({ matcher, input, outcome }).toEqual({ matcher, input, outcome: outcomeOf(matcher, input, now) });
  for (const effect of ["allow", "deny"] as const)
    expect(isHeld(effect, matcher.operator, outcome)).toBe(isHeldByOracle(effect, matcher.operator, outcome));
}

test("every matcher has the oracle's outcome, on claims that suit it", () => {
  fc.assert(fc.property(matchers, claims, fc.constantFrom(NOW, NOW + 1, NOW + 3_600_000), expectAgreement), {
    seed,
    numRuns: 20_000,
  });
});

/** A text that matters to some operator, or to none. */
const anyText = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.string({ maxLength: 6, unit: "binary" }),
  fc.stringMatching(/^[-+0-9.eE]{0,6}$/),
  fc.stringMatching(/^[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{1,2}(-[a-z0-9.]{0,5})?(\+[a-z0-9]{0,3})?$/),
  fc.ipV4(),
  fc.ipV6(),
  fc.ipV4().chain((ip) => fc.nat({ max: 33 }).map((length) => `${ip}/${length}`)),
  fc.ipV6().chain((ip) => fc.nat({ max: 129 }).map((length) => `${ip}/${length}`)),
  fc
    .date({ min: new Date("1970-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc.stringMatching(/^P([0-9]{1,2}Y)?([0-9]{1,2}M)?([0-9]{1,2}D)?(T([0-9]{1,2}H)?([0-9]{1,2}S)?)?$/),
  fc.stringMatching(/^[ab*?[\].,]{0,6}$/),
);
const anyScalar: fc.Arbitrary<Json> = fc.oneof(
  anyText,
  fc.integer({ min: -10, max: 10 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
);
const anyValue: fc.Arbitrary<Json> = fc.oneof(
  { weight: 6, arbitrary: anyScalar },
  { weight: 2, arbitrary: fc.array(anyScalar, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json> },
);
const anyMatcher = fc.record({
  claim: fc.constant("c"),
  operator: fc.constantFrom(...OPERATORS),
  value: anyValue,
  ignoreCase: fc.boolean(),
});

test("every matcher has the oracle's outcome, on any value and any claim", () => {
  const related = fc.record({ matcher: anyMatcher, same: fc.boolean(), claim: anyValue });
  fc.assert(
    fc.property(related, ({ matcher, same, claim }) =>
      expectAgreement(matcher, { c: same ? matcher.value : claim }, NOW),
    ),
    { seed, numRuns: 20_000 },
  );
});

test("every claim path finds the oracle's value", () => {
  const keys = ["a", "b", "a.b", "0", "__proto__", "constructor", "length", "é", "a b", 'q"q', "[", ""];
  const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<Json>("x", 1, null),
      fc.dictionary(fc.constantFrom(...keys), tie("value"), { maxKeys: 3, noNullPrototype: true }),
      fc.array(tie("value"), { maxLength: 2 }),
    ),
  })).value;
  const piece = fc.oneof(
    fc.constantFrom(...keys),
    fc.constantFrom(
      "[0]",
      "[1]",
      "[01]",
      "[-1]",
      "[x]",
      "[",
      "]",
      ".",
      '["a.b"]',
      '["__proto__"]',
      "['a']",
      '["a',
      "[]",
      '[""]',
    ),
  );
  const path = fc
    .array(piece, { minLength: 1, maxLength: 4 })
    .chain((pieces) => fc.constantFrom(pieces.join("."), pieces.join("")));
  fc.assert(
    fc.property(
      path,
      fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 4, noNullPrototype: true }),
      (claim, input) => {
        for (const operator of ["exists", "not_exists", "equals"] as const)
          expectAgreement(
            { claim, operator, value: operator === "equals" ? "x" : null, ignoreCase: false },
            input as JsonObject,
            NOW,
          );
      },
    ),
    { seed, numRuns: 20_000 },
  );
});
