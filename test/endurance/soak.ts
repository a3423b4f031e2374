import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { inspect, type Held } from "@/bench/support/inspected";
import { inSession, openSession } from "@/bench/support/mcp-load";
import { report } from "@/bench/support/measure";
import { openStreams } from "@/bench/support/open-streams";
import { startTraffic, type Kind, type Seen } from "@/bench/support/traffic";
import { saveDocument } from "@/test/endurance/document";
import { isWrong, violations } from "@/test/endurance/invariants";
import { kindsOf } from "@/test/endurance/kinds";
import { makeWorld, type World } from "@/test/endurance/world";
import { freePort } from "@/test/support/free-port";
import type { Instance } from "@/test/support/instance";

// npm run soak -- --minutes=30: a gateway under mixed traffic, its memory each minute. Flat, or it leaks: what is left after
// a collection, and what the machine gave it, must not grow once it is warm.

const LOAD = { clients: 16, pauseMs: 5 };
/** Streams that are opened, held and closed at a time. */
const STREAMS = 50;
const SAVES_EVERY_MS = 5_000;
/** Last third of the time beside the second: the first is for warming up. */
const MOST_GROWTH = { heap: 1.05, resident: 1.1 };
const MB = 1024 * 1024;

const { values: options } = parseArgs({ options: { minutes: { type: "string", default: "30" } } });
const minutes = Number(options.minutes);
if (!(minutes >= 3)) throw new Error("--minutes must be a number from 3 on: each third is judged.");

const made = await makeWorld();
try {
  await soak(made);
} finally {
  await made.stop();
}
process.exit();

async function soak(world: World): Promise<void> {
  const port = await freePort();
  const gateway = await world.gateway({ NODE_OPTIONS: `--inspect-port=127.0.0.1:${port}` });
  await gateway.start();
  while (!(await fetch(`${gateway.origin}/api/ready`)).ok) await delay(100);
  const inspected = await inspect(gateway.pid(), port);
  const since = new Date();
  const counts = new Map<string, number>();
  const wrong: Seen[] = [];
  const seen = (one: Seen) => {
    counts.set(one.kind, (counts.get(one.kind) ?? 0) + 1);
    if (isWrong(one)) wrong.push(one);
  };
  const over = new AbortController();
  const traffic = startTraffic([...kindsOf(world, gateway.origin), openedSession(world, gateway)], LOAD, seen);
  const others = [streams, mcpSessions, saves].map((work) => work(world, gateway, over.signal, counts));
  const samples: Held[] = [];
  for (let minute = 1; minute <= minutes; minute += 1) {
    await Promise.race([
      delay(60_000),
      ...others.map((other) => other.then(() => Promise.reject(new Error("It ended early.")))),
    ]);
    const held = await inspected.held();
    samples.push(held);
    const total = [...counts.values()].reduce((sum, one) => sum + one, 0);
    console.log(
      `minute ${String(minute).padStart(3)}   heap ${(held.heap / MB).toFixed(1)} MB   resident ${(held.resident / MB).toFixed(1)} MB   ${total} requests, ${wrong.length} wrong`,
    );
  }
  over.abort();
  await traffic.stop();
  await Promise.all(others);
  inspected.stop();
  judge(samples);
  console.log([...counts].map(([name, times]) => `${name} ${times}`).join(", "));
  const found = [
    ...wrong.map(({ kind, status, text }) => `${kind}: ${status} ${text}`),
    ...(await violations(world, [], [], since)),
  ];
  for (const one of found.slice(0, 10)) console.log(one);
  report("answers that are wrong, and invariants that do not hold", found.length, { atMost: 0 });
}

function judge(samples: readonly Held[]): void {
  const third = Math.floor(samples.length / 3);
  for (const figure of ["heap", "resident"] as const) {
    const sizes = samples.map((held) => held[figure] / MB);
    const [second, last] = [sizes.slice(-2 * third, -third), sizes.slice(-third)];
    console.log(`        ${figure}: ${slope(sizes.slice(-2 * third)).toFixed(2)} MB a minute after the first third`);
    report(`${figure}, last third / second third`, mean(last) / mean(second), { atMost: MOST_GROWTH[figure] });
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** By least squares, a step. */
function slope(values: readonly number[]): number {
  const [x, y] = [(values.length - 1) / 2, mean(values)];
  const up = values.reduce((sum, value, place) => sum + (place - x) * (value - y), 0);
  return up / values.reduce((sum, _, place) => sum + (place - x) ** 2, 0);
}

/** Sessions of ours, each opened and left. */
function openedSession(world: World, gateway: Instance): Kind {
  const load = {
    url: `${gateway.origin}/api/agents/sessions`,
    headers: { authorization: `Bearer ${world.key}` },
    body: JSON.stringify({ group: ["*"] }),
    status: 201,
  };
  return { name: "session", weight: 1, next: () => load };
}

type Counts = Map<string, number>;

function count(counts: Counts, name: string, by: number): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}

async function streams({ key }: World, { origin }: Instance, over: AbortSignal, counts: Counts): Promise<void> {
  const load = { url: `${origin}/api/agents/stream`, headers: { authorization: `Bearer ${key}` }, status: 200 };
  while (!over.aborted) {
    const close = await openStreams(load, "event: tool_list", STREAMS);
    await delay(1_000);
    close();
    count(counts, "stream", STREAMS);
  }
}

async function mcpSessions({ key }: World, { origin }: Instance, over: AbortSignal, counts: Counts): Promise<void> {
  while (!over.aborted) {
    const headers = await openSession(`${origin}/mcp`, { authorization: `Bearer ${key}` });
    const { url, body = "" } = inSession(`${origin}/mcp`, { method: "tools/list", params: {} }, headers);
    for (let asked = 0; asked < 5; asked += 1) {
      const answer = await fetch(url, { method: "POST", headers, body: body.replace('"[<id>]"', "7") });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`MCP: ${answer.status} ${text}`);
    }
    await fetch(url, { method: "DELETE", headers });
    count(counts, "MCP session", 1);
    await delay(100);
  }
}

async function saves(_world: World, _gateway: Instance, over: AbortSignal, counts: Counts): Promise<void> {
  for (let saved = 0; !over.aborted; saved += 1) {
    await saveDocument({
      policies: [
        { name: "everyone", description: `Saved ${saved} times.`, everyone: true, groups: ["shopping", "helpers"] },
        { name: "nobody", effect: "deny", everyone: true, groups: ["locked"] },
      ],
    });
    count(counts, "save", 1);
    await delay(SAVES_EVERY_MS);
  }
}
