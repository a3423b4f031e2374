import { once } from "node:events";
import type { Server } from "node:http";
import type { Duplex } from "node:stream";
import { parseArgs } from "node:util";
import { gateBodies } from "@/bin/body-gate";
import { followApp } from "@/bin/app-link";
import { forwardTo, forwardUpgrades } from "@/bin/forward";
import { createFront, drain, DRAIN_MS, nothingElse } from "@/bin/front";
import { endBackground, startBackground } from "@/lib/server/background";
import { findAgentRoute } from "@/lib/server/routes";
import { env } from "@/lib/env";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import { startExport, stopExport } from "@/lib/telemetry/export";
import { log } from "@/lib/telemetry/log";

// The gateway: agents are served here. With an app beside it (bin/supervise.mjs tells where), everything else is forwarded to that.

const { values: options } = parseArgs({
  options: {
    hostname: { type: "string" },
    port: { type: "string" },
    gateway: { type: "boolean", default: false },
    upgrades: { type: "boolean", default: false },
  },
});
const hostname = options.hostname ?? "127.0.0.1";
const port = Number(options.port ?? 3000);

// What one request leaves behind does not end the others.
process.on("unhandledRejection", (error) => log.error({ err: error }, "A rejection was not handled."));
process.on("uncaughtException", (error) => log.error({ err: error }, "An exception was not caught."));

function gateway(): Server {
  if (options.gateway) return createFront(findAgentRoute, nothingElse);
  const app = followApp();
  // What authorises people is read when the first of them sends a body: a start does not wait for it.
  const authorize = async () => (await import("@/lib/auth/people/user")).authorize;
  const server = createFront(findAgentRoute, gateBodies(forwardTo(app), authorize));
  if (options.upgrades) {
    const join = forwardUpgrades(app);
    const joined = new Set<Duplex>();
    server.on("upgrade", (incoming, socket, head) => {
      joined.add(socket.once("close", () => joined.delete(socket)));
      join(incoming, socket, head);
    });
    // A server that ends waits for these connections and cannot close them.
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      process.once(signal, () => joined.forEach((socket) => socket.destroy()));
  }
  return server;
}

async function main(): Promise<void> {
  // Read before anything is served: what is missing stops the start.
  void env.DATABASE_URL;
  await startExport();
  const server = gateway();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(
      signal,
      () =>
        void drain(server, DRAIN_MS, endBackground())
          .then(stopExport)
          .then(() => process.exit(0)),
    );
  server.listen(port, hostname);
  await once(server, "listening");
  await startBackground();
  // A store that is not there yet is for the requests to say.
  await currentSnapshot().catch(() => {});
}

function end(status: number, error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(status);
}

await main().catch((error: unknown) => end(1, error));
