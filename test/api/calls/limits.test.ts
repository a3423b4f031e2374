import { Client as Connection } from "pg";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { CallOutput } from "@/lib/contracts/agents/agent-api";
import { getExecution } from "@/lib/store/log/executions";
import { storedLimits, sweepLimits, type LimitStore } from "@/lib/store/calls/limits";
import { builtinTools } from "@/lib/calls/builtin/index";
import { production, type Dependencies } from "@/lib/calls/pipeline/dependencies";
import { callLimiter } from "@/lib/calls/limits/limits";
import { redisLimits } from "@/lib/calls/limits/limits-redis";
import { Client, keyOf, save, supportDocument, type Got } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";
import { hasRedis, startRedis } from "@/test/support/servers/redis";

const database = useDatabase();
const DAY_MS = 86_400_000;
/** Noon of tomorrow: no window ends within a test, and the sweep by the real clock deletes none. */
const NOON = Math.ceil(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
const MIDNIGHT = NOON + DAY_MS / 2;
let reader: string;
let refunder: string;

beforeAll(async () => {
  await save(supportDocument());
  reader = await keyOf("reader");
  refunder = await keyOf("refunder");
});

beforeEach(async () => {
  await database.query("delete from limit_window");
  await database.query("delete from limit_lease");
});

const CALL = { tool_id: "builtin:calculate", arguments: { expression: "1 + 1" } };

function limitTool(limits: object): Promise<number> {
  const tools = builtinTools().map((tool) => (tool.id === CALL.tool_id ? { ...tool, limits } : tool));
  return save({ apiVersion: "quartermaster/v1", tools });
}

function limitAgent(name: string, limits: object): Promise<number> {
  return save({
    apiVersion: "quartermaster/v1",
    agents: (supportDocument()["agents"] as { name: string }[]).map((agent) =>
      agent.name === name ? { ...agent, limits } : agent,
    ),
  });
}

/** A client whose calls happen at `clock.now`. */
function clientAt(key: string, clock: { now: number }, changes: Partial<Dependencies> = {}): Client {
  return new Client(key, () => ({ ...production(), now: () => clock.now, ...changes }));
}

function expectRefused(answer: Got<CallOutput>, code: string, details: object): void {
  expect(answer.status).toBe(429);
  expect(answer.json).toMatchObject({ status: "denied", error: { code, retryable: true, details } });
}

describe("a rate", () => {
  it("allows its number of calls per window, refuses the next one with the time to retry, and opens again then", async () => {
    await limitTool({ rate: { points: 2, seconds: 60 } });
    const clock = { now: NOON + 20_000 };
    const client = clientAt(reader, clock);
    expect((await client.call(CALL)).status).toBe(200);
    expect((await client.call(CALL)).status).toBe(200);
    const refused = await client.call(CALL);
    expectRefused(refused, "rate_limited", {
      limit: "rate",
      of: "tool",
      calls: 2,
      seconds: 60,
      resets_at: new Date(NOON + 60_000).toISOString(),
    });
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      "retry-after": "40",
      "ratelimit-limit": "2",
      "ratelimit-remaining": "0",
      "ratelimit-reset": "40",
    });
    clock.now = NOON + 60_000;
    expect((await client.call(CALL)).status).toBe(200);
  });

  it("of a tool counts all callers together", async () => {
    await limitTool({ rate: { points: 1, seconds: 60 } });
    const clock = { now: NOON };
    expect((await clientAt(reader, clock).call(CALL)).status).toBe(200);
    expectRefused(await clientAt(refunder, clock).call(CALL), "rate_limited", { of: "tool" });
  });

  it("of each caller is separate from others'", async () => {
    await limitTool({ perCaller: { rate: { points: 1, seconds: 60 } } });
    const clock = { now: NOON };
    expect((await clientAt(reader, clock).call(CALL)).status).toBe(200);
    expectRefused(await clientAt(reader, clock).call(CALL), "rate_limited", { of: "caller_and_tool" });
    expect((await clientAt(refunder, clock).call(CALL)).status).toBe(200);
  });

  it("of an agent counts its calls of every tool, and with another key of the same agent", async () => {
    await limitTool({});
    await limitAgent("reader", { rate: { points: 1, seconds: 60 } });
    onTestFinished(async () => void (await limitAgent("reader", {})));
    const clock = { now: NOON };
    const other = await keyOf("reader", "second-key");
    expect((await clientAt(reader, clock).call(CALL)).status).toBe(200);
    const refused = await clientAt(other, clock).call({ tool_id: "builtin:current_date_time", arguments: {} });
    expectRefused(refused, "rate_limited", { of: "agent" });
  });

  it("is not spent by a call that another limit or an earlier check refuses", async () => {
    await limitTool({ rate: { points: 2, seconds: 60 }, perCaller: { rate: { points: 1, seconds: 60 } } });
    const clock = { now: NOON };
    expect((await clientAt(reader, clock).call({ ...CALL, arguments: { expression: 5 } })).status).toBe(400);
    expect((await clientAt(reader, clock).call(CALL)).status).toBe(200);
    for (let again = 0; again < 3; again += 1)
      expectRefused(await clientAt(reader, clock).call(CALL), "rate_limited", { of: "caller_and_tool" });
    expect((await clientAt(refunder, clock).call(CALL)).status).toBe(200);
  });

  it("counts a call once, although the rules change during its decision", async () => {
    await limitTool({ rate: { points: 1, seconds: 60 } });
    let changed = false;
    const client = clientAt(
      reader,
      { now: NOON },
      {
        writeIntent: async (...asked) => {
          if (!changed) {
            changed = true;
            await save({ apiVersion: "quartermaster/v1", personas: [{ name: "meanwhile" }] });
          }
          return production().writeIntent(...asked);
        },
      },
    );
    expect((await client.call(CALL)).status).toBe(200);
    expect(changed).toBe(true);
  });

  it("is in the log with the limit that refused", async () => {
    await limitTool({ rate: { points: 1, seconds: 60 } });
    const client = clientAt(reader, { now: NOON });
    await client.call(CALL);
    const row = await getExecution((await client.call(CALL)).json.call_id, { bodies: true });
    expect(row).toMatchObject({ status: "denied", code: "rate_limited", reason: "rate of tool", toolId: CALL.tool_id });
  });
});

describe("a quota", () => {
  it("counts days in UTC", async () => {
    await limitTool({ perDay: 1 });
    const clock = { now: NOON };
    const client = clientAt(reader, clock);
    expect((await client.call(CALL)).status).toBe(200);
    const refused = await client.call(CALL);
    expectRefused(refused, "quota_exceeded", { limit: "per_day", resets_at: new Date(MIDNIGHT).toISOString() });
    expect(JSON.stringify(refused.json)).toContain("The limit of 1 call a day for this tool is reached");
    clock.now = MIDNIGHT;
    expect((await client.call(CALL)).status).toBe(200);
  });
});

/** A tool that runs until it is let go. */
function slowTool(): { changes: Partial<Dependencies>; running: Promise<void>; finish: () => void } {
  let finish = () => {};
  let started = () => {};
  const running = new Promise<void>((resolve) => (started = resolve));
  const end = new Promise<void>((resolve) => (finish = resolve));
  const { runners } = production();
  const builtin: typeof runners.builtin = async (input) => {
    started();
    await end;
    return runners.builtin(input);
  };
  return { changes: { runners: { ...runners, builtin } }, running, finish };
}

describe("concurrency", () => {
  it("refuses a call while as many run, and takes the next one when one has ended", async () => {
    await limitTool({ concurrency: 1 });
    const slow = slowTool();
    const first = clientAt(reader, { now: NOON }, slow.changes).call(CALL);
    await slow.running;
    expectRefused(await clientAt(refunder, { now: NOON }).call(CALL), "rate_limited", {
      limit: "concurrency",
      of: "tool",
    });
    slow.finish();
    expect((await first).status).toBe(200);
    expect((await clientAt(refunder, { now: NOON }).call(CALL)).status).toBe(200);
  });

  it("releases its place when the process that held it died", async () => {
    await limitTool({ concurrency: 1, timeoutSeconds: 10 });
    const clock = { now: NOON };
    const key = clientAt(reader, clock, { limits: { ...storedLimits, release: async () => {} } });
    expect((await key.call(CALL)).status).toBe(200);
    expect((await clientAt(reader, clock).call(CALL)).status).toBe(429);
    clock.now = NOON + 71_000;
    expect((await clientAt(reader, clock).call(CALL)).status).toBe(200);
  });
});

describe("when calls cannot be counted", () => {
  it("a limited call is refused and not run", async () => {
    await limitTool({ rate: { points: 10, seconds: 60 } });
    const lost: LimitStore = { ...storedLimits, take: () => Promise.reject(new Error("the store is lost")) };
    let ran = false;
    const { runners } = production();
    const builtin: typeof runners.builtin = async (input) => {
      ran = true;
      return runners.builtin(input);
    };
    const answer = await clientAt(reader, { now: NOON }, { limits: lost, runners: { ...runners, builtin } }).call(CALL);
    expect(answer.status).toBe(503);
    expect(answer.json.error?.code).toBe("overloaded");
    expect(ran).toBe(false);
  });
});

it("releases a place whose grant was lost on the way to the caller", async () => {
  await limitTool({ concurrency: 1 });
  const unheard: LimitStore = {
    ...storedLimits,
    take: async (...asked) => {
      await storedLimits.take(...asked);
      throw new Error("the answer is lost");
    },
  };
  expect((await clientAt(reader, { now: NOON }, { limits: unheard }).call(CALL)).status).toBe(503);
  await vi.waitFor(async () => expect((await clientAt(reader, { now: NOON }).call(CALL)).status).toBe(200), {
    timeout: 10_000,
  });
});

it.each([
  ["could not be released is still the call's own", false],
  ["was released without an answer is taken again", true],
])("a place that %s", async (_what, isReleased) => {
  let failures = 1;
  const store: LimitStore = {
    ...storedLimits,
    release: async (id) => {
      if (failures === 0 || isReleased) await storedLimits.release(id);
      failures -= 1;
      if (failures === 0) throw new Error("the answer is lost");
    },
  };
  const limiter = callLimiter({ callId: "call_own", requestId: "r" }, store);
  const tool = { id: "t:x", limits: { concurrency: 1 } };
  const context = { caller: { principal: { issuer: "i", subject: "s" }, agent: null }, now: NOON };
  const take = () => limiter.take({ tool } as never, context as never, "all");
  const held = () => database.query("select 1 from limit_lease where holder = 'call_own'");
  expect(await take()).toBeNull();
  await limiter.release();
  expect(await take()).toBeNull();
  expect(await held()).toHaveLength(1);
  await limiter.release();
  expect(await held()).toEqual([]);
});

it("a call without limits sends the store no query", async () => {
  await limitTool({});
  let asked = 0;
  const counting: LimitStore = {
    take: (...limits) => ((asked += 1), storedLimits.take(...limits)),
    release: (...holder) => ((asked += 1), storedLimits.release(...holder)),
  };
  expect((await clientAt(reader, { now: NOON }, { limits: counting }).call(CALL)).status).toBe(200);
  expect(asked).toBe(0);
});

it("the sweep deletes ended windows only", async () => {
  const limit = { kind: "window", cap: 1, seconds: 60 } as const;
  await storedLimits.take([{ key: "old", ...limit }], "a", NOON);
  await storedLimits.take([{ key: "new", ...limit }], "b", NOON + 60_000);
  await sweepLimits(new Date(NOON + 60_001));
  expect(await database.query("select key from limit_window")).toEqual([{ key: "new" }]);
});

it("the sweep waits for no call in progress, and no call waits for the sweep", async () => {
  const limit = { kind: "window", cap: 1, seconds: 60 } as const;
  const lease = { kind: "lease", cap: 1, seconds: 60 } as const;
  for (const key of ["a", "b"])
    await storedLimits.take(
      [
        { key, ...limit },
        { key: `${key}-place`, ...lease },
      ],
      key,
      NOON,
    );
  const counting = new Connection({ connectionString: database.url });
  await counting.connect();
  onTestFinished(() => counting.end());
  await counting.query("begin");
  await counting.query("update limit_window set used = used where key = 'a'");
  await counting.query(`update limit_lease set holder = holder where key = 'a-place'`);
  await sweepLimits(new Date(NOON + 120_001));
  await counting.query("commit");
  expect(await database.query("select key from limit_window union all select key from limit_lease")).toEqual([
    { key: "a" },
    { key: "a-place" },
  ]);
});

describe.each([
  { name: "Postgres", start: async () => [storedLimits, storedLimits] as const, skip: false },
  {
    name: "Redis",
    skip: !hasRedis(),
    start: async () => {
      const redis = await startRedis();
      const stores = [redisLimits(redis.url, storedLimits), redisLimits(redis.url, storedLimits)] as const;
      onTestFinished(async () => {
        for (const store of stores) store.close();
        await redis.stop();
      });
      return stores;
    },
  },
])("two instances on one $name", ({ start, skip }) => {
  const window = { key: "shared", kind: "window", cap: 10, seconds: 60 } as const;
  const lease = { key: "places", kind: "lease", cap: 3, seconds: 60 } as const;

  it.skipIf(skip)("share a limit exactly, however their calls fall together", async () => {
    const stores = await start();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, call) => stores[call % 2 === 0 ? 0 : 1].take([window], `call-${call}`, NOON)),
    );
    expect(answers.filter((full) => full.length === 0)).toHaveLength(10);
    expect(answers.find((full) => full.length > 0)).toMatchObject([{ key: "shared" }]);
  });

  it.skipIf(skip)("give a call the place that it has already", async () => {
    const stores = await start();
    const one = { ...lease, key: "own", cap: 1 };
    for (const store of stores) expect(await store.take([one], "call-1", NOON)).toEqual([]);
    expect(await stores[0].take([one], "call-2", NOON)).toHaveLength(1);
    await stores[0].release("call-1");
    expect(await stores[1].take([one], "call-2", NOON)).toEqual([]);
  });

  it.skipIf(skip)("count all limits of a call or none", async () => {
    const [store] = await start();
    await Promise.all([1, 2, 3].map((call) => store.take([lease], `call-${call}`, NOON)));
    expect(await store.take([window, lease], "call-4", NOON)).toEqual([
      { key: "places", endsAt: new Date(NOON + 60_000) },
    ]);
    await store.release("call-2");
    expect(await store.take([window, lease], "call-5", NOON)).toEqual([]);
    for (let call = 0; call < 9; call += 1) expect(await store.take([window], `w-${call}`, NOON)).toEqual([]);
    expect(await store.take([window], "last", NOON)).toMatchObject([{ key: "shared" }]);
  });
});
