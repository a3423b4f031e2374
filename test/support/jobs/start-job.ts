import { startJobs } from "@/lib/jobs/runner";
import { jobTable } from "@/lib/jobs/table";

/** Starts one job of the table in this process, as an instance does. It ends with the test file, or by `stopJobs`. */
export function startJob(name: string): void {
  const jobs = jobTable().filter((job) => job.name === name);
  if (jobs.length === 0) throw new Error(`There is no job ${name}.`);
  startJobs(jobs);
}
