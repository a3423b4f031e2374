import { hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import type { Configuration, Tool } from "@/lib/access/model/configuration";
import { EtagMixer, toolAt } from "@/lib/access/decide/entries";
import type { Digest } from "@/lib/access/model/memory";
import { findByExposedName, resolve } from "@/lib/access/decide/resolve";
import { configurationOf } from "@/bench/support/workload";
import { requestOf } from "@/lib/access/model/request";

const base = configurationOf({ tools: 4, groups: 1, policies: 0 });
const everyone = {
  name: "p",
  description: "",
  effect: "allow" as const,
  priority: 0,
  active: true,
  validFrom: null,
  validUntil: null,
  matchers: [],
  everyone: true,
  arguments: [],
  groups: ["*"],
};

/** Tools with these ids and names, all granted to everyone. */
function listed(named: readonly (readonly [id: string, name: string, over?: Partial<Tool>])[]) {
  const tools = named.map(([id, name, over], n): Tool => {
    const [source = "", operation = ""] = id.split(":");
    return { ...base.tools[n % 4]!, id, source, operation, name, ...over };
  });
  const configuration: Configuration = {
    ...base,
    sources: ["a", "b", "c"].map((name) => ({ name, kind: "http" as const, enabled: true })),
    tools,
    policies: [everyone],
  };
  return resolve(compile(configuration), requestOf({}), 0);
}
const namesOf = (list: ReturnType<typeof listed>) => list.tools.map(({ tool, exposedName }) => [tool.id, exposedName]);
const suffix = (id: string) => `_${hash("sha256", id).slice(0, 6)}`;

test("visible tools with one name all get a distinguishing suffix: none keeps the name", () => {
  expect(
    namesOf(
      listed([
        ["b:1", "same"],
        ["a:9", "same"],
        ["a:8", "same"],
        ["c:0", "other"],
      ]),
    ),
  ).toEqual([
    ["c:0", "other"],
    ["a:8", `same${suffix("a:8")}`],
    ["a:9", `same${suffix("a:9")}`],
    ["b:1", `same${suffix("b:1")}`],
  ]);
});

test("a tool keeps its name when no other visible tool has it", () => {
  expect(
    namesOf(
      listed([
        ["a:1", "same", { enabled: false }],
        ["b:1", "same"],
      ]),
    ),
  ).toEqual([["b:1", "same"]]);
});

test("an exposed name has 64 characters at most, the suffix included", () => {
  const long = "n".repeat(64);
  const [, second] = namesOf(
    listed([
      ["a:1", long],
      ["b:1", long],
    ]),
  );
  expect(second).toEqual(["b:1", `${"n".repeat(57)}${suffix("b:1")}`]);
});

test("the listed name finds one tool; the plain name finds all tools with that name", () => {
  const list = listed([
    ["a:1", "same"],
    ["b:1", "same"],
  ]);
  expect(findByExposedName(list, "same").map(({ tool }) => tool.id)).toEqual(["a:1", "b:1"]);
  expect(findByExposedName(list, `same${suffix("b:1")}`).map(({ tool }) => tool.id)).toEqual(["b:1"]);
  expect(findByExposedName(list, "b:1")).toEqual([]);
});

describe("mixing the entries' hashes into an etag", () => {
  const digests = [Int32Array.of(1, 2, 3, 4), Int32Array.of(-1, 0x7fffffff, -0x80000000, 0)];
  const mixed = (...entries: readonly Digest[]): string => {
    const mixer = new EtagMixer();
    for (const entry of entries) mixer.add(entry);
    return mixer.finish();
  };

  test("gives the same etag in every instance and version: clients keep their lists across an upgrade", () => {
    expect([mixed(), mixed(digests[0]!), mixed(...digests)]).toEqual([
      "6a09e667bb67ae853c6ef372a54ff53a",
      "21c91a0f15e8b7fbda71e3db56ce669a",
      "c1470401c803aa13d916973fdddd2142",
    ]);
  });

  test("changes with the order and with any word", () => {
    const [first, second] = [digests[0]!, digests[1]!];
    const others = [
      mixed(first, second),
      mixed(second, first),
      mixed(first),
      mixed(first, second, second),
      ...[0, 1, 2, 3].map((word) => mixed(first, second.with(word, (second[word] ?? 0) ^ 1))),
    ];
    expect(new Set(others).size).toBe(others.length);
  });
});

test("an unknown tool number throws", () => {
  const index = compile(base);
  expect(toolAt(index, 3).id).toBe(index.tools.all[3]?.id);
  expect(() => toolAt(index, 4)).toThrow("no tool has number 4");
});
