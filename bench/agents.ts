import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bareHttp } from "@/bench/support/servers/bare-http";
import { startCaller } from "@/bench/support/servers/caller";
import { closing, type AtEnd } from "@/bench/support/closing";
import { inspect } from "@/bench/support/inspected";
import { measureLoad, type Load } from "@/bench/support/load";
import { inSession, openSession, stateless, type McpMessage } from "@/bench/support/mcp-load";
import { median, percentile, report } from "@/bench/support/measure";
import { measuredApp, measuredGateway, type MeasuredServer } from "@/bench/support/servers/measured-app";
import { startReferenceServer } from "@/bench/support/servers/reference-server";
import { measuredInstallation } from "@/bench/support/servers/measured-installation";
import { openStreams } from "@/bench/support/open-streams";
import { freePort } from "@/test/support/servers/free-port";

// Measures what an agent's request costs: its list and a call, by REST and by MCP, on our server without Next and on Next's
// own routes. Contenders: a bare node:http server with the same bytes, the MCP server itself, and mcp-proxy, which bridges
// that server without decisions or a log. MCP 2025-11-25 in sessions unless stated; all in one run, in turns. Then measures
// what an open stream keeps in memory.

const ROUNDS = 7;
/** Rounds of a figure with a goal: more than of others, because rounds of a quiet machine differ by a fifth. */
const JUDGED_ROUNDS = 15;
const SECONDS = 2;
const STREAMS = 1_000;
/** Requests in flight: enough to keep every contender busy that is one process. */
const FEW = 8;
const MANY = 64;
/** Calls a second of our `/mcp` as a multiple of mcp-proxy's. */
const CALL_GOALS = [
  { inFlight: FEW, atLeast: 1 },
  { inFlight: 16, atLeast: 1.2 },
  { inFlight: MANY, atLeast: 1.5 },
];

/** A request by REST and by MCP; every good answer contains `says`. */
interface Asked {
  readonly rest: Pick<Load, "body"> & { readonly path: string };
  readonly message: McpMessage;
  readonly says: string;
}

const LIST: Asked = {
  rest: { path: "/api/agents/tools" },
  message: { method: "tools/list", params: {} },
  says: "Echoes back the input",
};
const ECHO = { message: "hello" };
const CALL: Asked = {
  rest: { path: "/api/agents/tools/call", body: JSON.stringify({ tool_id: "everything:echo", arguments: ECHO }) },
  message: { method: "tools/call", params: { name: "echo", arguments: ECHO } },
  says: "Echo: hello",
};

await closing(measure);

async function measure(atEnd: AtEnd): Promise<void> {
  const everything = await startReferenceServer();
  atEnd(everything.stop);
  const installation = await measuredInstallation(everything.beside);
  atEnd(installation.stop);
  const inspectPort = await freePort();
  const gateway = await measuredGateway({ ...installation.env, NODE_OPTIONS: `--inspect-port=${inspectPort}` });
  atEnd(gateway.stop);
  const app = await measuredApp("ours", {}, installation.env);
  atEnd(app.remove);
  const next = await app.serve("next");
  atEnd(next.stop);
  const authorization = { authorization: `Bearer ${installation.apiKey}` };

  const ours = (asked: Asked, name: string, { url }: MeasuredServer): Contenders => ({
    [`${name}, REST`]: () => restLoad(asked, url, authorization),
    [`${name}, /mcp`]: () => sessionLoad(asked, `${url}/mcp`, authorization),
    [`${name}, /mcp, 2026-07-28`]: () => stateless(`${url}/mcp`, asked.message, authorization),
  });
  const contenders = async (asked: Asked): Promise<Contenders> => {
    const all: Contenders = {
      ...ours(asked, "gateway", gateway),
      ...ours(asked, "Next", next),
      upstream: () => sessionLoad(asked, everything.url),
      "mcp-proxy": () => sessionLoad(asked, everything.bridge),
      "mcp-proxy, 2026-07-28": () => stateless(everything.bridge, asked.message),
    };
    return { ...all, ...(await bareOf(all, ["gateway, REST", "gateway, /mcp"], asked, atEnd)) };
  };
  const [lists, calls] = [await contenders(LIST), await contenders(CALL)];
  await compareLists(lists);
  await compareCalls(calls);
  for (const [what, all] of Object.entries({ list: lists, call: calls })) {
    await rates(what, all, FEW);
    await latencies(what, all);
  }
  await memory(gateway, inspectPort, authorization);
}

/**
 * Loads by contender, created anew for each measurement: mcp-proxy keeps a part of every request of a session and gets
 * slower with the session's age.
 */
type Contenders = Readonly<Record<string, () => Load | Promise<Load>>>;

function restLoad({ rest }: Asked, url: string, headers: Readonly<Record<string, string>>): Load {
  const { path, ...body } = rest;
  return { url: `${url}${path}`, headers, ...body, status: 200 };
}

async function sessionLoad(
  { message }: Asked,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Load> {
  return inSession(url, message, await openSession(url, headers));
}

/** Bare servers that return the given contenders' answers; checks every contender's answer first. */
async function bareOf(
  contenders: Contenders,
  names: readonly string[],
  { says }: Asked,
  atEnd: AtEnd,
): Promise<Contenders> {
  const folder = mkdtempSync(join(tmpdir(), "quartermaster-bare-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const bare: Record<string, () => Load> = {};
  for (const [name, made] of Object.entries(contenders)) {
    const load = await made();
    const { text, headers } = await answerTo(load);
    if (!text.includes(says)) throw new Error(`${name}: ${text}`);
    if (!names.includes(name)) continue;
    console.log(`        ${name}: an answer of ${Buffer.byteLength(text)} bytes`);
    const file = join(folder, `${Object.keys(bare).length}.json`);
    writeFileSync(file, JSON.stringify({ text, headers }));
    const server = await bareHttp(file);
    atEnd(server.stop);
    bare[`bare ${name}`] = () => ({ ...load, url: server.url });
  }
  return bare;
}

/** An answer with its own headers, without those of the connection. */
async function answerTo({
  url,
  headers = {},
  body,
}: Load): Promise<{ readonly text: string; readonly headers: object }> {
  const asked = body === undefined ? {} : { method: "POST", body };
  const answer = await fetch(url, { ...asked, headers: { ...headers, "content-type": "application/json" } });
  const own = [...answer.headers].filter(([name]) => ["content-type", "etag", "cache-control", "vary"].includes(name));
  return { text: await answer.text(), headers: Object.fromEntries(own) };
}

/** Measures two contenders one right after the other, so that other load on the machine affects both alike. */
async function pair(
  what: string,
  contenders: Contenders,
  [one, other]: readonly [string, string],
  inFlight: number,
): Promise<number> {
  const both = Object.fromEntries(Object.entries(contenders).filter(([name]) => name === one || name === other));
  const ratio = await rates(what, both, inFlight, JUDGED_ROUNDS);
  return ratio(one, other);
}

async function compareLists(contenders: Contenders): Promise<void> {
  const beside = async (one: string, other: string, atLeast: number) =>
    report(`list, ${one} / ${other}, requests a second`, await pair("list", contenders, [one, other], FEW), {
      atLeast,
    });
  await beside("gateway, REST", "bare gateway, REST", 0.5);
  await beside("gateway, /mcp", "upstream", 5);
}

async function compareCalls(contenders: Contenders): Promise<void> {
  const [ours, theirs] = ["gateway, /mcp", "mcp-proxy"] as const;
  // With few calls in flight, the log's two commits are what lengthens a call.
  for (const { inFlight, atLeast } of CALL_GOALS) {
    const ratio = await pair("call", contenders, [ours, theirs], inFlight);
    report(`call, ${ours} / ${theirs}, calls a second, ${inFlight} in flight`, ratio, { atLeast });
  }
  const alone = await aloneRatio(contenders, [ours, theirs]);
  report(`call, ${ours} / ${theirs}, p50 with one in flight`, alone, { atMost: 1.25 });
}

/** The median over rounds, in turns, of how much longer one contender's median call takes than the other's. */
async function aloneRatio(contenders: Contenders, names: readonly [string, string]): Promise<number> {
  const caller = await startCaller();
  const ratios: number[] = [];
  for (let round = -2; round < JUDGED_ROUNDS; round += 1) {
    const middles: number[] = [];
    for (const name of names) {
      const made = contenders[name];
      if (made === undefined) throw new Error(`There is no contender ${name}.`);
      const { took } = await caller.call(await made(), 1, SECONDS);
      middles.push(percentile(took, 50));
    }
    if (round >= 0) ratios.push((middles[0] ?? 0) / (middles[1] ?? 0));
  }
  caller.stop();
  return median(ratios);
}

/** Requests a second with `inFlight` requests in flight, in turns; answers the median of the rounds' ratios. */
async function rates(
  what: string,
  contenders: Contenders,
  inFlight: number,
  times = ROUNDS,
): Promise<(name: string, other: string) => number> {
  const rounds: Record<string, number>[] = [];
  for (let round = -2; round < times; round += 1) {
    const seen: Record<string, number> = {};
    for (const [name, made] of Object.entries(contenders))
      seen[name] = (await measureLoad(await made(), { inFlight, seconds: SECONDS })).perSecond;
    if (round >= 0) rounds.push(seen);
  }
  const ratio = (name: string, other: string) => median(rounds.map((seen) => (seen[name] ?? 0) / (seen[other] ?? 0)));
  for (const name of Object.keys(contenders)) {
    const beside = ["bare gateway, REST", "bare gateway, /mcp", "upstream", "mcp-proxy"]
      .filter((other) => other in contenders)
      .map((other) => `${ratio(name, other).toPrecision(3)} × ${other}`)
      .join(" · ");
    const perSecond = median(rounds.map((seen) => seen[name] ?? 0)).toFixed(0);
    console.log(`        ${what}, ${inFlight} in flight, ${name}: ${perSecond}/s = ${beside}`);
  }
  return ratio;
}

async function latencies(what: string, contenders: Contenders): Promise<void> {
  const caller = await startCaller();
  for (const [name, made] of Object.entries(contenders)) {
    const figures: string[] = [];
    for (const inFlight of [1, 16, MANY]) {
      const { took } = await caller.call(await made(), inFlight, SECONDS);
      const [p50, p95, p99] = [50, 95, 99].map((percent) => percentile(took, percent).toFixed(2));
      figures.push(`${inFlight} in flight ${p50} / ${p95} / ${p99}`);
    }
    console.log(`        ${what}, ${name}, ms at p50 / p95 / p99: ${figures.join(" · ")}`);
  }
  caller.stop();
}

/** Memory that each further open stream of one caller costs the gateway. */
async function memory(
  { url, pid }: MeasuredServer,
  inspectPort: number,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const { held, stop } = await inspect(pid, inspectPort);
  const listen = { method: "subscriptions/listen", params: { notifications: { toolsListChanged: true } } } as const;
  const streams: readonly (readonly [name: string, load: Load, begun: string])[] = [
    ["GET /api/agents/stream", { url: `${url}/api/agents/stream`, headers, status: 200 }, "event: tool_list"],
    ["/mcp subscriptions/listen", stateless(`${url}/mcp`, listen, headers), "acknowledged"],
  ];
  for (const [name, load, begun] of streams) {
    // The first streams also create what all share.
    (await openStreams(load, begun, 100))();
    const before = await held();
    const close = await openStreams(load, begun, STREAMS);
    const after = await held();
    const [heap, resident] = [after.heap - before.heap, after.resident - before.resident];
    const kilobytes = (bytes: number) => (bytes / STREAMS / 1024).toFixed(1);
    console.log(
      `        ${STREAMS} × ${name}: ${kilobytes(heap)} KB of heap and ${kilobytes(resident)} KB resident each`,
    );
    close();
  }
  stop();
}
