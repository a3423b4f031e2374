import { once } from "node:events";
import { parseArgs } from "node:util";
import { gateBodies } from "@/bin/body-gate";
import { createFront, drain, DRAIN_MS, nothingElse, type Otherwise } from "@/bin/front";
import { worded } from "@/bin/worded";
import { endBackground, startBackground } from "@/lib/server/background";
import { findAgentRoute } from "@/lib/server/routes";
import { env } from "@/lib/env";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import { startExport, stopExport } from "@/lib/telemetry/export";
import { log } from "@/lib/telemetry/log";

// One process, one port: the agents' door is served here, everything else by Next. With --gateway there is no Next.

const { values: options } = parseArgs({
  options: { hostname: { type: "string" }, port: { type: "string" }, gateway: { type: "boolean", default: false } },
});
const hostname = options.hostname ?? "127.0.0.1";
const port = Number(options.port ?? 3000);

// As Next has it: what one request leaves behind does not end the others.
process.on("unhandledRejection", (error) => log.error({ err: error }, "A rejection was not handled."));
process.on("uncaughtException", (error) => log.error({ err: error }, "An exception was not caught."));

/**
 * Next as its custom server has it. Agents do not wait for it, not even right after a start: to read it takes seconds of
 * the one thread (docs/reference/promises.md#restart). A page that comes before it is ready does wait.
 */
async function next(agentsServed: Promise<void>): Promise<Otherwise> {
  await agentsServed;
  // What an instance does beside answering is done here, once.
  process.env["BACKGROUND"] = "off";
  const { default: createApp } = await import("next");
  const app = createApp({ dev: false, hostname, port });
  await app.prepare();
  return app.getRequestHandler();
}

function served(app: Otherwise): Otherwise {
  return worded(gateBodies(app, async () => (await import("@/lib/auth/people/user")).authorize));
}

function nextOnceReady(agentsServed: Promise<void>): Otherwise {
  const ready = next(agentsServed).catch((error: unknown) => end(1, error));
  return async (incoming, outgoing) => (await ready)(incoming, outgoing);
}

async function main(): Promise<void> {
  // Read before anything is served: what is missing stops the start.
  void env.DATABASE_URL;
  await startExport();
  let agentsServed = () => {};
  const after = new Promise<void>((resolve) => (agentsServed = resolve));
  const server = createFront(findAgentRoute, options.gateway ? nothingElse : served(nextOnceReady(after)));
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
  agentsServed();
}

function end(status: number, error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(status);
}

await main().catch((error: unknown) => end(1, error));
