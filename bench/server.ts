import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { requestsPerSecond, type Load } from "@/bench/support/load";
import { median, report } from "@/bench/support/measure";
import { measuredApp, residentMemory, type MeasuredApp } from "@/bench/support/measured-app";
import { measuredInstallation } from "@/bench/support/measured-installation";

// The built server under load, beside a bare Next route that returns the same bytes: in the same process where
// speed is compared, in an app of its own where memory is.

/** What a list costs without us: the answer is there, only Next is in between. */
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
const apps: MeasuredApp[] = [];
try {
  const bare = await measuredApp("bare", { "api/agents/bare": BARE }, env);
  apps.push(bare);
  const ours = await measuredApp("ours", { "api/agents/bare": BARE }, env);
  apps.push(ours);
  await measure(ours, bare);
} finally {
  for (const app of apps) await app.stop();
  await installation.stop();
}

async function measure(ours: MeasuredApp, bare: MeasuredApp): Promise<void> {
  const authorization = { authorization: `Bearer ${installation.apiKey}` };
  const first = await fetch(`${ours.url}/api/agents/tools`, { headers: authorization });
  const text = await first.text();
  if (!first.ok) throw new Error(text);
  const headers = Object.fromEntries(
    ["content-type", "etag", "cache-control", "vary"].map((name) => [name, first.headers.get(name) ?? ""]),
  );
  writeFileSync(answer, JSON.stringify({ text, headers }));
  console.log(`        a list of ${(JSON.parse(text) as { count: number }).count} tools, ${text.length} bytes`);
  const unchanged = { ...authorization, "if-none-match": headers["etag"] ?? "" };
  await beside(ours, "list", authorization, 200, 0.7);
  await beside(ours, "list with If-None-Match", unchanged, 304, 0.8);
  await calls(ours, authorization);
  await memory(ours, bare, authorization);
}

async function beside(
  ours: MeasuredApp,
  what: string,
  headers: Load["headers"],
  status: number,
  atLeast: number,
): Promise<void> {
  const common = { status, ...(headers && { headers }) };
  const ratios: number[] = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    const [route, list] = [
      await requestsPerSecond({ ...common, url: `${ours.url}/api/agents/bare` }),
      await requestsPerSecond({ ...common, url: `${ours.url}/api/agents/tools` }),
    ];
    console.log(`        ${what}: ${list.toFixed(0)}/s, the bare route ${route.toFixed(0)}/s`);
    if (round >= 0) ratios.push(list / route);
  }
  report(`${what} / a bare route with the same bytes, requests a second`, median(ratios), { atLeast });
}

/** Transactions that the database counted, a call; authentication's and the background's are among them. */
async function calls(ours: MeasuredApp, headers: Load["headers"]): Promise<void> {
  const database = new Client({ connectionString: env["DATABASE_URL"] });
  await database.connect();
  const transactions = async (): Promise<number> => {
    // A backend reports what it did a second later at most.
    await new Promise((done) => setTimeout(done, 1_500));
    const { rows } = await database.query<{ count: string }>(
      "select xact_commit as count from pg_stat_database where datname = current_database()",
    );
    return Number(rows[0]?.count);
  };
  const body = JSON.stringify({ tool_id: "builtin:calculate", arguments: { expression: "(2 + 3) * 4" } });
  const load: Load = { url: `${ours.url}/api/agents/tools/call`, body, status: 200, ...(headers && { headers }) };
  await requestsPerSecond(load);
  const before = await transactions();
  const seconds = 6;
  const rate = await requestsPerSecond(load, seconds);
  const made = ((await transactions()) - before) / (rate * seconds);
  await database.end();
  console.log(`        calls of a built-in tool: ${rate.toFixed(0)}/s`);
  report("transactions a call, authentication and background included", made, { atMost: 4 });
}

async function memory(ours: MeasuredApp, bare: MeasuredApp, headers: Load["headers"]): Promise<void> {
  await requestsPerSecond({ url: `${bare.url}/api/agents/bare`, status: 200, ...(headers && { headers }) });
  const [with10k, without] = [residentMemory(ours.pid), residentMemory(bare.pid)];
  console.log(`        ours ${with10k.toFixed(0)} MB, a bare Next app ${without.toFixed(0)} MB, both after load`);
  report("memory above a bare Next app, with 10,000 tools", with10k - without, { atMost: 400 }, " MB");
}
