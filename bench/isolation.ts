import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { closing, type AtEnd } from "@/bench/support/closing";
import { percentile, report } from "@/bench/support/measure";
import { measuredApp, wholeMemory, type MeasuredServer } from "@/bench/support/servers/measured-app";
import { measuredInstallation, type MeasuredInstallation } from "@/bench/support/servers/measured-installation";
import { waits } from "@/bench/support/waits";
import { startChild } from "@/bin/boot/child.mjs";
import { APP_NICE } from "@/bin/boot/supervise.mjs";
import type * as Programs from "@/bin/boot/serve.mjs";
import { freePort } from "@/test/support/servers/free-port";

// Measures how much people's requests slow agents: the p99 of an agent's list and of a call while an admin request burns a
// core, and while large documents arrive slowly on many connections; each against a quiet server. Then the memory at rest.

/** An admin route that blocks the app's only thread for ten seconds. */
const BURN = `export const dynamic = "force-dynamic";
export function POST(): Response {
  const until = performance.now() + 10_000;
  while (performance.now() < until);
  return new Response("burnt");
}
`;
const QUIET = "quiet";
const BURNS = "an admin request burns a core";
const DRIPS = "33 MB bodies drip in on 30 connections";
const NEIGHBOUR = "an unrelated process burns a core";
const ROUNDS = Number(process.env["ROUNDS"] ?? 4);
/** Milliseconds of one measurement. */
const WINDOW_MS = 9_000;
const CONNECTIONS = 30;
const BYTES = 33 * 1000 * 1000;
/** Bytes of one part; a whole body takes about as long as the window. */
const DROP = 256 * 1024;
/** Milliseconds until a server is at rest after its first answers. */
const REST_MS = 45_000;
/** Another built tree of this project, such as an earlier version: its memory at rest is measured too. */
const BASE_TREE = process.env["BASE_TREE"];

const installation = await measuredInstallation();
await closing((atEnd) => measure(installation, atEnd));

async function measure({ env, apiKey, token, stop }: MeasuredInstallation, atEnd: AtEnd): Promise<void> {
  atEnd(stop);
  const app = await measuredApp("ours", { "api/burn": BURN }, env);
  atEnd(app.remove);
  const server = await app.serve("server");
  atEnd(server.stop);
  const asAgent = { authorization: `Bearer ${apiKey}` };
  const asPerson = { authorization: `Bearer ${token}` };
  const list = () => answered(`${server.url}/api/agents/tools`, { headers: asAgent });
  const body = JSON.stringify({ tool_id: "builtin:calculate", arguments: { expression: "6*7" } });
  const headers = { ...asAgent, "content-type": "application/json" };
  const call = () => answered(`${server.url}/api/agents/tools/call`, { method: "POST", headers, body });
  for (const ask of [list, call]) await waits(ask, WINDOW_MS);

  const burn = () => answered(`${server.url}/api/burn`, { method: "POST", headers: asPerson });
  const drip = () => dripping(Number(new URL(server.url).port), token);
  const disturbances = { [BURNS]: burn, [DRIPS]: drip, [NEIGHBOUR]: burningProcess };
  const list99 = await p99s("list", list, disturbances);
  const call99 = await p99s("call", call, disturbances);
  for (const what of [BURNS, DRIPS])
    report(`an agent's list, p99 while ${what} / quiet`, list99(what) / list99(QUIET), { atMost: 1.1 });
  report(`an agent's list, p99 while ${BURNS} / while ${NEIGHBOUR}`, list99(BURNS) / list99(NEIGHBOUR), {
    atMost: 1.1,
  });
  for (const what of [BURNS, DRIPS])
    report(`an agent's call, p99 while ${what} / quiet`, call99(what) / call99(QUIET), {});
  await server.stop();
  const own = await atRest(await app.serve("server"), asAgent);
  console.log(`        gateway and app at rest, with 10,000 tools: ${own.toFixed(0)} MB`);
  if (BASE_TREE === undefined) return;
  const before = await atRest(await serveTree(BASE_TREE, env), asAgent);
  console.log(`        the server of ${BASE_TREE}: ${before.toFixed(0)} MB`);
  report("memory of the whole at rest above that tree's", own - before, { atMost: 100 }, " MB");
}

/**
 * The p99 of a request by disturbance, in milliseconds. Windows of all kinds take turns and are pooled: one window alone
 * has too few requests for a p99, and a shared machine changes within minutes.
 */
async function p99s(
  whose: string,
  ask: () => Promise<void>,
  disturbances: Readonly<Record<string, () => Promise<void>>>,
): Promise<(what: string) => number> {
  const all = { [QUIET]: () => Promise.resolve(), ...disturbances };
  const times = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [what, begin] of Object.entries(all)) {
      const disturbance = begin();
      await delay(200);
      times.set(what, [...(times.get(what) ?? []), ...(await waits(ask, WINDOW_MS))]);
      await disturbance;
    }
  const of = (what: string, which: number) => percentile(times.get(what) ?? [], which);
  for (const what of Object.keys(all)) {
    const [p50, p90, p99] = [50, 90, 99].map((which) => of(what, which).toFixed(2));
    console.log(`        ${whose}, ${what}: p50 ${p50}, p90 ${p90}, p99 ${p99} ms`);
  }
  return (what) => of(what, 99);
}

/** Burns a core outside our processes, with the app's priority. */
async function burningProcess(): Promise<void> {
  const file = join(import.meta.dirname, "support/servers/burning-process.mjs");
  await startChild({ file, args: [], cwd: process.cwd(), env: process.env, quiet: true, nice: APP_NICE }).stopped;
}

type AtRest = Pick<MeasuredServer, "url" | "pids" | "stop">;

/** Megabytes of a server at rest after a few answers. */
async function atRest(server: AtRest, headers: Record<string, string>): Promise<number> {
  try {
    for (let time = 0; time < 3; time += 1) {
      await answered(`${server.url}/sign-in`, {});
      await answered(`${server.url}/api/agents/tools`, { headers });
    }
    await delay(REST_MS);
    return wholeMemory(server);
  } finally {
    await server.stop();
  }
}

/** Serves another tree by its own programs on the same database. */
async function serveTree(root: string, env: Readonly<Record<string, string>>): Promise<AtRest> {
  const { serve } = (await import(pathToFileURL(join(root, "bin/boot/serve.mjs")).href)) as typeof Programs;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const own = { ...env, NEXTAUTH_URL: url };
  const { pid, pids, stop } = await serve({ root, host: "127.0.0.1", port, env: own, quiet: true });
  // Earlier versions have one process.
  return { url, stop, pids: (pids as typeof pids | undefined) ?? (() => ({ gateway: pid, app: 0 })) };
}

async function answered(url: string, init: RequestInit): Promise<void> {
  const answer = await fetch(url, init);
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
}

/** Sends large documents of a person slowly, each on its own connection. */
async function dripping(port: number, token: string): Promise<void> {
  const head = `POST /api/admin/imports HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${BYTES}\r\n\r\n`;
  const drop = Buffer.alloc(DROP, "x");
  const until = performance.now() + WINDOW_MS;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const socket = connect(port, "127.0.0.1", () => socket.write(head));
      socket.on("error", () => {}).resume();
      while (performance.now() < until && !socket.destroyed) {
        socket.write(drop);
        await delay((WINDOW_MS * DROP) / BYTES);
      }
      socket.destroy();
    }),
  );
}
