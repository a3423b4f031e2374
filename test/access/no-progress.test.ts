import { describe, expect, test } from "vitest";
import type { Json } from "@/lib/access/configuration";
import { isEmptyResult, noProgress, type Attempt } from "@/lib/access/routing";

const call = (tool: string, output: Json = { found: true }, args: Json = {}): Attempt => ({
  tool,
  arguments: args,
  failed: false,
  output,
});
const failed = (tool: string): Attempt => ({ ...call(tool, null), failed: true });

describe("a session makes no progress when", () => {
  test.each<[string, readonly Attempt[]]>([
    ["its last three calls are identical", [call("a"), call("b"), call("b"), call("b")]],
    [
      "they are identical but for the order of their arguments",
      [call("a", 1, { x: 1, y: 2 }), call("a", 2, { y: 2, x: 1 }), call("a", 3, { x: 1, y: 2 })],
    ],
    ["its last three results are empty", [call("a", []), call("b", {}), call("c", { results: [] })]],
    ["its last two calls failed", [call("a"), failed("b"), failed("c")]],
    ["one failed and the next was empty", [call("a"), failed("b"), call("c", { count: 0 })]],
  ])("%s", (_name, attempts) => {
    expect(noProgress(attempts)).toBe(true);
  });
});

describe("a session makes progress when", () => {
  test.each<[string, readonly Attempt[]]>([
    ["it has called nothing", []],
    ["its only call failed", [failed("a")]],
    ["it made the same call only twice", [call("a"), call("a")]],
    ["another call came between", [call("a"), call("a"), call("b"), call("a")]],
    ["the arguments differ", [call("a", 1, { page: 1 }), call("a", 1, { page: 2 }), call("a", 1, { page: 3 })]],
    ["its last call found something", [failed("a"), failed("b"), call("c")]],
    ["only older calls failed", [failed("a"), failed("b"), call("c"), call("d")]],
  ])("%s", (_name, attempts) => {
    expect(noProgress(attempts)).toBe(false);
  });
});

describe("a result is empty", () => {
  test.each<[Json, boolean]>([
    [null, true],
    [[], true],
    [{}, true],
    [{ results: [] }, true],
    [{ rows: [], took: 3 }, true],
    [{ items: [] }, true],
    [{ events: [] }, true],
    [{ data: [] }, true],
    [{ count: 0, more: "text" }, true],
    [[null], false],
    [{ results: [1] }, false],
    [{ count: 1 }, false],
    [{ rows: 0 }, false],
    [{ other: [] }, false],
    ["text", false],
    [0, false],
    [false, false],
  ])("%j: %s", (output, empty) => {
    expect(isEmptyResult(output)).toBe(empty);
  });
});
