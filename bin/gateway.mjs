import { fileURLToPath } from "node:url";
import { buildPrograms, generate } from "./boot/build.mjs";
import { install, needsInstall } from "./boot/install.mjs";
import { readAddress, requireFreePort, requireNode, watchNpm } from "./boot/instance.mjs";
import { makeProgress } from "./boot/progress.mjs";
import { CommandError, endRunning } from "./boot/run.mjs";
import { serve } from "./boot/serve.mjs";

// npm run gateway: serves agents only, without Next, on the database of an installation that `npm start` serves. An
// installation can run several.

const root = fileURLToPath(new URL("..", import.meta.url));

/** Settings of the installation that a gateway never generates: with another key it could decrypt none of its secrets. */
const REQUIRED = ["DATABASE_URL", "MASTER_KEY", "NEXTAUTH_SECRET"];

/** @type {(() => Promise<void>) | null} */
let stopServer = null;
let stopping = false;

async function main() {
  requireNode();
  const { host, port } = readAddress();
  const missing = REQUIRED.filter((name) => !process.env[name]);
  if (missing.length > 0)
    throw new Error(
      `A gateway needs the database of an installation. Set ${missing.join(", ")} to the values of that installation. ` +
        "If `npm start` created them, the secrets are in .data/secrets.json. " +
        "Other machines cannot use the embedded database: use your own PostgreSQL.",
    );
  await requireFreePort(host, port);
  const step = makeProgress(4);
  const isIncomplete = needsInstall(root, "serving");
  await step(isIncomplete ? "installing packages" : "packages are installed", () =>
    isIncomplete ? install(root, "serving") : undefined,
  );
  await step("database client", () => generate(root));
  await step("building what changed", () => buildPrograms(root));
  await step(`serving agents on ${host}:${port}`, async () => {
    const server = await serve({ root, mode: "gateway", host, port, env: {} });
    stopServer = server.stop;
    void server.stopped.then((how) => stop(1, `The server ended (${how}).`));
  });
}

/** @param {number} status @param {string} [why] */
async function stop(status, why) {
  if (stopping) return;
  stopping = true;
  if (why !== undefined) process.stderr.write(`\n${why}\n`);
  endRunning();
  await stopServer?.();
  process.exit(status);
}

// Not SIGHUP: a handler would undo `nohup npm run gateway`.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => void stop(0));
watchNpm(() => void stop(1));

main().catch((error) => {
  if (stopping) return;
  const known = error instanceof CommandError || (error instanceof Error && error.constructor === Error);
  void stop(1, known ? error.message : String(error?.stack ?? error));
});
