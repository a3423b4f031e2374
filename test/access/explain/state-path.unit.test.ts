import { describe, expect, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import type { ResolveRequest } from "@/lib/access/decide/resolution";
import { statePathsInParts } from "@/lib/access/explain/state-path";
import { atOnce } from "@/lib/access/model/parts";
import { requestOf } from "@/lib/access/model/request";
import { configurationOf } from "@/test/access/case-configuration";

/** Rules of the machine `m`, whose states are `a` (initial) to `e`. */
const RULES: readonly object[] = [
  { tool: "x:open", availableIn: ["a"], transitions: [{ from: "a", to: "b" }] },
  { tool: "x:plan", availableIn: ["b"], transitions: [{ from: "b", to: "c" }] },
  { tool: "x:send", availableIn: ["c"], transitions: [{ from: "*", to: "d" }] },
  { tool: "x:read", availableIn: ["b", "c"] },
  { tool: "x:never", availableIn: [] },
];
const OPERATIONS = ["open", "plan", "send", "read", "never", "free"];

interface Given {
  readonly tool?: string;
  readonly rules?: readonly object[];
  readonly machines?: readonly object[];
  /** Other facts of single tools, by operation. */
  readonly tools?: Readonly<Record<string, object>>;
  readonly settings?: object;
  readonly request?: Partial<ResolveRequest>;
}

/** The path to `tool` as "open→b, plan→c"; a hidden tool has brackets. `null` when there is nothing to say. */
function pathTo({ tool = "x:send", rules = RULES, machines, tools = {}, settings, request }: Given): string | null {
  const states = ["a", "b", "c", "d", "e"].map((name) => ({ name }));
  const operations = [...new Set([...OPERATIONS, ...Object.keys(tools)])];
  const configuration = configurationOf({
    file: "state-path",
    name: "",
    configuration: { apiVersion: "quartermaster/v1", ...(settings !== undefined && { settings }) },
    stored: {
      sources: [{ name: "x" }],
      tools: operations.map((name) => ({ id: `x:${name}`, groups: ["g"], ...tools[name] })),
      groups: [{ name: "g" }, { name: "h" }],
      policies: [{ name: "p", everyone: true, groups: ["g"] }],
      machines: machines ?? [{ name: "m", initial: "a", states, rules }],
    },
    pauses: undefined,
  });
  const asked = { ...requestOf({}), machine: "m", ...request };
  const path = atOnce(statePathsInParts(compile(configuration), asked, 0, [tool])).get(tool);
  if (path === undefined) return null;
  const calls = path.calls.map(({ tool: { operation }, to, hidden }) =>
    hidden ? `[${operation}]→${to}` : `${operation}→${to}`,
  );
  return `${path.from}: ${calls.join(", ")}`;
}

describe("the state path of a tool", () => {
  test.each<[string, Given, string | null]>([
    ["is one call, when the state after it allows the tool", { tool: "x:plan" }, "a: open→b"],
    ["lists several calls in their order", {}, "a: open→b, plan→c"],
    ["begins in the present state", { request: { state: "b" } }, "b: plan→c"],
    ["leads to the nearest of several states", { tool: "x:read" }, "a: open→b"],
    ["is empty when the tool is available in no state", { tool: "x:never" }, "a: "],
    ["is empty when no call leaves the present state", { request: { state: "d" } }, "d: "],
    ["is empty in a state that the machine does not have", { request: { state: "gone" } }, "gone: "],
    ["is null for a tool that is available now", { tool: "x:open" }, null],
    ["is null for a tool that an earlier step hides", { tool: "x:send", tools: { send: { groups: ["h"] } } }, null],
    ["is null for a tool without a rule", { tool: "x:free" }, null],
    ["is null for an unknown tool", { tool: "x:unknown" }, null],
    ["is null for an unknown machine", { request: { machine: "gone" } }, null],
    [
      "has the fewest calls, whatever the order of the rules",
      { rules: [...RULES, { tool: "x:free", availableIn: ["a"], transitions: [{ from: "a", to: "c" }] }] },
      "a: free→c",
    ],
    [
      "leaves a circle of states",
      { rules: [...RULES, { tool: "x:free", transitions: [{ from: "b", to: "a" }] }] },
      "a: open→b, plan→c",
    ],
    [
      "uses no call where its tool is not available",
      { rules: [{ tool: "x:open", availableIn: ["e"], transitions: [{ from: "*", to: "c" }] }, ...RULES.slice(2)] },
      "a: ",
    ],
  ])("%s", (_promise, given, path) => expect(pathTo(given)).toBe(path));
});

describe("a call that the caller may not make", () => {
  const elsewhere = { groups: ["h"] };
  const detour = [
    { tool: "x:free", availableIn: ["a"], transitions: [{ from: "a", to: "e" }] },
    { tool: "x:also", availableIn: ["e"], transitions: [{ from: "e", to: "b" }] },
  ];

  test("is left out, even when the path without it is longer", () =>
    expect(pathTo({ rules: [...RULES, ...detour], tools: { open: elsewhere, also: {} } })).toBe(
      "a: free→e, also→b, plan→c",
    ));

  test("is marked when every path needs one", () =>
    expect(pathTo({ tools: { plan: elsewhere } })).toBe("a: open→b, [plan]→c"));

  test.each<[string, object, Partial<ResolveRequest>]>([
    ["its tool is disabled, also in a list that keeps disabled tools", { enabled: false }, { includeDisabled: true }],
    ["its tool needs a capability that is not granted", { requiredCapabilities: ["desk.open"] }, {}],
  ])("is marked when %s", (_reason, tool, request) =>
    expect(pathTo({ tools: { open: tool }, request })).toBe("a: [open]→b, plan→c"),
  );

  test("is replaced by another call of the same rule", () => {
    const rules = [{ selector: { name: "o*" }, availableIn: ["a"], transitions: [{ from: "a", to: "b" }] }];
    const tools = { open: elsewhere, other: {} };
    expect(pathTo({ rules: [...rules, ...RULES.slice(1)], tools })).toBe("a: other→b, plan→c");
  });
});

describe("without a named machine", () => {
  const settings = { openStart: false };
  const request = { machine: null };

  test("the states of the tools lead to a tool", () => {
    const tools = {
      open: { state: "opened" },
      plan: { availableInStates: ["opened"], state: "planned" },
      send: { availableInStates: ["planned"] },
    };
    expect(pathTo({ tools, settings, request })).toBe("undefined: open→opened, plan→planned");
    expect(pathTo({ tools: { ...tools, open: {} }, settings, request })).toBe("undefined: ");
  });

  test("nothing is said once calls lead to more than 200 states", () => {
    const setting = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`set-${n}`, { state: `s${n}` }]));
    const send = { availableInStates: ["gone"] };
    expect(pathTo({ tools: { ...setting(199), send }, settings, request })).toBe("undefined: ");
    expect(pathTo({ tools: { ...setting(200), send }, settings, request })).toBeNull();
  });
});

test("all 200 states of the largest machine are searched", () => {
  const states = Array.from({ length: 200 }, (_, n) => ({ name: `s${n}` }));
  const moves = Array.from({ length: 199 }, (_, n) => n);
  const rules = [
    ...moves.map((n) => ({ tool: `x:go-${n}`, transitions: [{ from: `s${n}`, to: `s${n + 1}` }] })),
    { tool: "x:send", availableIn: ["s199"] },
  ];
  const machines = [{ name: "m", initial: "s0", states, rules }];
  const tools = Object.fromEntries(moves.map((n) => [`go-${n}`, {}]));
  expect(pathTo({ machines, tools })).toBe(`s0: ${moves.map((n) => `go-${n}→s${n + 1}`).join(", ")}`);
});
