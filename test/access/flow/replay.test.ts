import { describe, expect, it } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import { FlowReplay, type FlowCall } from "@/lib/access/flow/replay";
import { parseDocument, toConfiguration } from "@/lib/config/document";

// Replays calls under flow rules, without a log (docs/reference/decision.md#flow-impact).

const MINUTE = 60_000;
const schema = { description: "Does it.", inputSchema: { type: "object" } };
const HIDE = { name: "no-sending", when: ["private"], restrict: [{ is: "outward" }] };

function replayOf(flows: readonly object[] = [HIDE]): FlowReplay {
  const parsed = parseDocument({
    apiVersion: "quartermaster/v1",
    sources: [{ name: "shop", kind: "http" }],
    labels: [
      { name: "private", scope: "caller", holdMinutes: 60 },
      { name: "draft", scope: "run" },
    ],
    tools: [
      { id: "shop:read", flow: { raises: ["private"] }, ...schema },
      { id: "shop:write", flow: { raises: ["draft"] }, ...schema },
      { id: "shop:send", flow: { is: ["outward"], raises: ["draft"] }, ...schema },
    ],
    flows,
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return new FlowReplay(compile(toConfiguration(parsed.document)));
}

const OWNER = { issuer: "quartermaster", subject: "sam", session: null };

function call(toolId: string, minute: number, more: Partial<FlowCall> = {}): FlowCall {
  return { callId: `${toolId}@${minute}`, toolId, at: minute * MINUTE, parent: null, ...OWNER, ...more };
}

const kinds = (replay: FlowReplay, calls: readonly FlowCall[]) => calls.map((one) => replay.next(one).kind);

describe("a label of the caller", () => {
  it("restricts later calls of the same caller in every session, with the call that raised it", () => {
    const replay = replayOf();
    const calls = [call("shop:send", 0), call("shop:read", 1), call("shop:send", 2, { subject: "eve" })];
    expect(kinds(replay, calls)).toEqual(["passes", "passes", "passes"]);
    expect(replay.next(call("shop:send", 3, { session: "s" }))).toEqual({
      kind: "hidden",
      rules: ["no-sending"],
      raisedBy: [{ label: "private", callId: "shop:read@1", toolId: "shop:read", at: MINUTE }],
    });
  });
  it("ends after its minutes, which a later raise prolongs", () => {
    const calls = [call("shop:read", 0), call("shop:read", 30), call("shop:send", 89), call("shop:send", 90)];
    expect(kinds(replayOf(), calls)).toEqual(["passes", "passes", "hidden", "passes"]);
  });
  it("ends when a person clears it", () => {
    const replay = replayOf();
    replay.next(call("shop:read", 0));
    replay.clear({ ...OWNER, session: "other" }, "private");
    expect(replay.next(call("shop:send", 1)).kind).toBe("hidden");
    replay.clear(OWNER, "private");
    expect(replay.next(call("shop:send", 2)).kind).toBe("passes");
  });
});

describe("a label of the run", () => {
  const rule = { name: "r", when: ["draft"], restrict: [{ tool: "shop:read" }] };
  it("restricts its session alone", () => {
    const calls = [
      call("shop:write", 0, { session: "a" }),
      call("shop:read", 1, { session: "b" }),
      call("shop:read", 2, { session: "a" }),
    ];
    expect(kinds(replayOf([rule]), calls)).toEqual(["passes", "passes", "hidden"]);
  });
  it("is the caller's without a session", () => {
    expect(kinds(replayOf([rule]), [call("shop:write", 0), call("shop:read", 1, { session: "a" })])).toEqual([
      "passes",
      "hidden",
    ]);
  });
});

describe("a restricted call", () => {
  const onDraft = { name: "r", when: ["draft"], restrict: [{ tool: "shop:write" }] };
  const calls = [call("shop:read", 0), call("shop:send", 1), call("shop:write", 2)];
  it("raises nothing where it is hidden", () => {
    expect(kinds(replayOf([HIDE, onDraft]), calls)).toEqual(["passes", "hidden", "passes"]);
  });
  it("raises its labels where it would wait for a person", () => {
    expect(kinds(replayOf([{ ...HIDE, effect: "approve" }, onDraft]), calls)).toEqual(["passes", "waits", "hidden"]);
  });
  it("makes no calls itself, as a script", () => {
    const nested = [
      call("shop:read", 0),
      call("shop:send", 1, { callId: "script" }),
      call("shop:write", 2, { callId: "inner", parent: "script" }),
      call("shop:write", 3, { parent: "inner" }),
      call("shop:write", 4, { parent: "another" }),
    ];
    expect(kinds(replayOf(), nested)).toEqual(["passes", "hidden", "not_made", "not_made", "passes"]);
  });
  it("is unknown without its tool", () => {
    expect(replayOf().next(call("shop:gone", 0)).kind).toBe("unknown_tool");
  });
});

it("an inactive and an observed rule change nothing", () => {
  const off = [
    { ...HIDE, name: "a", active: false },
    { ...HIDE, name: "b", mode: "observe" },
  ];
  expect(kinds(replayOf(off), [call("shop:read", 0), call("shop:send", 1)])).toEqual(["passes", "passes"]);
});
