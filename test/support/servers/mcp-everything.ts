import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { freePort } from "@/test/support/servers/free-port";

const require = createRequire(import.meta.url);

/** The path of a reference server's program. */
export function referenceServer(name: "everything" | "filesystem" | "memory"): string {
  return require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);
}

/** The reference server `everything` over Streamable HTTP (2025-11-25, with sessions), on loopback. */
export interface Everything {
  readonly url: string;
  /** `host:port`, for OUTBOUND_ALLOW. */
  readonly host: string;
  /** Kills the server, as a crash would. */
  kill(): Promise<void>;
  /** Restarts the server on the same port, without its sessions. */
  restart(): Promise<void>;
}

/** Starts the server on a free port. */
export async function startEverything(): Promise<Everything> {
  const port = await freePort();
  let child = await start(port);
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    host: `127.0.0.1:${port}`,
    kill,
    restart: async () => {
      await kill();
      child = await start(port);
    },
  };
}

async function start(port: number): Promise<ChildProcess> {
  const preload = fileURLToPath(new URL("loopback-only.cjs", import.meta.url));
  const child = spawn(process.execPath, ["--require", preload, referenceServer("everything"), "streamableHttp"], {
    env: { NODE_ENV: "test", PATH: process.env["PATH"], PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  for await (const chunk of child.stderr ?? []) {
    said += String(chunk);
    if (said.includes("Bound to the loopback address")) return child;
  }
  throw new Error(`The server ended before it listened on port ${port}:\n${said}`);
}
