import { workQueuedCalls } from "@/lib/calls/queue/worker";

// A separate process that runs queued calls, as every instance does. Reports when it listens.
await workQueuedCalls();
process.stdout.write("working\n");
