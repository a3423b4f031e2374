import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startJobs, stopJobs, type Job } from "@/lib/jobs/runner";
import { jobTable } from "@/lib/jobs/table";
import { releaseLeases, takeLease } from "@/lib/store/db/job-leases";
import { db } from "@/lib/store/db/database";
import { metrics } from "@/lib/telemetry/metrics";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();

beforeEach(() => database.query("delete from job_lease"));
afterEach(stopJobs);

async function samplesOf(metric: string, name: string) {
  const found = (await metrics().registry.collect()).find((one) => one.name === metric);
  return found?.kind === "histogram" ? [] : (found?.samples ?? []).filter(({ labels }) => labels["name"] === name);
}

it("a notice of Postgres runs a job at once", async () => {
  const run = vi.fn<Job["run"]>(async () => {});
  startJobs([{ name: "woken", everyMs: 3_600_000, wokenBy: ["test_woken"], run }]);
  // The first run is that of the connection: notices may have been lost before.
  await vi.waitFor(() => expect(run).toHaveBeenCalled(), { timeout: 5_000 });
  const before = run.mock.calls.length;
  await db().$executeRaw`SELECT pg_notify('test_woken', '')`;
  await vi.waitFor(() => expect(run.mock.calls.length).toBeGreaterThan(before), { timeout: 5_000 });
});

it("one process at a time runs a leased job, with the database's time; another takes over when the lease ends", async () => {
  const run = vi.fn<Job["run"]>(async () => {});
  expect(await takeLease("leased", "another process", 60_000)).toBeInstanceOf(Date);
  startJobs([{ name: "leased", everyMs: 20, leased: true, run }]);
  await vi.waitFor(async () => expect(await samplesOf("agent_job_age_seconds", "leased")).toEqual([]));
  expect(run).not.toHaveBeenCalled();
  await database.query(`update job_lease set "endsAt" = now() where job = 'leased'`);
  await vi.waitFor(() => expect(run.mock.calls[0]?.[0]).toBeInstanceOf(Date), { timeout: 5_000 });
  const [lease] = await database.query<{ holder: string }>("select holder from job_lease where job = 'leased'");
  expect(lease?.holder).not.toBe("another process");
});

it("a lease is renewed by its holder, refused to others, and free when the holder ends", async () => {
  expect(await takeLease("job", "one", 60_000)).toBeInstanceOf(Date);
  expect(await takeLease("job", "one", 60_000)).toBeInstanceOf(Date);
  expect(await takeLease("job", "two", 60_000)).toBeNull();
  await releaseLeases("one");
  expect(await takeLease("job", "two", 60_000)).toBeInstanceOf(Date);
});

it("an ending process gives its leases back", async () => {
  const run = vi.fn<Job["run"]>(async () => {});
  startJobs([{ name: "leased", everyMs: 20, leased: true, run }]);
  await vi.waitFor(() => expect(run).toHaveBeenCalled(), { timeout: 5_000 });
  await stopJobs();
  expect(await database.query("select 1 from job_lease")).toEqual([]);
});

it("jobs stop in the reverse order: a job above continues until the ones below have drained", async () => {
  let isDrained = () => {};
  const drained = new Promise<void>((resolve) => (isDrained = resolve));
  const heartbeat = vi.fn<Job["run"]>(async () => {});
  const claims = vi.fn<Job["run"]>(async () => {});
  startJobs([
    { name: "heartbeat", everyMs: 10, run: heartbeat },
    { name: "claims", everyMs: 10, run: claims, drain: () => drained },
  ]);
  await vi.waitFor(() => expect(claims).toHaveBeenCalled());
  const stopped = stopJobs();
  const [beats, claimed] = [heartbeat.mock.calls.length, claims.mock.calls.length];
  await vi.waitFor(() => expect(heartbeat.mock.calls.length).toBeGreaterThan(beats + 2));
  expect(claims.mock.calls.length).toBeLessThanOrEqual(claimed + 1);
  isDrained();
  await stopped;
  const last = heartbeat.mock.calls.length;
  await new Promise((resolve) => setImmediate(resolve));
  expect(heartbeat).toHaveBeenCalledTimes(last);
});

it("a job whose work cannot be finished holds back no other job, and no lease", async () => {
  const early = vi.fn<Job["run"]>(async () => {});
  const leased = vi.fn<Job["run"]>(async () => {});
  startJobs([
    { name: "early", everyMs: 10, run: early },
    { name: "leased", everyMs: 10, leased: true, run: leased },
    { name: "drained", everyMs: 10, run: async () => {}, drain: () => Promise.reject(new Error("deadlock detected")) },
  ]);
  await vi.waitFor(() => expect(leased).toHaveBeenCalled(), { timeout: 5_000 });
  await stopJobs();
  const last = early.mock.calls.length;
  await new Promise((resolve) => setImmediate(resolve));
  expect(early).toHaveBeenCalledTimes(last);
  expect(await database.query("select 1 from job_lease")).toEqual([]);
});

it("a job that fails is counted, and runs again", async () => {
  let isLost = true;
  const run = async () => {
    if (isLost) throw new Error("lost");
  };
  startJobs([{ name: "failing", everyMs: 10, run }]);
  const runs = async (status: string) =>
    (await samplesOf("agent_job_runs", "failing")).find(({ labels }) => labels["status"] === status)?.value ?? 0;
  await vi.waitFor(async () => expect(await runs("failed")).toBeGreaterThan(1));
  isLost = false;
  await vi.waitFor(async () => expect(await runs("succeeded")).toBeGreaterThan(0));
  const [age] = await samplesOf("agent_job_age_seconds", "failing");
  expect(age).toMatchObject({ value: expect.closeTo(0, 0) });
});

it("a job that fails since this process took it over has an age, and its period", async () => {
  await takeLease("taken", "another process", 60_000);
  const run = vi.fn<Job["run"]>(async () => {
    throw new Error("lost");
  });
  startJobs([{ name: "taken", everyMs: 20, leased: true, run }]);
  await vi.waitFor(async () => expect(await samplesOf("agent_job_age_seconds", "taken")).toEqual([]));
  await releaseLeases("another process");
  await vi.waitFor(() => expect(run).toHaveBeenCalled());
  expect(await samplesOf("agent_job_age_seconds", "taken")).toHaveLength(1);
  expect(await samplesOf("agent_job_period_seconds", "taken")).toMatchObject([{ value: 0.02 }]);
});

it("the table names each job once, and its heartbeat starts first", () => {
  const names = jobTable().map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names[0]).toBe("heartbeat");
});
