import { Client as Connection } from "pg";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { startJobs, stopJobs } from "@/lib/jobs/runner";
import { CALL_QUEUED, claimCalls, releaseCall } from "@/lib/store/calls/queued-calls";
import { liveInstance } from "@/lib/store/log/executions-reaper";
import { queuedCalls } from "@/lib/calls/queue/worker";
import { untilNoneRuns } from "@/lib/calls/queue/running";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { startJob } from "@/test/support/jobs/start-job";
import { useDatabase } from "@/test/support/database";
import { sentBy } from "@/test/support/statements";

const database = useDatabase();
let reader: Client;

beforeAll(async () => {
  await save(supportDocument());
  reader = new Client(await keyOf("reader"));
});
beforeEach(() => database.query("delete from kept_call"));

async function accepted(): Promise<string> {
  const { json } = await reader.call({
    tool_id: "builtin:calculate",
    arguments: { expression: "6 * 7" },
    mode: "async",
  });
  return json.call_id;
}

async function statusOf(callId: string): Promise<string | undefined> {
  const query = `select status from kept_call where "callId" = $1`;
  return (await database.query<{ status: string }>(query, [callId]))[0]?.status;
}

it("each queued call is claimed by one of several processes that claim at the same time", async () => {
  const ids: string[] = [];
  for (let number = 0; number < 12; number += 1) ids.push(await accepted());
  const claims = await Promise.all(["one", "two", "three"].map((instance) => claimCalls(instance, 5)));
  const claimed = claims.flat().map(({ callId }) => callId);
  expect(claimed.toSorted()).toEqual(ids.toSorted());
});

it("a notice starts a queued call before the next poll", async () => {
  await liveInstance();
  const run = queuedCalls();
  startJobs([{ name: "queued-calls", everyMs: 3_600_000, wokenBy: [CALL_QUEUED], run }]);
  onTestFinished(stopJobs);
  const id = await accepted();
  await vi.waitFor(async () => expect(await statusOf(id)).toBe("ended"), { timeout: 5_000 });
});

it("a released call is queued again, and is claimed no sooner than two seconds later", async () => {
  const id = await accepted();
  const [claimed] = await claimCalls("one", 5);
  expect(claimed).toMatchObject({ callId: id });
  expect(await releaseCall(claimed!)).toBe(true);
  expect(await claimCalls("one", 5)).toEqual([]);
  const [due] = await database.query<{ soon: boolean }>(
    `select "dueAt" - now() between interval '0' and interval '2 s' as soon from kept_call`,
  );
  expect(due?.soon).toBe(true);
  // The column has milliseconds: the present time could be rounded up, into the future.
  await database.query(`update kept_call set "dueAt" = now() - interval '1 ms'`);
  expect(await claimCalls("two", 5)).toMatchObject([{ callId: id }]);
});

it("a release may be repeated: it leaves a later claim, of any process", async () => {
  const id = await accepted();
  const [first] = await claimCalls("one", 5);
  expect([await releaseCall(first!), await releaseCall(first!)]).toEqual([true, true]);
  for (const instance of ["one", "two"]) {
    await database.query(`update kept_call set "dueAt" = now() - interval '1 ms'`);
    const [later] = await claimCalls(instance, 5);
    expect(await releaseCall(first!)).toBe(true);
    expect(await statusOf(id)).toBe("running");
    expect(await releaseCall(later!)).toBe(true);
  }
});

it("a call that was cancelled meanwhile is not released", async () => {
  await accepted();
  const [claimed] = await claimCalls("one", 5);
  await database.query("update kept_call set cancelled = true");
  expect(await releaseCall(claimed!)).toBe(false);
});

it("calls that were released are claimed after those that were not: a full place holds up no other call", async () => {
  const waiting = await accepted();
  const [claimed] = await claimCalls("one", 5);
  await releaseCall(claimed!);
  await database.query(`update kept_call set "dueAt" = now() - interval '1 ms'`);
  const fresh = await accepted();
  expect(await claimCalls("one", 1)).toMatchObject([{ callId: fresh }]);
  expect(await claimCalls("one", 1)).toMatchObject([{ callId: waiting }]);
});

it("a claim of a long queue sorts no rows", async () => {
  await database.query(
    `insert into kept_call ("callId", principal, "bodyDigest", status, at, "endsAt", "dueAt")
     select 'call_' || n, n, '', 'queued', now(), now(), case when n % 2 = 0 then now() end from generate_series(1, 20000) n`,
  );
  await database.query("analyze kept_call");
  const sent = await sentBy(async () => expect(await claimCalls("one", 20)).toHaveLength(20));
  const { text, values } = sent.find((statement) => statement.text.includes("SKIP LOCKED"))!;
  expect(JSON.stringify(await database.query(`explain ${text}`, [...values]))).not.toContain("Sort");
});

describe("a call whose claim committed although its answer was lost", () => {
  /** Loses the claim of the accepted call, and returns the job that runs again afterwards. */
  async function lostClaim(): Promise<() => Promise<void>> {
    const run = queuedCalls();
    await database.query("alter table kept_call rename to kept_call_away");
    await expect(run()).rejects.toThrow("kept_call");
    await database.query("alter table kept_call_away rename to kept_call");
    // As a claim leaves it that commits although the connection breaks before the answer.
    expect(await claimCalls(await liveInstance(), 5)).toHaveLength(1);
    return run;
  }

  it("is run by the process that claimed it", async () => {
    const id = await accepted();
    const run = await lostClaim();
    await run();
    await untilNoneRuns();
    expect((await reader.read(id)).json).toMatchObject({ status: "succeeded" });
  });

  it("ends, without a run, when it was cancelled since", async () => {
    const id = await accepted();
    const run = await lostClaim();
    const cancelled = reader.cancel(id);
    const isNoted = `select 1 from kept_call where cancelled and status = 'running'`;
    await vi.waitFor(async () => expect(await database.query(isNoted)).toHaveLength(1), { timeout: 5_000 });
    await run();
    await untilNoneRuns();
    expect(await statusOf(id)).toBe("ended");
    expect((await cancelled).json).toMatchObject({ tool_id: "builtin:calculate", status: "cancelled", attempts: 0 });
  });
});

it("a process that ends claims no more calls, and ends after the calls that it is claiming", async () => {
  const id = await accepted();
  const holder = new Connection({ connectionString: database.url });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("begin; lock table kept_call in access exclusive mode");
  startJob("queued-calls");
  const waits = async () =>
    expect(
      await database.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and query ilike '%skip locked%'`,
      ),
    ).toHaveLength(1);
  await vi.waitFor(waits, { timeout: 5_000, interval: 20 });
  const stopped = stopJobs();
  await holder.query("commit");
  await stopped;
  expect(await statusOf(id)).toBe("ended");
  const later = await accepted();
  expect(await statusOf(later)).toBe("queued");
});
