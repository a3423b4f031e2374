import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { supervise } from "./boot/supervise.mjs";

// node server.js [--hostname …] [--port …] [--gateway]: starts a package (scripts/pack.mjs).

const root = dirname(dirname(fileURLToPath(import.meta.url)));
Object.assign(process.env, { NODE_ENV: "production" });
process.chdir(root);

const { values: options } = parseArgs({
  options: { hostname: { type: "string" }, port: { type: "string" }, gateway: { type: "boolean", default: false } },
});

if (options.gateway) await import(pathToFileURL(join(root, "dist/server.mjs")).href);
else await both(options.hostname ?? "127.0.0.1", options.port ?? "3000");

/** @param {string} hostname @param {string} port */
async function both(hostname, port) {
  /** @type {(() => Promise<void>) | null} */
  let stop = null;
  let ending = false;
  for (const signal of ["SIGINT", "SIGTERM"])
    process.on(signal, () => {
      if (ending) return;
      ending = true;
      // During a start, the children end with this process.
      void (stop?.() ?? Promise.resolve()).then(() => process.exit(0));
    });
  const address = { "0.0.0.0": "127.0.0.1", "::": "::1" }[hostname] ?? hostname;
  const reachable = address.includes(":") ? `[${address}]` : address;
  const env = process.env;
  const supervised = await supervise({
    gateway: (more) => ({
      file: join(root, "dist/server.mjs"),
      args: ["--hostname", hostname, "--port", port],
      cwd: root,
      env: { ...env, ...more },
    }),
    app: (_port, more) => ({ file: join(root, "app.js"), args: [], cwd: root, env: { ...env, ...more } }),
    health: `http://${reachable}:${port}/api/health`,
  });
  stop = supervised.stop;
}
