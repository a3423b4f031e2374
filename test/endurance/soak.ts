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
import { freePort } from "@/test/support/servers/free-port";
import type { Instance } from "@/test/support/processes/instance";

// npm run soak -- --minutes=30: a gateway under mixed traffic, its memory each minute. Flat, or it leaks: what is left after
// a collection, and what the machine gave it, must not grow once it is warm.

const LOAD = { clients: 16, pauseMs: 5 };
/** Streams that are opened, held and closed at a time. */
const STREAMS = 50;
const SAVES_EVERY_MS = 5_000;
/** The last third of the time against the second; the first is for warming up. */
const MAX_GROWTH = { heap: 1.05, resident: 1.1 };
const MB = 1024 * 1024;

async function soak(world: World, minutes: number): Promise<void> {
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
  const failed: string[] = [];
  const others = OTHERS.map((other) => goOn(other, world, gateway, over.signal, counts, failed));
  const samples: Held[] = [];
  for (let minute = 1; minute <= minutes; minute += 1) {
    await delay(60_000);
    const held = await inspected.held();
    samples.push(held);
    const total = [...counts.values()].reduce((sum, one) => sum + one, 0);
    console.log(
      `minute ${String(minute).padStart(3)}   heap ${(held.heap / MB).toFixed(1)} MB   resident ${(held.resident / MB).toFixed(1)} MB   ${total} requests, ${wrong.length + failed.length} wrong`,
    );
  }
  over.abort();
  await traffic.stop();
  await Promise.all(others);
  inspected.stop();
  judge(samples);
  console.log([...counts].map(([name, times]) => `${name} ${times}`).join(", "));
  const found = [
    ...failed,
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
    report(`${figure}, last third / second third`, mean(last) / mean(second), { atMost: MAX_GROWTH[figure] });
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

/** Takes one turn after the other until it is over. */
async function goOn(
  { name, step, pauseMs, made }: Other,
  world: World,
  gateway: Instance,
  over: AbortSignal,
  counts: Map<string, number>,
  failed: string[],
): Promise<void> {
  for (let turn = 0; !over.aborted; turn += 1) {
    await step(world, gateway, turn).then(
      () => counts.set(name, (counts.get(name) ?? 0) + made),
      (error: unknown) => failed.push(`${name}: ${String(error)}`),
    );
    await delay(pauseMs);
  }
}

/** Repeated work during the traffic. */
interface Other {
  readonly name: string;
  readonly step: (world: World, gateway: Instance, turn: number) => Promise<void>;
  /** Between two turns. */
  readonly pauseMs: number;
  /** How many things a turn is. */
  readonly made: number;
}

const OTHERS: readonly Other[] = [
  { name: "stream", step: openAndClose, pauseMs: 100, made: STREAMS },
  { name: "MCP session", step: mcpSession, pauseMs: 100, made: 1 },
  { name: "save", step: (_world, _gateway, turn) => save(turn), pauseMs: SAVES_EVERY_MS, made: 1 },
];

async function openAndClose({ key }: World, { origin }: Instance): Promise<void> {
  const load = { url: `${origin}/api/agents/stream`, headers: { authorization: `Bearer ${key}` }, status: 200 };
  const close = await openStreams(load, "event: tool_list", STREAMS);
  await delay(1_000);
  close();
}

async function mcpSession({ key }: World, { origin }: Instance): Promise<void> {
  const headers = await openSession(`${origin}/mcp`, { authorization: `Bearer ${key}` });
  const { url, body = "" } = inSession(`${origin}/mcp`, { method: "tools/list", params: {} }, headers);
  for (let asked = 0; asked < 5; asked += 1) {
    const answer = await fetch(url, { method: "POST", headers, body: body.replace('"[<id>]"', "7") });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.status} ${text}`);
  }
  await fetch(url, { method: "DELETE", headers });
}

async function save(turn: number): Promise<void> {
  await saveDocument({
    policies: [
      { name: "everyone", description: `Saved ${turn} times.`, everyone: true, groups: ["shopping", "helpers"] },
      { name: "nobody", effect: "deny", everyone: true, groups: ["locked"] },
    ],
  });
}

const { values: options } = parseArgs({ options: { minutes: { type: "string", default: "30" } } });
const length = Number(options.minutes);
if (!(length >= 3)) throw new Error("--minutes must be a number from 3 on: each third is judged.");
const installation = await makeWorld();
try {
  await soak(installation, length);
} finally {
  await installation.stop();
}
process.exit();
