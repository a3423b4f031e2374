import { vi } from "vitest";
import { serve, type RunningServer } from "@/bin/serve.mjs";
import { balance } from "@/test/support/balancer";
import { freePort } from "@/test/support/free-port";
import { layWire, type Wire } from "@/test/support/wire";

/** One real process of the house, on a port that it keeps, with a way to Postgres of its own. */
export interface Instance {
  readonly origin: string;
  readonly wire: Wire;
  /** Starts it, again after its end; resolves when it answers. */
  start(): Promise<void>;
  /** Stops it, or lets it go on, where it stands. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
  /** Tells it to end, and waits for that. */
  end(): Promise<void>;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
}

/** Several of them behind a balancer. */
export interface Instances {
  readonly all: readonly [Instance, Instance, Instance];
  /** Of the balancer. */
  readonly origin: string;
  stop(): Promise<void>;
}

/** Starts three gateways on the database; resolves when all of them are ready. */
export async function startInstances(databaseUrl: string, env: Record<string, string> = {}): Promise<Instances> {
  const ports = [await freePort(), await freePort(), await freePort()] as const;
  const made = await Promise.all(ports.map((port) => prepare(port, databaseUrl, env)));
  const all = made as [Instance, Instance, Instance];
  const balancer = await balance(ports);
  const stop = async () => {
    balancer.close();
    await Promise.all(all.map((instance) => instance.kill()));
    for (const { wire } of all) wire.close();
  };
  try {
    await Promise.all(all.map((instance) => instance.start()));
    await vi.waitFor(() => Promise.all(all.map(requireReady)), { timeout: 30_000 });
  } catch (error) {
    await stop();
    throw error;
  }
  return { all, origin: balancer.origin, stop };
}

/** It answers before it has read the configuration. */
async function requireReady({ origin }: Instance): Promise<void> {
  const { ok } = await fetch(`${origin}/api/ready`);
  if (!ok) throw new Error(`${origin} is not ready.`);
}

async function prepare(port: number, databaseUrl: string, env: Record<string, string>): Promise<Instance> {
  const url = new URL(databaseUrl);
  const wire = await layWire(Number(url.port));
  url.hostname = "127.0.0.1";
  url.port = String(wire.port);
  let running: RunningServer | null = null;
  return {
    origin: `http://127.0.0.1:${port}`,
    wire,
    start: async () => {
      running = await serve({
        root: process.cwd(),
        door: "gateway",
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
