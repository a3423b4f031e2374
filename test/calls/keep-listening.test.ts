import type { Client } from "@modelcontextprotocol/client";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { keepListening } from "@/lib/calls/mcp/keep-listening";

/** The pauses in milliseconds, in order. Each ends at once. */
const pauses: number[] = [];
vi.mock("node:timers/promises", () => ({
  setTimeout: (ms: number) => {
    pauses.push(ms);
    return Promise.resolve();
  },
}));

type Subscription = NonNullable<Client["autoOpenedSubscription"]>;

/** How a stream ends, and how long it was open, in milliseconds. */
type Ending = readonly [closed: Awaited<Subscription["closed"]>, openMs: number] | "refused";

const clock = { now: 0 };

/**
 * Listens to a server that answers each attempt in turn, and at last ends the stream by our own wish.
 *
 * @param checks whether each check for missed changes finds some, in turn; `null` = it fails. Later ones find some
 */
async function listenTo(attempts: readonly Ending[], checks: readonly (boolean | null)[] = []) {
  const events: string[] = [];
  const subscriptionOf = ([closed, openMs]: Exclude<Ending, string>) => ({
    // Read when the stream is awaited, so the clock has moved when it ends.
    get closed() {
      return Promise.resolve().then(() => {
        clock.now += openMs;
        return closed;
      });
    },
  });
  let checked = 0;
  const left: Ending[] = [...attempts, ["local", 0]];
  const ended = new Promise<void>((resolve) => {
    const client = {
      autoOpenedSubscription: undefined,
      listen: () => {
        const next = left.shift()!;
        if (left.length === 0) setImmediate(resolve);
        return next === "refused" ? Promise.reject(new Error("503")) : Promise.resolve(subscriptionOf(next));
      },
    };
    keepListening(client as unknown as Client, {
      listening: (isListening) => events.push(isListening ? "listening" : "interrupted"),
      hasMissed: async () => {
        const found = checked < checks.length ? checks[checked] : true;
        checked += 1;
        events.push("check");
        if (typeof found === "boolean") return found;
        throw new Error("503");
      },
      missed: () => events.push("missed"),
    });
  });
  await ended;
  return events;
}

beforeEach(() => {
  pauses.length = 0;
  vi.spyOn(performance, "now").mockImplementation(() => clock.now);
  return () => vi.restoreAllMocks();
});

describe("listening again", () => {
  it.each([
    ["shortest", 0, 0.5],
    ["longest", 0.999_999, 1],
  ])("pauses twice as long after each failure, up to a minute: %s pauses", async (_which, random, share) => {
    vi.spyOn(Math, "random").mockReturnValue(random);
    const events = await listenTo(Array.from({ length: 9 }, () => "refused" as const));
    const seconds = [1, 2, 4, 8, 16, 32, 60, 60, 60, 60];
    expect(pauses.map((pause) => Math.round(pause))).toEqual(seconds.map((second) => second * 1_000 * share));
    expect(events).toEqual(["interrupted", "check", "listening", "missed"]);
  });

  it("starts over after a stream that stayed open, and not after one that ended at once", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    await listenTo(["refused", "refused", ["remote", 4_000], ["remote", 6_000], "refused"]);
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 500, 1_000]);
  });
});

describe("changes during an interruption", () => {
  it.each([
    ["are reported after one check", [true], 1, true],
    ["are checked again, with growing pauses, while the list cannot be read", [null, null, true], 3, true],
    ["are not reported when a later check finds none", [null, false], 2, false],
    ["are reported when no check succeeds: the sync says why", [null, null, null, null, null, null], 6, true],
  ] as const)("%s", async (_what, checks, count, isReported) => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const events = await listenTo([], checks);
    expect(events.filter((event) => event === "check")).toHaveLength(count);
    expect(events.filter((event) => event === "missed")).toHaveLength(isReported ? 1 : 0);
    // The first pause is the one before the stream opens again.
    expect(pauses).toEqual([500, 500, 1_000, 2_000, 4_000, 8_000].slice(0, count));
  });
});
