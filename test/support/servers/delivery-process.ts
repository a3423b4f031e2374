import { workDeliveries } from "@/lib/events/worker";

// A process of its own that delivers, as every instance of the house does. Says so once it listens.
workDeliveries();
// Its clock keeps no process alive: an instance has a server for that.
setInterval(() => {}, 60_000);
process.stdout.write("working\n");
