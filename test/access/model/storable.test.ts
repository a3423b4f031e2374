import { describe, expect, it } from "vitest";
import { dotted, flawIn } from "@/lib/access/model/storable";

const pathOf = (value: unknown) => {
  const flaw = flawIn(value, 64);
  return flaw === null ? null : dotted(flaw.keys);
};

describe("a value that the store refuses", () => {
  it.each<[string, unknown, string]>([
    ["a NUL in a text", { a: [{ b: "x\0" }] }, "a[0].b"],
    ["half of a surrogate pair", ["ok", "\ud800"], "[1]"],
    ["a NUL in a name", { a: { "b\0": 1 } }, "a.b\0"],
  ])("is found with its path: %s", (_name, value, path) => {
    expect(pathOf(value)).toBe(path);
  });

  it("is found by its depth, without exhausting the stack", () => {
    const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
    expect(flawIn(deep(64), 64)).toBeNull();
    expect(flawIn(deep(65), 64)).toMatchObject({ message: "nested deeper than 64 levels" });
    expect(flawIn(JSON.parse("[".repeat(5_000) + "]".repeat(5_000)), 64)).not.toBeNull();
  });

  it("is found in a wide value without building a path for each member", () => {
    // Such a path for each of the values would be 100 GB of text: the test would reach its time limit.
    const long = "k".repeat(500_000);
    const wide = { [long]: Array.from({ length: 200_000 }, () => 1) };
    expect(flawIn(wide, 64)).toBeNull();
  });
});
