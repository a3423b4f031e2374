import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { closing, type AtEnd } from "@/bench/support/closing";
import { percentile, report } from "@/bench/support/measure";
import { measuredApp, residentMemory } from "@/bench/support/servers/measured-app";
import { measuredDatabase } from "@/bench/support/servers/measured-database";

// Measures what 30 slow uploads of 32 MiB without a sign-in cost the server: memory above rest, and the wait of other requests.

const UPLOADS = 30;
const BYTES = 32 * 1024 * 1024;
/** Each upload is sent in this many parts, over this many milliseconds. */
const PARTS = 160;
const SLOW_MS = 16_000;
const TARGETS = ["POST /api/admin/imports", "PUT /api/admin/config", "POST /api/auth/callback/credentials"];

await closing(measure);

async function measure(atEnd: AtEnd): Promise<void> {
  const { env, stop } = await measuredDatabase();
  atEnd(stop);
  const app = await measuredApp("ours", {}, env);
  atEnd(app.remove);
  const server = await app.serve("server");
  atEnd(server.stop);
  // Before the measurement, the server loads its modules and the heap grows until its first collection.
  for (const target of TARGETS) await sendSmallBody(server.url, target);
  await measureOthers(server.url, 40_000);
  // The same requests without uploads: their memory is subtracted.
  const stopWatchAlone = watchMemory(server.pid);
  const alone = await measureOthers(server.url, SLOW_MS);
  const atRest = stopWatchAlone();
  const stopWatchBeside = watchMemory(server.pid);
  const { port } = new URL(server.url);
  const uploads = Array.from({ length: UPLOADS }, (_, at) => upload(Number(port), TARGETS[at % TARGETS.length] ?? ""));
  const beside = await measureOthers(server.url, SLOW_MS);
  const answers = await Promise.all(uploads);
  const grown = stopWatchBeside();
  console.log(`answers: ${[...new Set(answers)].toSorted().join(", ")}`);
  console.log(`memory: ${atRest.toFixed(1)} MB more without uploads, ${grown.toFixed(1)} MB with them`);
  console.log(`p99 alone ${percentile(alone, 99).toFixed(1)} ms, beside ${percentile(beside, 99).toFixed(1)} ms`);
  report("memory above rest while 30 strangers send 32 MiB each", grown - Math.max(0, atRest), { atMost: 16 }, " MB");
  // The machine that serves also sends the uploads. A stall would exceed 25 ms.
  report("what they add to the p99 of others", percentile(beside, 99) - percentile(alone, 99), { atMost: 25 }, " ms");
}

/** Watches the memory of a process. The returned function stops, and returns the highest growth in megabytes. */
function watchMemory(pid: number): () => number {
  const before = residentMemory(pid);
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, residentMemory(pid))), 50);
  return () => {
    clearInterval(watch);
    return peak - before;
  };
}

/** The milliseconds that other requests take: to an endpoint of the agents and to one of the pages, in turns. */
async function measureOthers(url: string, forMs: number): Promise<number[]> {
  const until = performance.now() + forMs;
  const times: number[] = [];
  while (performance.now() < until) {
    const start = performance.now();
    const path = times.length % 2 === 0 ? "/api/health" : "/api/auth/csrf";
    await (await fetch(url + path)).arrayBuffer();
    times.push(performance.now() - start);
    await delay(10);
  }
  return times;
}

/** Sends one small body without a sign-in. */
async function sendSmallBody(url: string, target: string): Promise<void> {
  const [method = "", path] = target.split(" ");
  const request = { method, headers: { "content-type": "application/json" }, body: "{}" };
  await (await fetch(`${url}${path}`, request)).arrayBuffer();
}

/** Sends one body slowly and returns the status, or how the connection ended. */
async function upload(port: number, target: string): Promise<string> {
  const [method, path] = target.split(" ");
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.on("data", (data) => (received += String(data)));
  socket.on("error", () => {});
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${BYTES}\r\n\r\n`,
  );
  const part = Buffer.alloc(BYTES / PARTS, "x");
  for (let sent = 0; sent < PARTS && !socket.destroyed; sent += 1) {
    socket.write(part);
    await delay(SLOW_MS / PARTS);
  }
  socket.destroy();
  return /^HTTP\/1.1 (\d+)/.exec(received)?.[1] ?? "none";
}
