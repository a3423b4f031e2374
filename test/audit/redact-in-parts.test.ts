import { describe, expect, it } from "vitest";
import type { Json } from "@/lib/access/model/configuration";
import { redact, REDACTED, redactInParts } from "@/lib/audit/record/redact";

/** The number of parts in which a value is redacted, and the result. */
function partsOf(value: Json, configured: readonly string[] = []): { parts: number; made: Json } {
  const work = redactInParts(value, configured);
  for (let parts = 1; ; parts += 1) {
    const part = work.next();
    if (part.done === true) return { parts, made: part.value };
  }
}

const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: at, name: `customer ${at}`, note: "plain words" }));

describe("redacting data of a caller or an upstream", () => {
  it("has more parts for a larger value, so that no value blocks the serving thread", () => {
    const few = partsOf(rows(1_000)).parts;
    const many = partsOf(rows(10_000)).parts;
    expect(few).toBeGreaterThan(5);
    expect(many).toBeGreaterThan(8 * few);
    expect(partsOf(Array.from({ length: 100 }, () => "x".repeat(40_000))).parts).toBeGreaterThan(100);
    expect(partsOf([rows(10_000)]).parts).toBeGreaterThanOrEqual(many);
    expect(partsOf({ inside: JSON.stringify(rows(1_000)) }).parts).toBeGreaterThan(5);
  });

  it("returns the same value without a secret, and copies only the path to a secret", () => {
    const value = { plain: rows(10), found: [{ name: "a", password: "hunter2" }] };
    const masked = redact(value) as typeof value;
    expect(redact(value.plain)).toBe(value.plain);
    expect(masked).toEqual({ plain: rows(10), found: [{ name: "a", password: REDACTED }] });
    expect(masked.plain).toBe(value.plain);
    expect(value.found[0]?.password).toBe("hunter2");
  });

  it.each<[string, Json, readonly string[], Json]>([
    [
      "a configured path",
      { card: { number: "1", name: "n" } },
      ["card.number"],
      { card: { number: REDACTED, name: "n" } },
    ],
    ["a configured name in a list", [{ Shoe_Size: 44 }], ["shoesize"], [{ Shoe_Size: REDACTED }]],
    ["a secret that is a key", { [`sk-${"a".repeat(24)}`]: 1 }, [], { [REDACTED]: 1 }],
    ["a telling key without a value", { token: null }, [], { token: null }],
    [
      "`__proto__` as a key",
      JSON.parse('{"__proto__":{"token":"x"}}') as Json,
      [],
      JSON.parse(`{"__proto__":{"token":"${REDACTED}"}}`) as Json,
    ],
    ["JSON inside a text", '{"token":"abc","n":1}', [], `{"token":"${REDACTED}","n":1}`],
    ["JSON inside a text without a secret, as it is written", '{ "n" : 1 }', [], '{ "n" : 1 }'],
    ["half of a surrogate pair", ["\ud800"], [], ["\uFFFD"]],
  ])("masks %s", (_what, value, configured, expected) => {
    expect(partsOf(value, configured).made).toEqual(expected);
    expect(redact(value, configured)).toEqual(expected);
  });
});
