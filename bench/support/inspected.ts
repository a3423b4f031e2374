import { setTimeout as delay } from "node:timers/promises";
import { WebSocket } from "undici";
import { residentMemory } from "@/bench/support/servers/measured-app";

/** Memory of a process after a collection, in bytes. */
export interface Held {
  readonly heap: number;
  readonly resident: number;
}

/** A connection to a Node process's inspector. */
export interface Inspected {
  readonly held: () => Promise<Held>;
  readonly stop: () => void;
}

/** Opens the inspector of a process that was started with `--inspect-port`, by SIGUSR1. */
export async function inspect(pid: number, port: number): Promise<Inspected> {
  process.kill(pid, "SIGUSR1");
  const socket = new WebSocket(await addressOf(port));
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener("message", ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown };
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  let count = 0;
  const ask = (method: string) =>
    new Promise<unknown>((resolve) => {
      waiting.set((count += 1), resolve);
      socket.send(JSON.stringify({ id: count, method }));
    });
  return {
    held: async () => {
      // A second collection frees what the first one made unreachable.
      for (let collection = 0; collection < 3; collection += 1) await ask("HeapProfiler.collectGarbage");
      const { usedSize } = (await ask("Runtime.getHeapUsage")) as { usedSize: number };
      return { heap: usedSize, resident: residentMemory(pid) * 1024 * 1024 };
    },
    stop: () => socket.close(),
  };
}

async function addressOf(port: number): Promise<string> {
  for (let look = 0; look < 100; look += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => null);
    const [target] = answer === null ? [] : ((await answer.json()) as { webSocketDebuggerUrl: string }[]);
    if (target !== undefined) return target.webSocketDebuggerUrl;
    await delay(100);
  }
  throw new Error("The process opens no inspector.");
}
