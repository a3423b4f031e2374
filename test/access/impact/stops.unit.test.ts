import { describe, expect, test } from "vitest";
import { compareStops, newlyStopped, type CountedCall, type Stops, type CountedLimit } from "@/lib/access/impact/stops";
import type { Tool } from "@/lib/access/model/configuration";
import { atOnce } from "@/lib/access/model/parts";

const callAt = (seconds: number, ranFrom = seconds, ranUntil = ranFrom): CountedCall => ({
  toolId: "a:b",
  issuer: "i",
  subject: "s",
  agent: null,
  at: seconds * 1000,
  ran: { from: ranFrom * 1000, until: ranUntil * 1000 },
});
const stops = (limits: readonly CountedLimit[], needsApproval = false): Stops => ({
  needsApproval: () => needsApproval,
  limitsOf: () => limits,
});
const limit = (cap: number, seconds: number): CountedLimit => ({ key: "k", cap, seconds, reason: "rate of tool" });
const seconds = (calls: readonly { readonly call: CountedCall }[]) => calls.map(({ call }) => call.at / 1000);

describe("calls that a change would stop", () => {
  test("wait when their tool needs an approval only after it", () => {
    const calls = [callAt(1), callAt(2)];
    expect(newlyStopped(calls, stops([]), stops([], true)).waiting).toEqual(calls);
    expect(newlyStopped(calls, stops([], true), stops([], true)).waiting).toEqual([]);
  });

  test("reach a limit that the window of time has filled, and a limited call fills no window", () => {
    const calls = [0, 1, 2, 61, 62, 63].map((at) => callAt(at));
    const { limited } = newlyStopped(calls, stops([]), stops([limit(2, 60)]));
    expect(seconds(limited)).toEqual([2, 63]);
    expect(limited[0]?.reason).toBe("rate of tool");
  });

  test("are not named when the present limit stops them too, or the limit is raised", () => {
    const calls = [0, 1, 2, 3].map((at) => callAt(at));
    expect(seconds(newlyStopped(calls, stops([limit(3, 60)]), stops([limit(2, 60)])).limited)).toEqual([2]);
    expect(newlyStopped(calls, stops([limit(1, 60)]), stops([limit(9, 60)])).limited).toEqual([]);
  });

  test("reach a limit of calls at a time while others run, and take no place when they did not run", () => {
    const calls = [
      callAt(0, 0, 9),
      callAt(1, 20, 30),
      callAt(2),
      callAt(3, 3, 4),
      callAt(9, 9, 10),
      callAt(21, 21, 22),
    ];
    const atATime: CountedLimit = { key: "k", cap: 1, seconds: null, reason: "concurrency of tool" };
    const { limited } = newlyStopped(calls, stops([]), stops([atATime]));
    expect(seconds(limited)).toEqual([2, 3, 21]);
  });

  test("count a key of their own", () => {
    const own: Stops = {
      needsApproval: () => false,
      limitsOf: ({ at }) => [{ ...limit(1, 60), key: String(at) }],
    };
    expect(
      newlyStopped(
        [0, 1, 2].map((at) => callAt(at)),
        stops([]),
        own,
      ).limited,
    ).toEqual([]);
  });
});

describe("what a change does to the calls of a caller", () => {
  const [read, write] = ["a:read", "a:write"].map((id) => ({ id }) as Tool) as [Tool, Tool];
  const stopsOf = (
    approved: readonly Tool[],
    limited: { readonly tools?: readonly Tool[]; readonly agent?: string },
  ): Stops => ({
    needsApproval: (toolId) => approved.some(({ id }) => id === toolId),
    limitsOf: ({ toolId, agent }) => [
      ...(limited.tools?.some(({ id }) => id === toolId) ? [limit(1, 60)] : []),
      ...(agent !== null && agent === limited.agent ? [limit(9, 60)] : []),
    ],
  });
  const nothing = { approvalAdded: [], approvalRemoved: [], limitsChanged: [] };

  test("names, among the tools that it keeps, those with an approval more or less", () => {
    const compare = atOnce(compareStops([read, write], stopsOf([read], {}), stopsOf([write], {})));
    expect(compare([read, write], null)).toEqual({ ...nothing, approvalAdded: [write], approvalRemoved: [read] });
    expect(compare([read], null)).toEqual({ ...nothing, approvalRemoved: [read] });
    expect(compare([], null)).toEqual(nothing);
  });

  test("names the tools with other limits, and all of them for an agent with other limits", () => {
    const after = stopsOf([], { tools: [write], agent: "bot" });
    const compare = atOnce(compareStops([read, write], stopsOf([], {}), after));
    expect(compare([read, write], "other")).toEqual({ ...nothing, limitsChanged: [write] });
    expect(compare([read, write], "bot")).toEqual({ ...nothing, limitsChanged: [read, write] });
  });
});
