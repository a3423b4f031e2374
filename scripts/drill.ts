import { restoreFile } from "@/bin/commands/restore";
import { callTool } from "@/lib/agents/rest/call";
import { listTools } from "@/lib/agents/rest/tools";
import { readCheckpoints } from "@/lib/audit/seal/checkpoint";
import { sealSettled } from "@/lib/audit/seal/sealer";
import { verifyLog } from "@/lib/audit/verify/verify";
import { env } from "@/lib/env";
import type { Handler } from "@/lib/http/route";
import { agents } from "@/lib/store/config/agents";
import { apiKeys } from "@/lib/store/config/api-keys";
import { closeDatabase } from "@/lib/store/db/database";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";

// The second half of scripts/drill.mjs: restores a backup into a throwaway database and checks it. Sends nothing
// outside: it calls handlers directly, and no process runs deliveries, synchronisations or queued calls.

const DRILL = { kind: "system", name: "drill", role: "admin" } as const;
/** A tool in code, so that the call reaches no other system. */
const CALL = { tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } };

async function main([file = ""]: readonly string[]): Promise<void> {
  const { header, rows } = await timed(
    "restored",
    () => restoreFile(file, env.DATABASE_URL),
    (made) => {
      const count = Object.values(made.rows).reduce((sum, one) => sum + one, 0);
      return `${count} rows of ${made.header.at}, in ${Object.keys(made.rows).length} tables`;
    },
  );
  await verified("verified");
  if (rows["agent"] === 0) say("asked", "nobody: the backup has no agent");
  else await timed("asked", ask, (answer) => answer);
  // First the rows from before the restore; then, in a new era, the rows of this drill.
  await sealSettled();
  await sealSettled();
  await verified("verified");
  say("drilled", `a backup of PostgreSQL ${header.server} with ${header.migrations.length} migrations`);
}

/** Verifies the log against its seals, and the seals against the checkpoint store. */
async function verified(what: string): Promise<void> {
  const remembered = await readCheckpoints();
  const verify = async () => {
    const { last } = await verifyLog({ checkpoints: [] });
    // The backup lacks later seals.
    const checkpoints = remembered.filter(({ number }) => number <= (last?.number ?? 0));
    return { ...(await verifyLog({ checkpoints })), compared: checkpoints.length };
  };
  const { findings, found } = await timed(what, verify, ({ rows, seals, bodies, compared, last, unsealed }) =>
    [
      `${rows} rows and ${bodies} bodies under ${seals} seals of ${last?.era ?? 0} eras, ${compared} checkpoints`,
      `${unsealed} rows wait for a seal`,
    ].join("; "),
  );
  if (found > 0) throw new Error(`The log is not intact:\n${findings.map(({ detail }) => detail).join("\n")}`);
}

/** Lists tools and calls one as an agent of the installation does. */
async function ask(): Promise<string> {
  const { items } = await agents.list({ limit: 200 });
  const agent = items.find(({ enabled }) => enabled);
  if (agent === undefined) return "nobody: no agent of the backup is enabled";
  const name = `drill-${Date.now()}`;
  const { key } = await apiKeys.create(DRILL, { name, agent: agent.name, expiresAt: null, enabled: true });
  const list = await sent<{ count: number }>(listTools, "GET", "tools", key);
  const call = await sent<{ status: string; error?: { code: string } }>(callTool, "POST", "tools/call", key, CALL);
  // The rules may refuse this agent; the drill needs only a decision and its log row.
  if (call.status !== "succeeded" && call.error?.code !== "tool_not_available")
    throw new Error(`A call was answered with ${JSON.stringify(call)}.`);
  return `as ${agent.name}: ${list.count} tools; a call of ${CALL.tool_id} ${call.status}`;
}

async function sent<T>(handler: Handler, method: string, path: string, key: string, body?: object): Promise<T> {
  const request = new Request(`http://127.0.0.1/api/agents/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await handler(request, { params: Promise.resolve({}) });
  const text = await answer.text();
  if (answer.status >= 500 || answer.status === 401)
    throw new Error(`${path} was answered with ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}

async function timed<T>(what: string, work: () => Promise<T>, words: (made: T) => string): Promise<T> {
  const started = performance.now();
  const made = await work();
  say(what, words(made), (performance.now() - started) / 1000);
  return made;
}

function say(what: string, words: string, seconds?: number): void {
  const took = seconds === undefined ? "" : `${seconds.toFixed(2)} s`;
  console.log(`${what.padEnd(10)}${took.padStart(9)}   ${words}`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  closeSnapshot();
  await closeDatabase();
}
