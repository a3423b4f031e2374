import { db } from "@/lib/store/db/database";

/**
 * Takes or renews a job's lease. Returns the database's time, or `null` while another process has the lease.
 *
 * @param milliseconds until the lease ends without a renewal
 */
export async function takeLease(job: string, holder: string, milliseconds: number): Promise<Date | null> {
  const [row] = await db().$queryRaw<{ now: Date }[]>`
    INSERT INTO job_lease (job, holder, "endsAt") VALUES (${job}, ${holder}, now() + make_interval(secs => ${milliseconds / 1000}))
    ON CONFLICT (job) DO UPDATE SET holder = EXCLUDED.holder, "endsAt" = EXCLUDED."endsAt"
    WHERE job_lease.holder = EXCLUDED.holder OR job_lease."endsAt" <= now() RETURNING now() AS now`;
  return row?.now ?? null;
}

/** Ends the leases of a process, so that another process takes them at once. */
export async function releaseLeases(holder: string): Promise<void> {
  await db().$executeRaw`DELETE FROM job_lease WHERE holder = ${holder}`;
}
