import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { queryOf } from "@/lib/http/parse";
import { excessOf, excessOfAnswer, faultOf, repeatedKeyOf } from "@/lib/http/json-bounds";
import { boundArguments, MAX_ARGUMENT_VALUES } from "@/lib/calls/pipeline/argument-bounds";
import { toRunAnswer } from "@/lib/calls/runners/http-answer";
import { cpuMs } from "@/test/support/cpu-time";

const seed = 20_261_123;
const NONE = Number.POSITIVE_INFINITY;

/** Every value of a JSON value, itself counted. */
function valuesOf(value: unknown): number {
  const inner = typeof value === "object" && value !== null ? Object.values(value) : [];
  return inner.reduce<number>((sum, one) => sum + valuesOf(one), 1);
}

function keysOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, one) => sum + keysOf(one), own);
}

it("a query of many keys is read in linear time, each key with its values in order", () => {
  expect(queryOf("http://a/?b=1&c&b=2&b=3&__proto__=4")).toEqual(
    Object.fromEntries([
      ["b", ["1", "2", "3"]],
      ["c", ""],
      ["__proto__", "4"],
    ]),
  );
  const address = `http://a/?${Array.from({ length: 40_000 }, (_, at) => at.toString(36)).join("&")}`;
  // A search for each key takes seconds.
  expect(cpuMs(() => queryOf(address))).toBeLessThan(1_000);
});

describe("the bounds of a JSON text", () => {
  it("count exactly its values and keys, whatever its strings and white space contain", () => {
    const texts = fc.oneof(fc.string(), fc.constantFrom(',,"[{', "\\", '\\"', "]}:", "{}"));
    const json = fc.jsonValue({ maxDepth: 4, stringUnit: "binary" });
    fc.assert(
      fc.property(json, texts, fc.constantFrom(undefined, 2), (inner, text, indent) => {
        const value = [inner, text, { [text]: inner }];
        const written = JSON.stringify(value, null, indent);
        const [values, keys] = [valuesOf(value), keysOf(value)];
        expect(excessOf(written, { values, keys })).toBeNull();
        expect(excessOf(written, { values: values - 1, keys: NONE })).toEqual({ what: "values", most: values - 1 });
        expect(excessOf(written, { values: NONE, keys: keys - 1 })).toEqual({ what: "keys", most: keys - 1 });
      }),
      { seed, numRuns: 2_000 },
    );
  });

  it.each(["", "[", '"', '{"a', "[[[[", '"\\', ",,,,"])("end on a text that is no JSON: %j", (text) => {
    expect(() => excessOf(text, { values: 3, keys: 3 })).not.toThrow();
  });

  it("stop at the first value beyond the limit, without reading the rest", () => {
    const text = `[${"1,".repeat(10)}${'"x'.repeat(1_000)}`;
    expect(excessOf(text, { values: 5, keys: 5 })).toEqual({ what: "values", most: 5 });
  });
});

describe("a key that a JSON object repeats", () => {
  it("is found in any value, whatever its strings and white space contain, and no other is", () => {
    const texts = fc.oneof(fc.string(), fc.constantFrom(',,"[{', "\\", '\\"', "]}:", "{}", "__proto__"));
    const json = fc.jsonValue({ maxDepth: 4, stringUnit: "binary" });
    fc.assert(
      fc.property(json, texts, fc.constantFrom(undefined, 2), (inner, text, indent) => {
        const value = JSON.stringify(
          [inner, { a: text, b: { a: inner } }, text, { a: [text, { a: 1 }] }],
          null,
          indent,
        );
        expect(repeatedKeyOf(value)).toBeNull();
        const key = JSON.stringify(text);
        const before = `[${value},\n{${key}: ${value}, `;
        const [line, column] = [before.split("\n").length, before.length - before.lastIndexOf("\n")];
        expect(repeatedKeyOf(`${before}${key} : 1}]`)).toEqual({ key: text, line, column });
      }),
      { seed, numRuns: 1_000 },
    );
  });

  it("is the same key when one of the two is escaped", () => {
    expect(repeatedKeyOf('{"a": 1, "\\u0061": 2}')).toEqual({ key: "a", line: 1, column: 10 });
  });

  it("is found in linear time", () => {
    const keys = Array.from({ length: 500_000 }, (_, at) => `"key ${at}": {"a": 1}`).join();
    const text = `{${keys}, "key 7": 1}`;
    expect(cpuMs(() => expect(repeatedKeyOf(text)?.key).toBe("key 7"))).toBeLessThan(5_000);
  });
});

describe("the fault of a text that is not JSON", () => {
  it.each<[string, string | null, number, number]>([
    ['{"a": 1,}', "}", 1, 9],
    ["[1, 2,]", "]", 1, 7],
    ['{"a" 1}', "1", 1, 6],
    ['{\n  "a": 1\n  "b": 2\n}', '"', 3, 3],
    ['{"a": tru}', "t", 1, 7],
    ['{"a": 01}', "1", 1, 8],
    ['{"a": "x\ny"}', "\n", 1, 9],
    [String.raw`{"a": "\x"}`, "x", 1, 9],
    ["[1}", "}", 1, 3],
    ["[,]", ",", 1, 2],
    ["{} {}", "{", 1, 4],
    ["[1]😀", "😀", 1, 4],
    ["[1,\u00a02]", "\u00a0", 1, 4],
    ['{"a": [1, {"b": "c', null, 1, 19],
    ['{"a": ', null, 1, 7],
  ])("is its first character that no JSON has there: %j", (text, character, line, column) => {
    expect(faultOf(text)).toEqual({ character, line, column });
  });

  it("is where the platform finds it, whenever its error names a place", () => {
    // Inside a number, `true`, `false` and `null` the platform names a later character.
    const whole = (_key: string, value: unknown) =>
      value === null || ["number", "boolean"].includes(typeof value) ? 7 : value;
    const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify([value, { a: value }], whole));
    fc.assert(
      fc.property(json, fc.nat(), fc.constantFrom("}", "]", ",", ":", '"', "x", "\n"), (text, at, character) => {
        const cut = at % text.length;
        const changed = `${text.slice(0, cut)}${character}${text.slice(cut)}`;
        const stated = /at position (\d+)/.exec(messageOf(() => void JSON.parse(changed)) ?? "");
        if (stated === null) return;
        const { line, column } = faultOf(changed);
        const before = changed.slice(0, Number(stated[1])).split("\n");
        expect({ line, column }).toEqual({ line: before.length, column: (before.at(-1) ?? "").length + 1 });
      }),
      { seed, numRuns: 2_000 },
    );
  });

  it("is found in linear time, at any depth", () => {
    const text = `{"a": ${"[".repeat(1_000_000)}${'"x", '.repeat(500_000)}}`;
    expect(cpuMs(() => expect(faultOf(text).character).toBe("}"))).toBeLessThan(5_000);
  });
});

function messageOf(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : null;
  }
}

describe("the arguments of a call", () => {
  const listOf = (values: number) => ({ list: Array.from({ length: values }, () => 1) });

  it("hold at most so many values, however few keys they have", () => {
    expect(boundArguments(listOf(MAX_ARGUMENT_VALUES - 2)).ok).toBe(true);
    expect(boundArguments(listOf(MAX_ARGUMENT_VALUES - 1))).toEqual({
      ok: false,
      problem: { pointer: "", message: `more than ${MAX_ARGUMENT_VALUES} values` },
    });
  });
});

describe("an upstream's answer", () => {
  const answer = (text: string, type: string) => ({
    status: 200,
    headers: { "content-type": type },
    body: Buffer.from(text),
    ms: 1,
  });

  it("of an ordinary kind is within the bounds, however large", () => {
    const row = { id: 1, name: "A customer", tags: ["a", "b"], active: true, at: "2026-11-23T00:00:00Z" };
    const rows = (count: number) => JSON.stringify(Array.from({ length: count }, () => row));
    // The first event of an MCP stream may have no data.
    expect(excessOfAnswer("")).toBeNull();
    expect(excessOfAnswer(rows(10_000))).toBeNull();
    expect(excessOfAnswer(rows(100_000))).toBeNull();
  });

  it.each([
    ["application/json", `[${"1,".repeat(200_001)}1]`],
    ["application/json", `[${"[],".repeat(200_001)}1]`],
    ["application/x-ndjson", `[${"1,".repeat(100_001)}1]\n`.repeat(2)],
    ["application/x-ndjson", "1\n".repeat(200_001)],
    ["text/event-stream", "data:\n\n".repeat(100_001)],
    ["application/x-ndjson", "\n".repeat(200_001)],
    ["application/x-ndjson", `1${"\n".repeat(200_001)}`],
    ["text/event-stream", "\n".repeat(200_001)],
    ["text/event-stream", "\r".repeat(200_001)],
    ["text/event-stream", "data\r\r".repeat(100_001)],
    ["text/event-stream", `data: "${"\n".repeat(200_001)}`],
    ["application/json", "[".repeat(200_001)],
  ])("of more values than that is too large, and is not parsed: %s", (type, text) => {
    expect(toRunAnswer(answer(text, type))).toEqual({
      success: false,
      error: { code: "result_too_large", message: "The upstream's answer holds more than 200000 values." },
    });
  });

  it("counts a line that ends in CRLF once", () => {
    const { success, output } = toRunAnswer(answer("1\r\n".repeat(150_000), "application/x-ndjson"));
    expect([success, (output as unknown[]).length]).toEqual([true, 150_000]);
  });
});
