import { serve, type RunningServer } from "@/bin/boot/serve.mjs";
import { layWire, type Wire } from "@/test/support/servers/wire";

/** A real process with a fixed port and its own connection to Postgres. */
export interface Instance {
  readonly origin: string;
  readonly wire: Wire;
  /** The id of the running process; 0 without one. */
  readonly pid: () => number;
  /** Starts it, again after its end; resolves when it answers. */
  start(): Promise<void>;
  /** Pauses or continues the process. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
  /** Tells it to end, and waits for that. */
  end(): Promise<void>;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
}

/** Prepares a gateway with its own port. Nothing runs before its start. */
export async function prepareInstance(
  port: number,
  databaseUrl: string,
  env: Record<string, string>,
): Promise<Instance> {
  const url = new URL(databaseUrl);
  const wire = await layWire(Number(url.port));
  url.hostname = "127.0.0.1";
  url.port = String(wire.port);
  let running: RunningServer | null = null;
  return {
    origin: `http://127.0.0.1:${port}`,
    wire,
    pid: () => running?.pid ?? 0,
    start: async () => {
      running = await serve({
        root: process.cwd(),
        mode: "gateway",
        host: "127.0.0.1",
        port,
        env: { DATABASE_URL: url.href, LOG_LEVEL: "silent", ...env },
        quiet: true,
      });
    },
    signal: (signal) => {
      if (running !== null) process.kill(running.pid, signal);
    },
    end: async () => {
      await running?.stop();
      running = null;
    },
    kill: async () => {
      if (running === null) return;
      const { pid, stopped } = running;
      running = null;
      process.kill(pid, "SIGKILL");
      await stopped;
    },
  };
}
