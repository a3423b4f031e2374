import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { createClient } from "@redis/client";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { storedLimits } from "@/lib/store/calls/limits";
import { redisLimits } from "@/lib/calls/limits/limits-redis";
import { useDatabase } from "@/test/support/database";
import { hasRedis, startRedis } from "@/test/support/servers/redis";

// The tests read the process's log.
process.env["LOG_LEVEL"] = "warn";

const database = useDatabase();
const logged: string[] = [];
// Before anything is logged: the log keeps where it writes.
beforeAll(() => {
  vi.spyOn(process.stdout, "write").mockImplementation((line) => {
    logged.push((JSON.parse(String(line)) as { msg: string }).msg);
    return true;
  });
});
const NOON = Date.parse("2100-01-01T12:00:00Z");

describe.skipIf(!hasRedis())("when Redis is lost", () => {
  it("calls are counted in Postgres", async () => {
    const redis = await startRedis();
    const store = redisLimits(redis.url, storedLimits);
    onTestFinished(async () => {
      store.close();
      await redis.stop();
    });
    const limit = { key: "insured", kind: "window", cap: 1, seconds: 60 } as const;
    expect(await store.take([limit], "a", NOON)).toEqual([]);
    await redis.stop();
    expect(await store.take([limit], "b", NOON)).toEqual([]);
    expect(await store.take([limit], "c", NOON)).toHaveLength(1);
    expect(await database.query("select used from limit_window")).toEqual([{ used: 1 }]);
  });

  it("a place that Redis gives too late is held in Postgres alone", async () => {
    const redis = await startRedis();
    const store = redisLimits(redis.url, storedLimits);
    const control = createClient({ url: redis.url });
    await control.connect();
    onTestFinished(async () => {
      store.close();
      control.destroy();
      await redis.stop();
    });
    const place = { key: "place", kind: "lease", cap: 1, seconds: 90 } as const;
    expect(await store.take([place], "earlier", NOON)).toEqual([]);
    await store.release("earlier");
    await control.sendCommand(["CLIENT", "PAUSE", "60000", "WRITE"]);
    expect(await store.take([place], "late", NOON)).toEqual([]);
    await store.release("late");
    expect(await database.query("select key from limit_lease")).toEqual([]);
    await control.sendCommand(["CLIENT", "UNPAUSE"]);
    expect(await store.take([place], "next", NOON)).toEqual([]);
    // It is Redis that holds the place again.
    expect(await database.query("select key from limit_lease")).toEqual([]);
    expect(await store.take([place], "more", NOON)).toHaveLength(1);
  });

  it("a place that Redis gave before its connection broke is released there too", async () => {
    const redis = await startRedis();
    let isBroken = false;
    // Forwards each command. While broken, it drops the answer and the connection.
    const between = createServer((near) => {
      const far = connect(Number(new URL(redis.url).port), "127.0.0.1");
      for (const end of [near, far]) end.on("error", () => {}).on("close", () => void [near.destroy(), far.destroy()]);
      near.pipe(far);
      far.on("data", (answer) => void (isBroken ? near.destroy() : near.write(answer)));
    }).listen(0, "127.0.0.1");
    await once(between, "listening");
    logged.length = 0;
    const store = redisLimits(`redis://127.0.0.1:${(between.address() as AddressInfo).port}`, storedLimits);
    onTestFinished(async () => {
      store.close();
      between.close();
      await redis.stop();
    });
    const place = { key: "place", kind: "lease", cap: 1, seconds: 90 } as const;
    expect(await store.take([place], "earlier", NOON)).toEqual([]);
    await store.release("earlier");
    isBroken = true;
    expect(await store.take([place], "broken", NOON)).toEqual([]);
    expect(await database.query("select key from limit_lease")).toEqual([{ key: "place" }]);
    isBroken = false;
    await vi.waitFor(() => expect(logged.at(-1)).toMatch("Redis is back"), { timeout: 5_000 });
    await store.release("broken");
    expect(await store.take([place], "next", NOON)).toEqual([]);
    expect(await database.query("select key from limit_lease")).toEqual([]);
  });

  it("the log reports the loss once, however long it lasts, and the return once; calls are counted in Redis again", async () => {
    logged.length = 0;
    let redis = await startRedis();
    const store = redisLimits(redis.url, storedLimits);
    onTestFinished(async () => {
      store.close();
      await redis.stop();
    });
    const limit = (key: string) => ({ key, kind: "window", cap: 1, seconds: 60 }) as const;
    const takesOne = async (key: string) => (await store.take([limit(key)], key, NOON)).length === 0;
    expect(await takesOne("before")).toBe(true);
    await redis.stop();
    // Several attempts to connect fail meanwhile.
    await delay(700);
    redis = await startRedis(Number(new URL(redis.url).port));
    const twice = ["Redis is lost; limits are counted in Postgres.", "Redis is back; limits are counted there."];
    await vi.waitFor(() => expect(logged).toEqual(twice), { timeout: 5_000 });
    const counted = await database.query("select count(*) from limit_window");
    expect([await takesOne("after"), await takesOne("after")]).toEqual([true, false]);
    expect(await database.query("select count(*) from limit_window")).toEqual(counted);
  });
});
