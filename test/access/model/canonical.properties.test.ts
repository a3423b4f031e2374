import * as fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalText, isSameJson } from "@/lib/access/model/canonical";
import type { Json } from "@/lib/access/model/configuration";

const seed = 20_260_402;

/** Few keys and values, so that two values are often nearly equal. Members may be absent or null. */
const values = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<Json>(null, true, 0, -0, 1, Number.NaN, "", "0", "a"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "10", "9", "__proto__"), fc.option(tie("value"), { nil: undefined }), {
      maxKeys: 3,
    }) as fc.Arbitrary<Json>,
  ),
})).value;

test("two values are the same exactly when their canonical texts are", () => {
  let same = 0;
  const check = (left: Json, right: Json) => {
    const expected = canonicalText(left) === canonicalText(right);
    same += Number(expected);
    expect({ left, right, same: isSameJson(left, right) }).toEqual({ left, right, same: expected });
  };
  fc.assert(fc.property(values, values, check), { seed, numRuns: 20_000 });
  fc.assert(
    fc.property(values, (value) => check(value, structuredClone(value))),
    { seed, numRuns: 2_000 },
  );
  expect(same).toBeGreaterThan(2_500);
});

/** The definition, without optimisation. */
function plainText(value: Json): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(plainText).join(",")}]`;
  const object = value as Readonly<Record<string, Json | undefined>>;
  const members = Object.keys(object).toSorted((left, right) => (left < right ? -1 : 1));
  return `{${members.map((key) => `${JSON.stringify(key)}:${plainText(object[key] ?? null)}`).join(",")}}`;
}

test("a canonical text sorts keys by code unit, including numeric keys and `__proto__`", () => {
  fc.assert(
    fc.property(values, (value) => {
      expect(canonicalText(value)).toBe(plainText(value));
    }),
    { seed, numRuns: 20_000 },
  );
});
