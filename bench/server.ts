import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { bareHttp } from "@/bench/support/servers/bare-http";
import { closing, type AtEnd } from "@/bench/support/closing";
import { measureLoad, requestsPerSecond, type Load } from "@/bench/support/load";
import { median, report } from "@/bench/support/measure";
import { measuredApp, wholeMemory, type MeasuredApp, type MeasuredServer } from "@/bench/support/servers/measured-app";
import { measuredInstallation } from "@/bench/support/servers/measured-installation";

// Measures the server under load: gateway and app, and Next's own routes, against a bare Next route with the same bytes in
// the same app; the gateway alone against a bare node:http server; memory against a bare Next app.

/** A route that returns the stored list: the cost of Next alone. */
const BARE = `import { readFileSync } from "node:fs";
export const dynamic = "force-dynamic";
let kept: { readonly text: string; readonly headers: Record<string, string> } | undefined;
export function GET(request: Request): Response {
  kept ??= JSON.parse(readFileSync(/* turbopackIgnore: true */ process.env["BENCH_ANSWER"] ?? "", "utf8"));
  const { text, headers } = kept!;
  if (request.headers.get("if-none-match") === headers["etag"]) return new Response(null, { status: 304, headers });
  return new Response(text, { headers });
}
`;
const ROUNDS = 5;

const installation = await measuredInstallation();
const answer = join(installation.env["DATA_DIR"] ?? "", "answer.json");
const env: Readonly<Record<string, string>> = { ...installation.env, BENCH_ANSWER: answer };
const authorization = { authorization: `Bearer ${installation.apiKey}` };
await closing(measure);

async function measure(atEnd: AtEnd): Promise<void> {
  atEnd(installation.stop);
  const ours = await built("ours", atEnd);
  const server = await ours.serve("server");
  atEnd(server.stop);
  const etag = await keepAnswer(server.url);
  const lists = (url: string, bare: string, what: string, goals: Goals) =>
    listsBeside(`${url}/api/agents/tools`, bare, etag, what, goals);
  await lists(server.url, `${server.url}/api/bare`, "our server / a bare Next route", [0.7, 0.8]);
  await calls(server.url);
  await server.stop();
  await memory(ours, atEnd);

  const next = await ours.serve("next");
  atEnd(next.stop);
  await lists(next.url, `${next.url}/api/agents/bare`, "Next's own route / a bare Next route", [0.7, 0.8]);
  await next.stop();

  const gateway = await ours.serve("gateway");
  atEnd(gateway.stop);
  const bare = await bareHttp(answer);
  atEnd(bare.stop);
  await lists(gateway.url, bare.url, "the gateway / bare node:http", [0.5, null]);
  await latencies(gateway.url);
}

async function built(kind: "ours" | "bare", atEnd: AtEnd): Promise<MeasuredApp> {
  const app = await measuredApp(kind, { "api/agents/bare": BARE, "api/bare": BARE }, env);
  atEnd(app.remove);
  return app;
}

/** Stores the list for the bare contenders; answers its etag. */
async function keepAnswer(url: string): Promise<string> {
  const first = await fetch(`${url}/api/agents/tools`, { headers: authorization });
  const text = await first.text();
  if (!first.ok) throw new Error(text);
  const names = ["content-type", "etag", "cache-control", "vary"];
  const headers = Object.fromEntries(names.map((name) => [name, first.headers.get(name) ?? ""]));
  writeFileSync(answer, JSON.stringify({ text, headers }));
  console.log(`        a list of ${(JSON.parse(text) as { count: number }).count} tools, ${text.length} bytes`);
  return headers["etag"] ?? "";
}

/** Goals for the list and for the unchanged list; `null` = no goal. */
type Goals = readonly [whole: number, unchanged: number | null];

async function listsBeside(
  url: string,
  bare: string,
  etag: string,
  what: string,
  [whole, unchanged]: Goals,
): Promise<void> {
  await beside({ url, status: 200, headers: authorization }, bare, `${what}, list`, whole);
  const headers = { ...authorization, "if-none-match": etag };
  await beside({ url, status: 304, headers }, bare, `${what}, If-None-Match`, unchanged);
}

async function beside(load: Load, bare: string, what: string, atLeast: number | null): Promise<void> {
  const ratios: number[] = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    const route = await requestsPerSecond({ ...load, url: bare });
    const list = await requestsPerSecond(load);
    console.log(`        ${what}: ${list.toFixed(0)}/s beside ${route.toFixed(0)}/s`);
    if (round >= 0) ratios.push(list / route);
  }
  if (atLeast !== null) report(`${what}, requests a second`, median(ratios), { atLeast });
}

async function latencies(url: string): Promise<void> {
  for (const inFlight of [1, 16, 64]) {
    const load = { url: `${url}/api/agents/tools`, status: 200, headers: authorization };
    const { perSecond, p50, p97, p99 } = await measureLoad(load, { inFlight });
    console.log(
      `        the gateway, list, ${inFlight} in flight: ${perSecond.toFixed(0)}/s; ms at p50 ${p50}, p97.5 ${p97}, p99 ${p99}`,
    );
  }
}

/** The database's own count of transactions per call, with those of authentication and of background jobs. */
async function calls(url: string): Promise<void> {
  const database = new Client({ connectionString: env["DATABASE_URL"] });
  await database.connect();
  const transactions = async (): Promise<number> => {
    // A Postgres backend reports its statistics within a second.
    await new Promise((done) => setTimeout(done, 1_500));
    const { rows } = await database.query<{ count: string }>(
      "select xact_commit as count from pg_stat_database where datname = current_database()",
    );
    return Number(rows[0]?.count);
  };
  const body = JSON.stringify({ tool_id: "builtin:calculate", arguments: { expression: "(2 + 3) * 4" } });
  const load: Load = { url: `${url}/api/agents/tools/call`, body, status: 200, headers: authorization };
  await requestsPerSecond(load);
  const before = await transactions();
  const seconds = 6;
  const rate = await requestsPerSecond(load, seconds);
  const made = ((await transactions()) - before) / (rate * seconds);
  await database.end();
  console.log(`        calls of a built-in tool: ${rate.toFixed(0)}/s`);
  report("transactions a call, authentication and background included", made, { atMost: 4 });
}

/** Memory of a new server of ours against a bare Next app, after the same load: processes keep the memory that they once had. */
async function memory(ours: MeasuredApp, atEnd: AtEnd): Promise<void> {
  const loaded = async (server: MeasuredServer, path: string) => {
    atEnd(server.stop);
    await requestsPerSecond({ url: server.url + path, status: 200, headers: authorization });
    const resident = wholeMemory(server);
    await server.stop();
    return resident;
  };
  const with10k = await loaded(await ours.serve("server"), "/api/agents/tools");
  const without = await loaded(await (await built("bare", atEnd)).serve("next"), "/api/agents/bare");
  console.log(`        ours ${with10k.toFixed(0)} MB, a bare Next app ${without.toFixed(0)} MB, both after load`);
  report("memory above a bare Next app, with 10,000 tools", with10k - without, { atMost: 400 }, " MB");
}
