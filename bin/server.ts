import { once } from "node:events";
import type { Server } from "node:http";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { parseArgs } from "node:util";
import { loadProvider } from "@/lib/agents/oauth/load-provider";
import { messageOf } from "@/lib/errors";
import { gateBodies } from "@/lib/server/front/body-gate";
import { followApp } from "@/lib/server/front/app-link";
import { forwardTo, forwardUpgrades } from "@/lib/server/front/forward";
import { createFront, drain, DRAIN_MS, answerNotFound } from "@/lib/server/front/front";
import { serveStaticFiles } from "@/lib/server/front/static-files";
import { endBackground, startBackground } from "@/lib/server/background";
import { findAgentRoute } from "@/lib/server/routes";
import { env } from "@/lib/env";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import { startExport, stopExport } from "@/lib/telemetry/export";
import { log } from "@/lib/telemetry/log";

// The gateway: serves agents. Forwards all other requests to the app when there is one (bin/boot/supervise.mjs sends its address).

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

// A rejection that one request leaves unhandled must not end the process.
process.on("unhandledRejection", (error) => log.error({ err: error }, "A rejection was not handled."));
process.on("uncaughtException", (error) => log.error({ err: error }, "An exception was not caught."));

function gateway(): Server {
  if (options.gateway) return createFront(findAgentRoute, answerNotFound);
  const app = followApp();
  // Loads the authorization of people at the first body, so that a start does not wait for it.
  const authorize = async () => (await import("@/lib/auth/people/user")).authorize;
  const forward = gateBodies(forwardTo(app), authorize);
  // In development the app builds its files when they are requested.
  const people = options.upgrades ? forward : serveStaticFiles(join(process.cwd(), ".next/static"), forward);
  const server = createFront(findAgentRoute, people);
  if (options.upgrades) {
    const connectSockets = forwardUpgrades(app);
    const joined = new Set<Duplex>();
    server.on("upgrade", (incoming, socket, head) => {
      joined.add(socket.once("close", () => joined.delete(socket)));
      connectSockets(incoming, socket, head);
    });
    // server.close() waits for these connections but cannot close them.
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      process.once(signal, () => joined.forEach((socket) => socket.destroy()));
  }
  return server;
}

async function main(): Promise<void> {
  // Reads the settings before anything is served, so that a missing one stops the start.
  void env.DATABASE_URL;
  await startExport();
  const server = gateway();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(
      signal,
      () =>
        void drain(server, DRAIN_MS, endBackground())
          .then(stopExport)
          // A store that is lost meanwhile must not keep the process.
          .finally(() => process.exit(0)),
    );
  server.listen(port, hostname);
  await once(server, "listening");
  await startBackground();
  // When the store is not there yet, the requests report it.
  await currentSnapshot().catch(() => {});
  // Not at the first sign-in, which would hold up other agents.
  await loadProvider();
}

function end(status: number, error: unknown): never {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(status);
}

await main().catch((error: unknown) => end(1, error));
