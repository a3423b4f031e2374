import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { closing, type AtEnd } from "@/bench/support/closing";
import { median, percentile, report } from "@/bench/support/measure";
import { measuredApp, wholeMemory, type MeasuredServer } from "@/bench/support/measured-app";
import { measuredInstallation, type MeasuredInstallation } from "@/bench/support/measured-installation";
import type * as Programs from "@/bin/serve.mjs";
import { freePort } from "@/test/support/servers/free-port";

// What people do to agents: the p99 of an agent's list, and of a call, while an admin request burns a core, and while large
// documents drip in on many connections; each beside the same without it. And the memory of the whole at rest.

/** An admin route that holds the app's one thread for ten seconds. */
const BURN = `export const dynamic = "force-dynamic";
export function POST(): Response {
  const until = performance.now() + 10_000;
  while (performance.now() < until);
  return new Response("burnt");
}
`;
const ROUNDS = Number(process.env["ROUNDS"] ?? 3);
/** Milliseconds of one measurement, and between two requests of it. */
const WINDOW_MS = 9_000;
const PAUSE_MS = 5;
const CONNECTIONS = 30;
const BYTES = 33 * 1000 * 1000;
/** Bytes of one drop; a body takes about as long as the window. */
const DROP = 256 * 1024;
/** Milliseconds until a server that answered its first requests is at rest. */
const REST_MS = 45_000;
/** Another tree of ours, built, such as one of before: the memory of its server at rest is measured beside. */
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
  for (const [what, begin] of [
    ["an admin request burns a core", burn],
    ["33 MB bodies drip in on 30 connections", drip],
  ] as const)
    for (const [whose, ask, goal] of [
      ["list", list, { atMost: 1.1 }],
      ["call", call, {}],
    ] as const) {
      const ratios: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const quiet = percentile(await waits(ask, WINDOW_MS), 99);
        const disturbance = begin();
        await delay(200);
        const busy = percentile(await waits(ask, WINDOW_MS), 99);
        await disturbance;
        console.log(`        ${whose}: p99 ${quiet.toFixed(2)} ms quiet, ${busy.toFixed(2)} ms while ${what}`);
        ratios.push(busy / quiet);
      }
      report(`an agent's ${whose}, p99 while ${what} / quiet`, median(ratios), goal);
    }
  await server.stop();
  const own = await atRest(await app.serve("server"), asAgent);
  console.log(`        gateway and app at rest, with 10,000 tools: ${own.toFixed(0)} MB`);
  if (BASE_TREE === undefined) return;
  const before = await atRest(await serveTree(BASE_TREE, env), asAgent);
  console.log(`        the server of ${BASE_TREE}: ${before.toFixed(0)} MB`);
  report("memory of the whole at rest above that tree's", own - before, { atMost: 100 }, " MB");
}

type AtRest = Pick<MeasuredServer, "url" | "pids" | "stop">;

/** Megabytes of a server that has answered a few requests and waits. */
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

/** Serves another tree by its own programs, on the same database. */
async function serveTree(root: string, env: Readonly<Record<string, string>>): Promise<AtRest> {
  const { serve } = (await import(pathToFileURL(join(root, "bin/serve.mjs")).href)) as typeof Programs;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const own = { ...env, NEXTAUTH_URL: url };
  const { pid, pids, stop } = await serve({ root, host: "127.0.0.1", port, env: own, quiet: true });
  // A tree of before has one process.
  return { url, stop, pids: (pids as typeof pids | undefined) ?? (() => ({ gateway: pid, app: 0 })) };
}

async function answered(url: string, init: RequestInit): Promise<void> {
  const answer = await fetch(url, init);
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
}

/** Milliseconds that each of many requests takes, one after the other. */
async function waits(ask: () => Promise<void>, forMs: number): Promise<number[]> {
  const times: number[] = [];
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    const start = performance.now();
    await ask();
    times.push(performance.now() - start);
    await delay(PAUSE_MS);
  }
  return times;
}

/** Sends large documents of a person slowly, each on a connection of its own. */
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
