import { readFileSync } from "node:fs";
import type { Json, JsonObject } from "@/lib/access/model/configuration";

/** A schema that an upstream made to hold the process, and values to check against it: harmless ones first. */
export interface HostileSchema {
  readonly what: string;
  readonly schema: JsonObject;
  readonly values: readonly Json[];
}

type Family = readonly [what: string, make: (size: number) => Omit<HostileSchema, "what">];

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const named = <T>(count: number, make: (at: number) => T): Record<string, T> =>
  Object.fromEntries(times(count, (at) => [`p${at}`, make(at)]));

/** Ten ways, each in ten sizes; `size` is 1 to 10. */
const FAMILIES: readonly Family[] = [
  [
    "references that double at every step",
    (size) => ({
      schema: {
        $ref: "#/$defs/p0",
        $defs: named(size * 4, (at) => {
          const next = { $ref: `#/$defs/p${at + 1}` };
          return at === size * 4 - 1 ? { type: ["number", "object"] } : { anyOf: [next, next], allOf: [next] };
        }),
      },
      values: [1, {}, "x"],
    }),
  ],
  [
    "a pattern for members that makes backtracking engines explode",
    (size) => ({
      schema: { patternProperties: { [`^(a+)+${"b?".repeat(size)}$`]: {} }, additionalProperties: false },
      values: [{ a: 1 }, { [`${"a".repeat(20 + size * 10)}!`]: 1 }, { [`${"a".repeat(100_000)}!`]: 1 }],
    }),
  ],
  [
    "many patterns for many members",
    (size) => ({
      schema: { patternProperties: Object.fromEntries(times(size * 40, (at) => [`^(x${at}|.*){1,9}$`, {}])) },
      values: [{}, { a: 1 }, named(size * 500, () => 1)],
    }),
  ],
  [
    "a large pattern and a long text",
    (size) => ({
      schema: { type: "string", pattern: `^(a{0,${size * 100}}b?)*$` },
      values: ["aab", "a".repeat(size * 300), "a".repeat(size * 20_000)],
    }),
  ],
  [
    "patterns that are large programs",
    (size) => ({
      schema: {
        properties: named(size * 6, (at) => ({ pattern: `\\p{L}{900}`.repeat(size * 9).slice(0, 1000 - at) })),
      },
      values: [{}, { p0: "a".repeat(2_000) }],
    }),
  ],
  [
    "lists of distinct items",
    (size) => ({
      schema: { allOf: times(size * 40, () => ({ uniqueItems: true })) },
      values: [[1], times(size * 900, (at) => at), times(size * 900, (at) => [`${at}`])],
    }),
  ],
  [
    "constants compared with a large value",
    (size) => ({
      schema: { allOf: times(size * 40, (at) => ({ enum: [at], const: at })) },
      values: [1, named(size * 900, (at) => `${at}`), "x".repeat(size * 10_000)],
    }),
  ],
  [
    "evaluated members of many schemas",
    (size) => ({
      schema: {
        allOf: times(size * 20, () => ({ additionalProperties: {} })),
        unevaluatedProperties: false,
      },
      values: [{}, named(size * 900, () => 1)],
    }),
  ],
  [
    "problems at places with long names",
    (size) => ({
      schema: { additionalProperties: { additionalProperties: { type: "string" } } },
      values: [{}, { ["k".repeat(size * 10_000)]: named(size * 800, () => 1) }],
    }),
  ],
  [
    "as many schemas as there may be",
    (size) => ({
      schema: { properties: named(size * 49, (at) => ({ enum: times(20, (one) => `${at}-${one}`), pattern: "^.+$" })) },
      values: [{}, named(size * 49, () => 1), named(size * 900, () => "x")],
    }),
  ],
];

/** A hundred schemas that hold a process which checks values against them carelessly. */
export function hostileSchemas(): HostileSchema[] {
  return FAMILIES.flatMap(([what, make]) => times(10, (at) => ({ what: `${what}, ${at + 1}`, ...make(at + 1) })));
}

/** CPU time of this thread in nanoseconds, first field (Linux). Excludes other work of the machine. */
const CPU = "/proc/thread-self/schedstat";

/** Measures how long this thread blocks its event loop at a time, in milliseconds of CPU time. */
export function watchHold(): { readonly longest: () => number; readonly stop: () => void } {
  const working = () => Number(readFileSync(CPU, "utf8").split(" ")[0]) / 1e6;
  let longest = 0;
  let last = working();
  const look = () => {
    const now = working();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const clock = setInterval(look, 1);
  return {
    longest: () => {
      look();
      const held = longest;
      longest = 0;
      return held;
    },
    stop: () => clearInterval(clock),
  };
}
