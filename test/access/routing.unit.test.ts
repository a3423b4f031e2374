import { describe, expect, test } from "vitest";
import { DEFAULT_SETTINGS, type Json } from "@/lib/access/configuration";
import { noProgress, routeTier, type Attempt } from "@/lib/access/routing";

const did = (tool: string, output: Json, over: Partial<Attempt> = {}): Attempt => ({
  tool,
  arguments: {},
  failed: false,
  output,
  ...over,
});
const found = (tool: string) => did(tool, { results: [1] });

describe("no progress", () => {
  test.each<[string, readonly Attempt[], boolean]>([
    ["nothing was called", [], false],
    ["one call failed", [did("a", null, { failed: true })], false],
    ["two calls failed", [did("a", null, { failed: true }), did("b", null, { failed: true })], true],
    ["one failed, one was empty", [did("a", null, { failed: true }), did("b", [])], true],
    ["two were empty", [did("a", {}), did("b", { count: 0 })], true],
    ["a success in between", [did("a", []), found("b"), did("c", [])], false],
    ["three identical calls", [found("a"), found("a"), found("a")], true],
    [
      "three calls of one tool with other arguments",
      [found("a"), found("a"), did("a", 1, { arguments: { q: 1 } })],
      false,
    ],
    ["old calls do not count", [did("a", []), did("a", []), found("b")], false],
    [
      "the order of arguments' keys does not count",
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
        { a: 1, b: 2 },
      ].map((args) => did("a", 1, { arguments: args })),
      true,
    ],
  ])("%s", (_name, attempts, expected) => expect(noProgress(attempts)).toBe(expected));

  test.each<Json>([
    null,
    "",
    [],
    {},
    { results: [] },
    { rows: [] },
    { items: [] },
    { events: [] },
    { data: [] },
    { data: {} },
    { count: 0 },
  ])("%j is empty", (output) => expect(noProgress([did("a", output), did("b", output)])).toBe(true));

  test.each<Json>([0, false, "x", [null], { results: [0] }, { count: 1 }, { other: [] }, { data: 5 }])(
    "%j is not",
    (output) => expect(noProgress([did("a", output), did("b", output)])).toBe(false),
  );
});

test("confidence is compared inclusively and never narrows below medium, unless strict", () => {
  const intents = new Map([["WEB", { name: "WEB", description: "", groups: ["web"] }]]);
  const route = (confidence: number | null, mode: "conservative" | "strict" = "conservative") =>
    routeTier(
      intents,
      { ...DEFAULT_SETTINGS.routing, mode, alwaysGroups: ["ui"] },
      { intent: "WEB", confidence, escalated: false },
    );
  expect(route(0.8)).toEqual({ mode: "restricted", groups: ["ui", "web"] });
  expect(route(0.7999)).toEqual({ mode: "restricted_with_resolution", groups: ["resolution", "ui", "web"] });
  expect(route(0.6).mode).toBe("restricted_with_resolution");
  expect(route(0.5999)).toEqual({ mode: "full", groups: null });
  expect(route(null).mode).toBe("full");
  expect(route(Number.NaN).mode).toBe("full");
  expect(route(null, "strict").mode).toBe("restricted_with_resolution");
});
