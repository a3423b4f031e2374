import { describe, expect, test } from "vitest";
import { DEFAULT_SETTINGS, type Json } from "@/lib/access/model/configuration";
import { isEmptyResult, noProgress, routeTier, type Attempt } from "@/lib/access/decide/routing";

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
    ["the last two empty, after a success", [found("a"), did("b", []), did("c", [])], true],
    ["three identical calls, after another", [found("b"), found("a"), found("a"), found("a")], true],
    ["two identical calls", [found("a"), found("a")], false],
    ["three tools with the same arguments", [found("a"), found("b"), found("c")], false],
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
    { data: "" },
    { results: [], next: null },
    { count: 0 },
    { count: 0, note: "none" },
    { error: "not found" },
    { error: { code: 7 }, data: [1] },
    { error: true },
  ])("%j is empty", (output) => expect(noProgress([did("a", output), did("b", output)])).toBe(true));

  test.each<Json>([
    0,
    false,
    "x",
    { error: null },
    { error: false },
    { error: "" },
    { error: 0 },
    { errors: ["x"] },
    [null],
    { results: [0] },
    { count: 1 },
    { other: [] },
    { data: 5 },
    { data: true },
    { data: null },
    { data: "x" },
    { data: { a: 1 } },
    { count: "0" },
    true,
  ])("%j is not", (output) => expect(noProgress([did("a", output), did("b", output)])).toBe(false));
});

test("a result that only inherits a list is not empty", () => {
  const output = Object.create({ results: [] }) as { readonly [key: string]: Json };
  expect(isEmptyResult(Object.assign(output, { other: 1 }))).toBe(false);
});

test("an unknown or absent intent narrows nothing, nor does an escalated session", () => {
  const intents = new Map(
    ["WEB", "UNKNOWN", "NONE", "ALL"].map((name) => [
      name,
      { name, description: "", groups: { NONE: [], ALL: ["web", "*"] }[name] ?? ["web", "(ungrouped)", "a", "web"] },
    ]),
  );
  const route = (intent: string | null, escalated = false) =>
    routeTier(intents, DEFAULT_SETTINGS.routing, { intent, confidence: 1, escalated });
  const full = { mode: "full", groups: null };
  for (const intent of [null, "UNKNOWN", "NOPE", "ALL"]) expect(route(intent)).toEqual(full);
  expect(route("WEB", true)).toEqual(full);
  expect(route("WEB")).toEqual({ mode: "restricted", groups: ["a", "web"] });
  expect(route("NONE")).toEqual({ mode: "none", groups: [] });
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
