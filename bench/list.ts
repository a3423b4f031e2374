import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closing, type AtEnd } from "@/bench/support/closing";
import { requestsPerSecond, type Load } from "@/bench/support/load";
import { median, report } from "@/bench/support/measure";
import { bareHttp } from "@/bench/support/servers/bare-http";
import { measuredGateway } from "@/bench/support/servers/measured-app";
import { measuredInstallation, type Beside } from "@/bench/support/servers/measured-installation";
import { configurationOf } from "@/bench/support/workload";

// Measures an agent's list by REST on the gateway against a bare node:http server that sends the same bytes: a small list,
// a large one, and the answer to `If-None-Match`. Both in turns, in one run.

const ROUNDS = 15;
const SECONDS = 1;

/** Tools that everyone may use: a list of 8 KB. */
const SMALL_TOOLS: Beside = {
  sources: [{ name: "small", kind: "http" }],
  tools: configurationOf({ tools: 20, groups: 1, policies: 0 }).tools.map(({ definitionHash: _hash, ...tool }) => ({
    ...tool,
    id: `small:${tool.operation}`,
    source: "small",
    groups: ["helpers"],
  })),
};

/** The headers of an answer that the gateway states itself, without those of the connection. */
const STATED = ["content-type", "etag", "cache-control", "vary"];

await closing(async (atEnd) => {
  const installation = await measuredInstallation(SMALL_TOOLS);
  atEnd(installation.stop);
  const gateway = await measuredGateway(installation.env);
  atEnd(gateway.stop);
  const servedTo = (apiKey: string) => served(`${gateway.url}/api/agents/tools`, apiKey, atEnd);
  const [small, large] = [await servedTo(installation.plainApiKey), await servedTo(installation.apiKey)];
  await compared(`list of ${small.kilobytes} KB`, small.list, small.bare, 0.65);
  await compared("answer to If-None-Match", unchanged(small.list, small.etag), unchanged(small.bare, small.etag), 0.5);
  await compared(`list of ${large.kilobytes} KB`, large.list, large.bare, 0.85);
});

/** The caller's list, and the same from a bare server. */
async function served(url: string, apiKey: string, atEnd: AtEnd) {
  const headers = { authorization: `Bearer ${apiKey}` };
  const list: Load = { url, headers, status: 200 };
  const answer = await fetch(url, { headers });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  const folder = mkdtempSync(join(tmpdir(), "quartermaster-bare-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "answer.json");
  const stated = Object.fromEntries([...answer.headers].filter(([name]) => STATED.includes(name)));
  writeFileSync(file, JSON.stringify({ text, headers: stated }));
  const server = await bareHttp(file);
  atEnd(server.stop);
  const bare: Load = { ...list, url: server.url };
  const kilobytes = (Buffer.byteLength(text) / 1024).toFixed(0);
  return { list, bare, kilobytes, etag: answer.headers.get("etag") ?? "" };
}

/** The same request from a caller who has the list. */
function unchanged(load: Load, etag: string): Load {
  return { ...load, headers: { ...load.headers, "if-none-match": etag }, status: 304 };
}

async function compared(what: string, list: Load, bare: Load, atLeast: number): Promise<void> {
  const rounds: { readonly ours: number; readonly bare: number }[] = [];
  for (let round = -2; round < ROUNDS; round += 1) {
    const seen = { ours: await requestsPerSecond(list, SECONDS), bare: await requestsPerSecond(bare, SECONDS) };
    if (round >= 0) rounds.push(seen);
  }
  const middle = (of: (round: (typeof rounds)[number]) => number) => median(rounds.map(of));
  console.log(
    `        ${what}: ${middle((seen) => seen.ours).toFixed(0)}/s, bare ${middle((seen) => seen.bare).toFixed(0)}/s`,
  );
  report(
    `${what}, gateway REST / bare node:http`,
    middle((seen) => seen.ours / seen.bare),
    { atLeast },
  );
}
