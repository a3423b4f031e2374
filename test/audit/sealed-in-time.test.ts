import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { keepLog } from "@/lib/audit/seal/keeper";
import { logSession } from "@/lib/store/db/log-session";
import { readLastSeal, readUnsealed } from "@/lib/store/audit/seals";
import { LogWorld } from "@/test/audit/log-world";
import { useDatabase } from "@/test/support/database";

/** Milliseconds within which rows are sealed (docs/reference/promises.md#log), and what a loaded machine is let have beyond it. */
const PROMISED_MS = 5_000;
const SLACK_MS = 1_500;
/** Milliseconds that calls go on for: several turns of the sealer. */
const STREAM_MS = 4_000;

const database = useDatabase();
const world = new LogWorld(database);
let stop = () => {};

beforeAll(async () => {
  await world.call();
  stop = keepLog([]);
});
afterAll(() => stop());

/** How many rows wait for a seal, and for how many milliseconds the oldest of them has. */
async function waiting(): Promise<{ readonly count: number; readonly ms: number }> {
  const { count, oldest } = await logSession("read", async (ask) => readUnsealed(ask, await readLastSeal(ask)));
  return { count, ms: oldest === null ? 0 : Date.now() - oldest.getTime() };
}

const allSealed = () =>
  vi.waitFor(async () => expect((await waiting()).count).toBe(0), { timeout: PROMISED_MS + SLACK_MS, interval: 100 });

describe("rows are sealed within five seconds", () => {
  it("while calls go on, beside transactions that come and go", async () => {
    const other = new Client({ connectionString: database.url });
    await other.connect();
    let longest = 0;
    for (const end = Date.now() + STREAM_MS; Date.now() < end;) {
      await other.query("begin");
      await other.query("select pg_current_xact_id()");
      await world.call();
      await other.query("commit");
      longest = Math.max(longest, (await waiting()).ms);
    }
    await other.end();
    expect(longest).toBeLessThan(PROMISED_MS + SLACK_MS);
    await allSealed();
  });

  it("from the end of a transaction that stays open; calls go on meanwhile, and what was written before it is sealed", async () => {
    await allSealed();
    const slow = new Client({ connectionString: database.url });
    await slow.connect();
    await world.call();
    await slow.query("begin");
    await slow.query("select pg_current_xact_id()");
    const during = await world.call();
    // The six rows of before it, and none of the six of after.
    await vi.waitFor(async () => expect((await waiting()).count).toBe(2 * during.length), {
      timeout: PROMISED_MS + SLACK_MS,
    });
    await slow.query("commit");
    await slow.end();
    await allSealed();
  });
});
