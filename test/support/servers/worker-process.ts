import { workQueuedCalls } from "@/lib/calls/queue/worker";

// A process of its own that runs queued calls, as every instance of the house does. Says so once it listens.
await workQueuedCalls();
process.stdout.write("working\n");
