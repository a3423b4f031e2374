import { request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Got, Problem } from "@/test/api/agents-world";
import { grant, of, until } from "@/test/api/instances-world";
import { startShopInstances, type ShopInstances } from "@/test/api/instances/shop-instances";
import { useDatabase } from "@/test/support/database";
import type { Wire } from "@/test/support/servers/wire";

// One of three real processes is killed, stopped, or loses its database. The others continue, and it recovers.

vi.setConfig({ testTimeout: 90_000 });
const database = useDatabase();
/** Reserve of a busy machine on top of the promised seconds. */
const SLACK_MS = 1_500;
/** docs/reference/promises.md#loss-of-the-store. */
const SERVES_AGAIN_MS = 5_000 + SLACK_MS;
const REFUSES_MS = 2_000 + SLACK_MS;
const TRUSTED_MS = 5_000;
const RECOVERS_MS = 5_000 + SLACK_MS;
/** A heartbeat and some: until a process that was silent for too long is noticed by another. */
const NOTICED_MS = 30_000;
/** Between two lists of a client. */
const THINKS_MS = 20;
const READS = ["support-read", "helpers"];
const CALCULATE = { tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } };
let { instances, shop, key, readers, close } = {} as ShopInstances;

beforeAll(async () => {
  ({ instances, shop, key, readers, close } = await startShopInstances(database.url));
});
afterAll(() => close());

/** The status of a list over a new connection, by default through the balancer; 0 when the connection broke. */
function listOnce({ origin }: { readonly origin: string } = instances): Promise<number> {
  return new Promise((resolve) => {
    const url = `${origin}/api/agents/tools`;
    const asked = request(url, { agent: false, headers: { authorization: `Bearer ${key}` } }, (answer) => {
      answer.resume().on("error", () => resolve(0));
      answer.on("end", () => resolve(answer.statusCode ?? 0));
    });
    asked.on("error", () => resolve(0)).end();
  });
}

/** Answers that clients of the balancer get from now on. */
function clients(count: number): { readonly seen: { at: number; status: number }[]; stop(): Promise<void> } {
  const seen: { at: number; status: number }[] = [];
  const over = new AbortController();
  const client = async () => {
    while (!over.signal.aborted) {
      const at = performance.now();
      seen.push({ at, status: await listOnce() });
      await delay(THINKS_MS);
    }
  };
  const all = Promise.all(Array.from({ length: count }, client));
  const stop = async () => {
    over.abort();
    await all;
  };
  return { seen, stop };
}

/** Only the first instance takes calls on from the queue while `work` runs. */
async function workedByFirst(work: () => Promise<void>): Promise<void> {
  const others = instances.all.slice(1);
  for (const other of others) other.signal("SIGSTOP");
  try {
    await work();
  } finally {
    for (const other of others) other.signal("SIGCONT");
  }
}

describe("an instance that is killed", () => {
  it("leaves the others running; one of them repeats its idempotent calls and closes the rest", async () => {
    const [first, , third] = readers;
    const release = shop.hold();
    const ids: string[] = [];
    await workedByFirst(async () => {
      for (const operation of ["order", "replace"] as const)
        ids.push((await first.call({ ...of(operation), mode: "async" })).json.call_id);
      await until(() => shop.arrived("/order") === 1 && shop.arrived("/replace") === 1);
    });
    const [order = "", replace = ""] = ids;
    const load = clients(6);
    await until(() => load.seen.length > 30);
    await instances.all[0].kill();
    const died = performance.now();
    const since = () => load.seen.filter(({ at }) => at > died);
    await until(() => since().length > 50);
    await load.stop();
    expect(new Set(since().map(({ status }) => status))).toEqual(new Set([200]));
    release();
    // As if the process had been silent for so long.
    await database.query(
      `update instance set "seenAt" = now() - interval '1 minute'
       where id in (select instance from kept_call where "callId" = $1)`,
      [order],
    );
    const ended = async () => {
      expect((await third.read(order)).json).toMatchObject({ status: "failed", error: { code: "interrupted" } });
      expect((await third.read(replace)).json).toMatchObject({ status: "succeeded", output: { done: true } });
    };
    await vi.waitFor(ended, { timeout: NOTICED_MS, interval: 200 });
    expect([shop.arrived("/order"), shop.arrived("/replace")]).toEqual([1, 2]);
  });

  it("serves again within 5 s, while the others are busy", async () => {
    await instances.all[0].kill();
    const load = clients(2);
    const began = performance.now();
    await instances.all[0].start();
    const serves = async () => expect((await readers[0].call(CALCULATE)).json.status).toBe("succeeded");
    await vi.waitFor(serves, { timeout: began + SERVES_AGAIN_MS - performance.now() });
    await load.stop();
  });
});

describe("an instance that gets SIGTERM", () => {
  it("finishes its running calls, ends its streams, and refuses no request", async () => {
    const [first, , third] = readers;
    const before = shop.arrived("/ask");
    const releaseLater = shop.hold();
    let later = "";
    await workedByFirst(async () => {
      later = (await first.call({ ...of("ask"), mode: "async" })).json.call_id;
      await until(() => shop.arrived("/ask") === before + 1);
    });
    const release = shop.hold();
    const waited = first.call(of("ask"));
    const stream = await first.follow("stream");
    await until(() => shop.arrived("/ask") === before + 2 && stream.text().includes("event: tool_list"));
    const ended = instances.all[0].end();
    await until(() => stream.text().includes('event: closed\ndata: {"code":"config_unavailable"'));
    expect(await listOnce(first)).toBe(0);
    release();
    expect((await waited).json.status).toBe("succeeded");
    for (let asked = 0; asked < 20; asked += 1) expect(await listOnce()).toBe(200);
    releaseLater();
    await ended;
    expect((await third.read(later)).json).toMatchObject({ status: "succeeded", output: { done: true } });
    await instances.all[0].start();
  });
});

/** How a database is lost. */
const LOSSES: readonly [string, (wire: Wire) => void][] = [
  ["whose connections to the database break", (wire) => wire.cut()],
  ["whose database falls silent", (wire) => wire.hush()],
];

/** The first instance runs a queued call, and gets another instance's notices about it. */
async function hearsAndWorks(): Promise<void> {
  const [first, , third] = readers;
  const before = shop.arrived("/ask");
  const release = shop.hold();
  let callId = "";
  await workedByFirst(async () => {
    callId = (await first.call({ ...of("ask"), mode: "async" })).json.call_id;
    await vi.waitUntil(() => shop.arrived("/ask") === before + 1, { timeout: RECOVERS_MS });
  });
  await third.cancel(callId);
  const cancelled = async () => expect((await third.read(callId)).json.status).toBe("cancelled");
  await vi.waitFor(cancelled, { timeout: RECOVERS_MS });
  release();
}

describe.each(LOSSES)("an instance %s", (_how, lose) => {
  it("answers 503 within 2 s, decides nothing after 5 s, leaves others alone, and recovers within 5 s", async () => {
    const [first, ...others] = readers;
    const { wire, origin } = instances.all[0];
    await grant(READS);
    await vi.waitFor(async () => expect((await first.call(CALCULATE)).status).toBe(200), { timeout: RECOVERS_MS });
    // So that many connections are open.
    await Promise.all(Array.from({ length: 30 }, () => first.call(CALCULATE)));
    const lost = performance.now();
    lose(wire);
    const late: Got<Problem>[] = [];
    for (let began = lost; began < lost + TRUSTED_MS + 2_000; began = performance.now()) {
      const [call, list, ready] = await Promise.all([
        first.call(CALCULATE),
        first.list(),
        fetch(`${origin}/api/ready`).then(({ status }) => status),
        ...others.map(async (other) => expect((await other.call(CALCULATE)).json.status).toBe("succeeded")),
      ]);
      expect(performance.now() - began).toBeLessThan(REFUSES_MS);
      expect([call.status, ready]).toEqual([503, 503]);
      expect(["config_unavailable", "log_unavailable"]).toContain(call.json.error?.code ?? call.json.code);
      if (began > lost + TRUSTED_MS) late.push(list);
    }
    expect(new Set(late.map(({ status, json }) => `${status} ${json.code}`))).toEqual(
      new Set(["503 config_unavailable"]),
    );
    const revision = await grant(["resolution"]);
    wire.mend();
    const back = async () => {
      const { status, json } = await first.list();
      expect(status).toBe(200);
      // A later one may be in force: the job that rotates signing keys saves revisions too.
      expect(json.revision).toBeGreaterThanOrEqual(revision);
      expect((await first.call(CALCULATE)).json.error?.code).toBe("tool_not_available");
      expect((await fetch(`${origin}/api/ready`)).status).toBe(200);
    };
    await vi.waitFor(back, { timeout: RECOVERS_MS, interval: 50 });
    await hearsAndWorks();
  });
});
