import { randomUUID } from "node:crypto";
import { repeat, type Repeated } from "@/lib/process/repeat";
import { singleton } from "@/lib/process/singleton";
import { withTimeout } from "@/lib/process/timeout";
import { listen } from "@/lib/store/db/database";
import { releaseLeases, takeLease } from "@/lib/store/db/job-leases";
import { log } from "@/lib/telemetry/log";
import { metrics } from "@/lib/telemetry/metrics";

/** A background job: what runs, how often, where, and how it ends. */
export interface Job {
  readonly name: string;
  /** Milliseconds between the starts of two runs in one process, whose runs never overlap. Jitter shortens a pause by up to 10 %. */
  readonly everyMs: number;
  /** Postgres channels: a notice starts the next run at once. */
  readonly wokenBy?: readonly string[];
  /**
   * Whether one process at a time runs it. Another process takes over two periods after the last run. The lease only saves
   * work: a run that takes longer may overlap with the other process's, so the work itself must be safe.
   */
  readonly leased?: boolean;
  /** Whether an app behind a gateway runs it too. */
  readonly inApp?: boolean;
  /** @param now the time of this process; for a leased job, the database's */
  readonly run: (now: Date) => Promise<unknown>;
  /** Waits for the work that runs have started. Called when an ending process has stopped this job. */
  readonly drain?: () => Promise<unknown>;
}

/** Milliseconds that an ending process waits for the present runs. A claim is answered or has failed by then. */
const END_MS = 2_000;
/** A lease ends after this many periods. */
const LEASE_PERIODS = 2;

interface Started {
  readonly job: Job;
  readonly repeated: Repeated;
  readonly unlisten: readonly (() => void)[];
  /**
   * When the last run succeeded, or when this process started the job or took its lease over; `null` while another process
   * has the lease.
   */
  succeededAt: number | null;
  isFailing: boolean;
}

interface Runner {
  /** The name of this process in leases. */
  readonly holder: string;
  readonly started: Started[];
}

const runner = singleton<Runner>("Jobs", () => ({ holder: randomUUID(), started: [] }));

/** Starts jobs in this process, until `stopJobs`. */
export function startJobs(jobs: readonly Job[]): void {
  metrics().registry.reads("jobs", async () => [ages(), periods()]);
  for (const job of jobs) {
    const run = () => runOnce(started);
    const repeated = repeat(run, { everyMs: job.everyMs, jitter: Math.random });
    // After a reconnect the handler is called too, because notices may have been lost.
    const unlisten = (job.wokenBy ?? []).map((channel) => listen(channel, repeated.wake));
    const started: Started = { job, repeated, unlisten, succeededAt: performance.now(), isFailing: false };
    runner().started.push(started);
  }
}

/**
 * Stops the jobs of this process, the last started one first. A job stops after the ones that started later have
 * drained: the heartbeat, which starts first, continues until the process has no more work.
 */
export async function stopJobs(): Promise<void> {
  const { holder, started } = runner();
  const jobs = started.splice(0).toReversed();
  const stopping: Promise<void>[] = [];
  const ended = () => withTimeout(Promise.all(stopping), END_MS, null);
  for (const { job, repeated, unlisten } of jobs) {
    for (const stop of unlisten) stop();
    stopping.push(repeated.stop());
    if (job.drain === undefined) continue;
    await ended();
    // The other jobs still have to end.
    await job.drain().catch((error: unknown) => {
      log.warn({ job: job.name, err: error }, "A background job could not finish its work before the process ends.");
    });
  }
  await ended();
  // A lost store ends the leases by itself.
  if (jobs.some(({ job }) => job.leased)) await releaseLeases(holder).catch(() => {});
}

async function runOnce(started: Started): Promise<void> {
  const { name } = started.job;
  try {
    const hasRun = await runUnderLease(started);
    started.succeededAt = hasRun ? performance.now() : null;
    started.isFailing = false;
    if (hasRun) metrics().jobRuns.of({ name, status: "succeeded" }).add();
  } catch (error) {
    // A lost store fails every job at every run: only the first failure of a series is logged.
    if (!started.isFailing) log.warn({ job: name, err: error }, "A background job failed; its next run tries again.");
    started.isFailing = true;
    metrics().jobRuns.of({ name, status: "failed" }).add();
  }
}

/** Returns false when another process has the job's lease. */
async function runUnderLease(started: Started): Promise<boolean> {
  const { name, everyMs, leased, run } = started.job;
  const now = leased ? await takeLease(name, runner().holder, LEASE_PERIODS * everyMs) : new Date();
  if (now === null) return false;
  // A run that fails must not hide that the job has no success since.
  started.succeededAt ??= performance.now();
  await run(now);
  return true;
}

function ages() {
  const samples = runner().started.flatMap(({ job: { name }, succeededAt }) =>
    succeededAt === null ? [] : [{ labels: { name }, value: (performance.now() - succeededAt) / 1000 }],
  );
  const help = "Seconds since the last run of a background job that succeeded in this process.";
  return { name: "agent_job_age_seconds", unit: "s", help, kind: "gauge" as const, samples };
}

function periods() {
  const samples = runner().started.map(({ job: { name, everyMs } }) => ({ labels: { name }, value: everyMs / 1000 }));
  const help = "Seconds between two runs of a background job.";
  return { name: "agent_job_period_seconds", unit: "s", help, kind: "gauge" as const, samples };
}
