import { vi } from "vitest";
import { balance } from "@/test/support/servers/balancer";
import { freePort } from "@/test/support/servers/free-port";
import { prepareInstance, type Instance } from "@/test/support/processes/instance";

/** Several of them behind a balancer. */
export interface Instances {
  readonly all: readonly [Instance, Instance, Instance];
  /** The origin of the balancer. */
  readonly origin: string;
  stop(): Promise<void>;
}

/** Starts three gateways on the database; resolves when all of them are ready. */
export async function startInstances(databaseUrl: string, env: Record<string, string> = {}): Promise<Instances> {
  const ports = [await freePort(), await freePort(), await freePort()] as const;
  const made = await Promise.all(ports.map((port) => prepareInstance(port, databaseUrl, env)));
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
