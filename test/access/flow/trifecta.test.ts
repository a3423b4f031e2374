import { describe, expect, it } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import {
  findTrifectaTools,
  firstIds,
  smallestRestriction,
  triangleOf,
  type Triangle,
} from "@/lib/access/flow/trifecta";
import type { ResolveRequest } from "@/lib/access/decide/resolution";
import { alternate } from "@/lib/access/model/lists";
import { atOnce } from "@/lib/access/model/parts";
import { requestOf } from "@/lib/access/model/request";
import { parseDocument, toConfiguration } from "@/lib/config/document";

// Who can read private data, read untrusted text and then send (docs/reference/decision.md#trifecta).

const NOW = Date.UTC(2026, 10, 24);
const schema = { description: "Does it.", inputSchema: { type: "object" } };
const READ = { id: "shop:read", flow: { raises: ["private"] }, ...schema };
const WEB = { id: "shop:web", flow: { raises: ["untrusted"] }, ...schema };
const SEND = { id: "shop:send", flow: { is: ["outward", "mail"] }, ...schema };
const POST = { id: "shop:post", flow: { is: ["outward", "mail"] }, ...schema };
const FAX = { id: "shop:fax", flow: { is: ["outward"] }, groups: ["locked"], ...schema };
const rule = (changes: object) => ({
  name: "r",
  when: ["private", "untrusted"],
  restrict: [{ is: "outward" }],
  ...changes,
});

interface Given {
  readonly tools: readonly object[];
  readonly flows?: readonly object[];
  readonly machines?: readonly object[];
  readonly intents?: readonly object[];
}

function world({ tools, ...more }: Given) {
  const parsed = parseDocument({
    apiVersion: "quartermaster/v1",
    sources: [{ name: "shop", kind: "http" }],
    groups: [{ name: "locked" }],
    policies: [{ name: "all", everyone: true, groups: ["default"] }],
    labels: [
      { name: "private", scope: "caller" },
      { name: "untrusted", scope: "caller" },
    ],
    tools,
    ...more,
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return compile(toConfiguration(parsed.document));
}

function decide(given: Given, request: Partial<ResolveRequest> = {}): Record<keyof Triangle, string[]> {
  const index = world(given);
  const triangle = triangleOf(index, { ...requestOf({}), ...request }, atOnce(findTrifectaTools(index)), NOW);
  const names = (numbers: readonly number[]) => numbers.map((number) => index.tools.all[number]?.id ?? "").toSorted();
  return {
    private: names(triangle.private),
    untrusted: names(triangle.untrusted),
    outward: names(triangle.outward),
    open: names(triangle.open),
  };
}

describe("a triangle", () => {
  it("is open for a caller with all three corners", () => {
    expect(decide({ tools: [READ, WEB, SEND, FAX] })).toEqual({
      private: ["shop:read"],
      untrusted: ["shop:web"],
      outward: ["shop:send"],
      open: ["shop:send"],
    });
  });
  it.each([
    ["private data", [WEB, SEND]],
    ["untrusted text", [READ, SEND]],
    ["a way out", [READ, WEB]],
    ["a way out that is granted", [READ, WEB, FAX]],
  ])("is closed without %s", (_name, tools) => {
    expect(decide({ tools }).open).toEqual([]);
  });
  it.each<[string, object, string[]]>([
    ["a rule for both labels", rule({}), []],
    ["a rule that requires approval", rule({ effect: "approve" }), []],
    ["a rule that hides one of two tools", rule({ restrict: [{ tool: "shop:send" }] }), ["shop:post"]],
    ["an inactive rule", rule({ active: false }), ["shop:post", "shop:send"]],
    ["an observed rule", rule({ mode: "observe" }), ["shop:post", "shop:send"]],
    [
      "a rule for another label set",
      rule({ when: ["private"], restrict: [{ tool: "shop:fax" }] }),
      ["shop:post", "shop:send"],
    ],
  ])("after %s", (_name, flow, open) => {
    expect(decide({ tools: [READ, WEB, SEND, POST, FAX], flows: [flow] }).open).toEqual(open);
  });
  it("is closed where a caller with one label can no longer read the other", () => {
    const flows = [
      rule({ name: "a", when: ["private"], restrict: [{ tool: "shop:web" }] }),
      rule({ name: "b", when: ["untrusted"], restrict: [{ tool: "shop:read" }] }),
    ];
    expect(decide({ tools: [READ, WEB, SEND], flows }).open).toEqual([]);
    expect(decide({ tools: [READ, WEB, SEND], flows: flows.slice(0, 1) }).open).toEqual(["shop:send"]);
  });
  it("stays open where one call reads both", () => {
    const both = { id: "shop:both", flow: { raises: ["private", "untrusted"] }, ...schema };
    const flows = [rule({ when: ["private"], restrict: [{ tool: "shop:both" }] })];
    expect(decide({ tools: [both, SEND], flows }).open).toEqual(["shop:send"]);
  });
  it("is open where a call leads to the state of a way out", () => {
    const machine = {
      name: "m",
      initial: "a",
      states: [{ name: "a" }, { name: "b" }],
      rules: [
        { tool: "shop:send", availableIn: ["b"] },
        { tool: "shop:web", transitions: [{ from: "a", to: "b" }] },
      ],
    };
    const given = { tools: [READ, WEB, SEND], machines: [machine] };
    for (const state of [null, "a", "b"]) expect(decide(given, { machine: "m", state }).open).toEqual(["shop:send"]);
    expect(decide({ ...given, flows: [rule({})] }, { machine: "m" }).open).toEqual([]);
  });
  it("is open where the last request named other groups, or an intent without a corner", () => {
    const given = { tools: [READ, WEB, SEND], intents: [{ name: "TALK", groups: [] }] };
    expect(decide(given, { group: ["locked"] }).open).toEqual(["shop:send"]);
    expect(decide(given, { intent: "TALK", confidence: 1 }).open).toEqual(["shop:send"]);
  });
  it("counts guessed labels and classes too", () => {
    const guess = (kind: string, word: string) => [{ kind, word, from: "no annotations" }];
    const guessed = [
      { ...READ, flow: {}, flowGuess: guess("raises", "private") },
      { ...WEB, flow: {}, flowGuess: guess("raises", "untrusted") },
      { ...SEND, flow: {}, flowGuess: guess("is", "outward") },
    ];
    expect(decide({ tools: guessed }).open).toEqual(["shop:send"]);
  });
});

describe("the smallest restriction", () => {
  const of = (tools: readonly object[], ids: readonly string[]) => {
    const index = world({ tools });
    return smallestRestriction(
      index,
      atOnce(findTrifectaTools(index)),
      ids.map((id) => index.tools.numberOf.get(id) ?? -1),
    );
  };
  it("is one tool where one is open", () => {
    expect(of([SEND, FAX], ["shop:send"])).toEqual({ is: null, tool: "shop:send", tools: 1 });
  });
  it("is the smallest class that all open tools share", () => {
    expect(of([SEND, POST, FAX], ["shop:send", "shop:post"])).toEqual({ is: "mail", tool: null, tools: 2 });
    expect(of([SEND, POST, FAX], ["shop:send", "shop:fax"])).toEqual({ is: "outward", tool: null, tools: 3 });
  });
  it("reads only the open tools, however many tools there are", () => {
    const index = world({ tools: [SEND, POST, FAX] });
    const found = atOnce(findTrifectaTools(index));
    let reads = 0;
    const all = new Proxy(index.tools.all, {
      get: (target, key) => ((reads += 1), Reflect.get(target, key) as unknown),
    });
    smallestRestriction({ ...index, tools: { ...index.tools, all } }, found, [0, 1, 2]);
    expect(reads).toBeLessThanOrEqual(1);
  });
});

it("the first ids of many tools are in order", () => {
  const index = world({ tools: [SEND, FAX, READ, POST, WEB] });
  const numbers = index.tools.all.map((_tool, number) => number).toReversed();
  const of = atOnce(findTrifectaTools(index));
  expect(firstIds(index, of, numbers, 3)).toEqual(["shop:fax", "shop:post", "shop:read"]);
  expect(firstIds(index, of, [...numbers, 99], 9)).toEqual(index.tools.all.map(({ id }) => id).toSorted());
});

it("is decided for one caller of each kind in turn, because the time limit may leave some out", () => {
  const callers = ["persona 1", "persona 2", "persona 3", "agent 1", "caller 1", "caller 2"];
  expect(alternate(callers, (caller) => caller.split(" ")[0]!)).toEqual([
    "persona 1",
    "agent 1",
    "caller 1",
    "persona 2",
    "caller 2",
    "persona 3",
  ]);
  expect(alternate([], String)).toEqual([]);
});
