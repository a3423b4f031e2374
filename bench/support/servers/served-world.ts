import { fork } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { measuredEnvironment } from "@/bench/support/servers/measured-database";
import { fillWorld, type WorldSize } from "@/test/support/worlds/large-world";
import type { ThrowawayServer } from "@/test/support/servers/throwaway-server";

/** A process that serves the lists of a generated database of some size. */
export interface ServedWorld {
  /** Milliseconds that the process takes for the first page of a list, such as `executions?agent=agent-3`. */
  readonly firstPage: (asked: string) => Promise<number>;
  readonly stop: () => void;
}

/** Fills a database and starts a process that answers its lists: a process has one database. */
export async function servedWorld(postgres: ThrowawayServer, name: string, size: WorldSize): Promise<ServedWorld> {
  const env = await measuredEnvironment(postgres, `bench_${name}_${process.pid}`);
  const client = new Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  await fillWorld({ query: async (sql) => (await client.query(sql)).rows }, size);
  await client.end();
  const child = fork(fileURLToPath(new URL("../answered-list.ts", import.meta.url)), {
    execArgv: ["--import", "tsx"],
    env: { ...process.env, ...env, NEXTAUTH_URL: "http://127.0.0.1:3000" },
  });
  child.once("exit", (code) => {
    if (code !== null) throw new Error(`What answers the ${name} world ended with ${code}.`);
  });
  return {
    firstPage: async (asked) => {
      child.send(asked);
      const [milliseconds] = (await once(child, "message")) as [number];
      return milliseconds;
    },
    stop: () => {
      child.kill();
      rmSync(env.DATA_DIR, { recursive: true, force: true });
    },
  };
}

/** Milliseconds of a first page at both sizes, in turns; the first rounds are not counted. */
export async function inTurns(
  [one, other]: readonly [ServedWorld, ServedWorld],
  asked: string,
  { rounds, warm }: { readonly rounds: number; readonly warm: number },
): Promise<readonly [number[], number[]]> {
  const spent: readonly [number[], number[]] = [[], []];
  for (let round = -warm; round < rounds; round += 1) {
    const [first, second] = [await one.firstPage(asked), await other.firstPage(asked)];
    if (round < 0) continue;
    spent[0].push(first);
    spent[1].push(second);
  }
  return spent;
}
