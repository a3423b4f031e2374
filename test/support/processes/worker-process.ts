import { startJob } from "@/test/support/jobs/start-job";

// A separate process that runs queued calls, as every instance does. Reports when it has started.
startJob("queued-calls");
// A job's timer keeps no process alive: an instance has a server for that.
setInterval(() => {}, 60_000);
process.stdout.write("working\n");
