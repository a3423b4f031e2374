import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { closing, type AtEnd } from "@/bench/support/closing";
import { percentile, report } from "@/bench/support/measure";
import { forgetPeak, measuredApp, peakMemory, residentMemory } from "@/bench/support/measured-app";
import { measuredDatabase } from "@/bench/support/measured-database";

// What 30 slow uploads of 32 MiB by strangers cost the server: memory above rest, and how long others wait meanwhile.

const UPLOADS = 30;
const BYTES = 32 * 1024 * 1024;
/** Each upload sends its bytes in so many parts, over so many milliseconds. */
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
  // Next loads what it serves with at its first requests, and the heap grows until it has been collected.
  await waits(server.url, 6_000);
  const alone = await waits(server.url, 6_000);
  const before = residentMemory(server.pid);
  forgetPeak(server.pid);
  const { port } = new URL(server.url);
  const uploads = Array.from({ length: UPLOADS }, (_, at) => upload(Number(port), TARGETS[at % TARGETS.length] ?? ""));
  const beside = await waits(server.url, SLOW_MS);
  const grown = peakMemory(server.pid) - before;
  const answers = await Promise.all(uploads);
  console.log(`answers: ${[...new Set(answers)].toSorted().join(", ")}`);
  console.log(`p99 alone ${percentile(alone, 99).toFixed(1)} ms, beside ${percentile(beside, 99).toFixed(1)} ms`);
  report("memory above rest while 30 strangers send 32 MiB each", grown, { atMost: 16 }, " MB");
  // Both figures are of one machine that sends the uploads too: 25 ms is what a stall would exceed.
  report("what they add to the p99 of others", percentile(beside, 99) - percentile(alone, 99), { atMost: 25 }, " ms");
}

/** Milliseconds that requests of others take: an agent's door and a page's own request, in turns. */
async function waits(url: string, forMs: number): Promise<number[]> {
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

/** Sends one body slowly, whatever is answered; the status, or what became of the connection. */
async function upload(port: number, target: string): Promise<string> {
  const [method, path] = target.split(" ");
  const socket = connect(port, "127.0.0.1");
  let said = "";
  socket.on("data", (data) => (said += String(data)));
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
  return /^HTTP\/1.1 (\d+)/.exec(said)?.[1] ?? "none";
}
