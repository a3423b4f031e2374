import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { median, report } from "@/bench/support/measure";
import { measuredEnvironment } from "@/bench/support/measured-database";
import { fillWorld, LARGE, SMALL, type WorldSize } from "@/test/support/large-world";
import { startThrowawayServer } from "@/test/support/throwaway-server";

// What the server spends on the first page of each list with 10,000 tools and 100,000 executions, beside the same page with 100
// of each: the request as it comes in, who is asking, the rows, the count, the answer as text. The two take turns.

const ROUNDS = 100;
const WARM = 20;
const AT_MOST = 2;

const LISTS = ["tools", "executions", "sessions", "approvals", "changes", "revisions", "deliveries", "drift"];

const postgres = await startThrowawayServer({ durable: true });
const opened: ChildProcess[] = [];
try {
  const small = await serve("small", SMALL);
  const large = await serve("large", LARGE);
  for (const list of LISTS) {
    const spent = { small: [] as number[], large: [] as number[] };
    for (let round = -WARM; round < ROUNDS; round += 1) {
      const [before, after] = [await firstPage(small, list), await firstPage(large, list)];
      if (round < 0) continue;
      spent.small.push(before);
      spent.large.push(after);
    }
    const [before, after] = [median(spent.small), median(spent.large)];
    console.log(`        ${list.padEnd(14)} ${before.toFixed(2)} ms → ${after.toFixed(2)} ms`);
    report(`first page of ${list}: 10,000 tools, 100,000 calls / 100`, after / before, { atMost: AT_MOST });
  }
} finally {
  for (const child of opened) child.kill();
  await postgres.stop();
}

/** What answers lists of a world of this size: a process has one database, so that each size gets its own. */
async function serve(name: string, size: WorldSize): Promise<ChildProcess> {
  const env = await measuredEnvironment(postgres, `bench_lists_${name}_${process.pid}`);
  const client = new Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  await fillWorld({ query: async (sql) => (await client.query(sql)).rows }, size);
  await client.end();
  const child = fork(fileURLToPath(new URL("support/answered-list.ts", import.meta.url)), {
    env: { ...process.env, ...env, NEXTAUTH_URL: "http://127.0.0.1:3000" },
  });
  child.once("exit", (code) => {
    if (code !== null) throw new Error(`What answers the ${name} world ended with ${code}.`);
  });
  opened.push(child);
  return child;
}

/** Milliseconds that the process takes for the list's first page. */
async function firstPage(child: ChildProcess, list: string): Promise<number> {
  child.send(list);
  const [milliseconds] = (await once(child, "message")) as [number];
  return milliseconds;
}
