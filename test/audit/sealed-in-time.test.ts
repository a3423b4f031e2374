import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { stopJobs } from "@/lib/jobs/runner";
import { logSession } from "@/lib/store/db/log-session";
import { readLastSeal, readUnsealed } from "@/lib/store/audit/seals";
import { LogWorld } from "@/test/audit/log-world";
import { startSealing } from "@/test/support/jobs/seal-log";
import { useDatabase } from "@/test/support/database";

/** Milliseconds until rows are sealed (docs/reference/promises.md#log), and the allowance for a loaded machine. */
const PROMISED_MS = 5_000;
const SLACK_MS = 1_500;
/** The duration of the calls, in milliseconds: several rounds of the sealer. */
const STREAM_MS = 4_000;

const database = useDatabase();
const world = new LogWorld(database);

beforeAll(async () => {
  await world.call();
  startSealing();
});
afterAll(stopJobs);

/** The number of unsealed rows, and the age of the oldest in milliseconds. */
async function waiting(): Promise<{ readonly count: number; readonly ms: number }> {
  const { count, oldest } = await logSession("read", async (runQuery) =>
    readUnsealed(runQuery, await readLastSeal(runQuery)),
  );
  return { count, ms: oldest === null ? 0 : Date.now() - oldest.getTime() };
}

const allSealed = () =>
  vi.waitFor(async () => expect((await waiting()).count).toBe(0), { timeout: PROMISED_MS + SLACK_MS, interval: 100 });

describe("rows are sealed within five seconds", () => {
  it("while calls and short transactions continue", async () => {
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

  it("after a long transaction ends; meanwhile calls continue, and earlier rows are sealed", async () => {
    await allSealed();
    const slow = new Client({ connectionString: database.url });
    await slow.connect();
    await world.call();
    await slow.query("begin");
    await slow.query("select pg_current_xact_id()");
    const during = await world.call();
    // The six rows written before it, and none of the six written after it.
    await vi.waitFor(async () => expect((await waiting()).count).toBe(2 * during.length), {
      timeout: PROMISED_MS + SLACK_MS,
    });
    await slow.query("commit");
    await slow.end();
    await allSealed();
  });
});
