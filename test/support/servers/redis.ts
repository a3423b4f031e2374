import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { freePort } from "@/test/support/servers/free-port";

/** Whether Debian's redis-server is installed. */
export function hasRedis(): boolean {
  try {
    execFileSync("redis-server", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A real Redis on loopback, on a free port or the one that it had, keeping nothing. */
export async function startRedis(had?: number): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const port = had ?? (await freePort());
  const server = spawn(
    "redis-server",
    ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const ended = once(server, "exit");
  for await (const line of server.stdout) if (String(line).includes("Ready to accept connections")) break;
  server.stdout.resume();
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      server.kill("SIGKILL");
      await ended;
    },
  };
}
