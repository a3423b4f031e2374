import { workDeliveries } from "@/lib/events/worker";

// A separate process that delivers, as every instance does. Reports when it listens.
workDeliveries();
// Its clock keeps no process alive: an instance has a server for that.
setInterval(() => {}, 60_000);
process.stdout.write("working\n");
