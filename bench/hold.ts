import { setTimeout as delay } from "node:timers/promises";
import { hostileDocuments, importDocuments } from "@/bench/support/hostile-documents";
import { watchHoldUps } from "@/bench/support/held-up";
import { listTools } from "@/bench/support/listed-tools";
import { listRequests, manyTools } from "@/bench/support/many-tools";
import { measuredApp } from "@/bench/support/servers/measured-app";
import { measuredInstallation } from "@/bench/support/servers/measured-installation";
import { report } from "@/bench/support/measure";
import type { ImportJob } from "@/lib/contracts/sources/import-job";
import type { VerifyOutput } from "@/lib/contracts/log/seal";

// Measures the longest that one request holds one of our event loops by its own work: documents, bodies, upstream answers
// and lists whose size a person, an agent or an upstream chooses. Counts a request only when the server worked on it.

const LIMIT_MS = 50;
/** Calls that are logged before the log is verified; each writes two rows. */
const CALLS = 3_000;
const IN_FLIGHT = 16;
/** Tools that one agent sees. */
const VISIBLE = 20_000;
/** Milliseconds for which a busy server gets the request again. */
const TIMEOUT_MS = 60_000;
/** What an MCP client accepts (Streamable HTTP). */
const MCP_ACCEPT = "application/json, text/event-stream";

/** How the server handled a request. */
type Outcome = "done" | "refused after work" | "refused before work";

interface Endpoint {
  readonly outcomes: Record<Outcome, number>;
  /** Answers by error code. */
  readonly codes: Map<string, number>;
  /** By process: the longest hold, and the request that caused it. */
  readonly longest: Map<string, { readonly own: number; readonly what: string }>;
}

const lists = await Promise.all([listTools(20_000, 20_000), listTools(5_000, 5_000), listTools(5_000, 500)]);
const sources = lists.map(({ url }, at) => ({ name: `many-${at}`, kind: "mcp", url }));
const installation = await measuredInstallation({
  attributes: {},
  env: { OUTBOUND_ALLOW: lists.map(({ host }) => host).join(",") },
});
const holdUps = watchHoldUps();
const app = await measuredApp("ours", {}, { ...installation.env, ...holdUps.env });
const server = await app.serve("server");
const endpoints = new Map<string, Endpoint>();
try {
  const admin = { authorization: `Bearer ${installation.token}` };
  const agent = { authorization: `Bearer ${installation.apiKey}`, "content-type": "application/json" };
  const json = (value: object) => JSON.stringify(value);
  const toAdmin = (method: string, path: string, body?: string, type = "application/json") =>
    answered(path, { method, headers: { ...admin, "content-type": type }, ...(body !== undefined && { body }) });
  const call = (body: string) => answered("/api/agents/tools/call", { method: "POST", headers: agent, body });

  for (const source of [...sources, { name: "large", kind: "mcp", url: lists[2]?.url }])
    required(await toAdmin("POST", "/api/admin/sources", json(source)));
  const run = { kind: "mcp", tool: "tool_1" };
  const large = { id: "large:answer", description: "d", inputSchema: { type: "object" }, groups: ["helpers"], run };
  required(await toAdmin("POST", "/api/admin/tools", json(large)));

  // Loading modules at a first use is not part of a request.
  const empty = "apiVersion: quartermaster/v1";
  await toAdmin("POST", "/api/admin/preview", json({ config: empty, claims: {} }));
  await toAdmin("POST", "/api/admin/impact", json({ config: empty }));
  await toAdmin("PUT", "/api/admin/config?dryRun=true", empty, "application/yaml");
  await call(json({ tool_id: "builtin:calculate", arguments: { expression: "1" } }));
  await forget();

  const documents = Number(process.env["DOCUMENTS"] ?? 1000);
  let at = 0;
  for (const { name, text } of hostileDocuments(documents)) {
    const asks = {
      preview: () => toAdmin("POST", "/api/admin/preview", json({ config: text, claims: {} })),
      impact: () => toAdmin("POST", "/api/admin/impact", json({ config: text })),
      plan: () => toAdmin("PUT", "/api/admin/config?dryRun=true", text, "application/yaml"),
      import: () => toAdmin("POST", "/api/admin/imports", json({ source: "hostile", document: text })).then(imported),
    };
    const all = Object.entries(asks);
    // Each document goes to one endpoint, and each kind of document to every endpoint.
    const [endpoint, ask] = all[(at + Math.floor(at / all.length)) % all.length] ?? all[0] ?? [];
    at += 1;
    if (endpoint !== undefined && ask !== undefined) await measured(`documents: ${endpoint}`, name, ask);
  }
  for (const { name, text } of importDocuments()) {
    await measured("33 MB: import", name, () =>
      toAdmin("POST", "/api/admin/imports", json({ source: "hostile", document: text })).then(imported),
    );
    await measured("33 MB: plan", name, () =>
      toAdmin("PUT", "/api/admin/config?dryRun=true", text, "application/yaml"),
    );
  }
  const wide = (count: number) => Array.from({ length: count }, () => 1);
  const bodies: [string, string][] = [
    ["arguments of 400,000 values", json({ tool_id: "builtin:calculate", arguments: { list: wide(400_000) } })],
    ["arguments of 24,000 values", json({ tool_id: "builtin:calculate", arguments: { list: wide(24_000) } })],
    ["24,000 empty objects", `{"tool_id":"builtin:calculate","arguments":{"list":[${"{},".repeat(24_000)}1]}}`],
    ["nested 100 deep", `{"tool_id":"builtin:calculate","arguments":${'{"a":'.repeat(100)}1${"}".repeat(100)}}`],
    ["a body of 400,000 values", json({ tool_id: "builtin:calculate", group: wide(400_000) })],
    ["60,000 unknown fields", json(Object.fromEntries(wide(60_000).map((_, field) => [`f${field}`, field])))],
    ["9,000 unknown fields", json(Object.fromEntries(wide(9_000).map((_, field) => [`f${field}`, field])))],
    [
      "16,000 texts of JSON",
      json({ tool_id: "builtin:json_query", arguments: query(wide(16_000).map(() => "[[1,2]]")) }),
    ],
    ["an expression over 24,000 values", json({ tool_id: "builtin:json_query", arguments: query(wide(24_000)) })],
  ];
  for (const [what, body] of bodies) await measured("agents: bodies", what, () => call(body));
  const textParams = json({ jsonrpc: "2.0", id: 1, method: "tools/call", params: "a".repeat(1_000_000) });
  await measured("agents: bodies", "parameters that are one text, at /mcp", () =>
    answered("/mcp", { method: "POST", headers: { ...agent, accept: MCP_ACCEPT }, body: textParams }),
  );
  for (let round = 0; round < 3; round += 1)
    await measured("agents: answers", "1 MB of an MCP server", () =>
      call(json({ tool_id: "large:answer", arguments: {} })),
    );
  for (const { name } of sources)
    await measured("agents: lists of tools", name, () =>
      toAdmin("POST", "/api/admin/imports", json({ source: name })).then(imported),
    );
  await Promise.all(wide(IN_FLIGHT).map(() => calls(CALLS / IN_FLIGHT, call)));
  await sealed(() => toAdmin("GET", "/api/admin/executions/verify"));
  await forget();
  await measured("verification", `of ${2 * CALLS} rows and more`, () => toAdmin("GET", "/api/admin/executions/verify"));

  // Last, because so many tools would make every plan above longer.
  const saved = await toAdmin("PUT", "/api/admin/config?mode=merge", manyTools(VISIBLE), "application/json");
  if (saved.status !== 200) throw new Error(`${saved.status} ${saved.text.slice(0, 300)}`);
  await forget();
  for (let round = 0; round < 2; round += 1)
    for (const { what, path, init } of listRequests(agent))
      await measured(`agents: lists of ${VISIBLE} tools`, what, () => answered(path, init));

  for (const [endpoint, { outcomes, codes, longest }] of endpoints) {
    const counts = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`);
    const named = [...codes].map(([code, count]) => `${count} ${code}`);
    console.log(`  ${endpoint}: ${[...counts, ...named].join(", ")}`);
    if (outcomes.done + outcomes["refused after work"] === 0) throw new Error(`${endpoint}: nothing was worked on`);
    for (const [program, { own, what }] of longest) {
      console.log(`  ${endpoint}: the longest by ${what}`);
      report(`${endpoint}: the longest hold of the loop of ${program}`, own, { atMost: LIMIT_MS }, " ms");
    }
  }
} finally {
  await server.stop();
  app.remove();
  holdUps.stop();
  await installation.stop();
  for (const { close } of lists) await close();
}

/** A request's status and code. Repeats a request that was answered 503; counts one whose connection broke as refused by size. */
interface Answered {
  readonly status: number;
  readonly code: string | null;
  readonly text: string;
}

async function answered(path: string, init: RequestInit): Promise<Answered> {
  for (const until = performance.now() + TIMEOUT_MS; ;) {
    // The server may refuse a large body, and close its connection, before all of it is sent.
    const response = await fetch(`${server.url}${path}`, init).catch((error: unknown) => error as Error);
    if (response instanceof Error) return { status: 0, code: "cut off", text: response.message };
    const text = await response.text();
    const { status } = response;
    if (status === 503 && performance.now() < until) {
      await delay(200);
      continue;
    }
    const code = /"code":"(\w+)"/.exec(text)?.[1] ?? null;
    if (status >= 500) throw new Error(`${path}: ${status} ${text.slice(0, 300)}`);
    return { status, code, text };
  }
}

/** Fails when a request that the bench depends on fails. */
function required({ status, text }: Answered): void {
  if (status !== 201) throw new Error(`${status} ${text.slice(0, 300)}`);
}

/** Waits for the end of an accepted import, which runs in the background. */
async function imported(started: Answered): Promise<Answered> {
  if (started.status !== 202) return started;
  const { id } = JSON.parse(started.text) as { id: string };
  for (;;) {
    const { text } = await answered(`/api/admin/imports/${id}`, {
      headers: { authorization: `Bearer ${installation.token}` },
    });
    const job = JSON.parse(text) as ImportJob;
    if (job.status === "planned") return started;
    if (job.status !== "running") return { status: 400, code: job.status, text: job.error ?? "" };
    await delay(50);
  }
}

/** Classifies an answer. Limits that are checked before any parsing or query refuse before work. */
function outcomeOf({ status, text }: Answered): Outcome {
  if (status >= 200 && status < 300) return "done";
  const isBound = text.includes("too large to be worked through");
  return status === 0 || status === 413 || status === 429 || isBound ? "refused before work" : "refused after work";
}

async function measured(name: string, what: string, ask: () => Promise<Answered>): Promise<void> {
  const answer = await ask();
  const endpoint = endpoints.get(name) ?? {
    outcomes: { done: 0, "refused after work": 0, "refused before work": 0 },
    codes: new Map<string, number>(),
    longest: new Map<string, { own: number; what: string }>(),
  };
  endpoints.set(name, endpoint);
  const outcome = outcomeOf(answer);
  endpoint.outcomes[outcome] += 1;
  if (answer.code !== null) endpoint.codes.set(answer.code, (endpoint.codes.get(answer.code) ?? 0) + 1);
  for (const { pid, program } of holdUps.running()) {
    const { own } = await holdUps.longest(pid);
    const named = program.replaceAll(`${process.cwd()}/`, "").split(" ").slice(0, 2).join(" ");
    if (own > (endpoint.longest.get(named)?.own ?? -1))
      endpoint.longest.set(named, { own, what: `${what} (${outcome})` });
  }
}

/** Resets the recorded hold-ups. */
async function forget(): Promise<void> {
  for (const { pid } of holdUps.running()) await holdUps.longest(pid);
}

async function calls(count: number, call: (body: string) => Promise<Answered>): Promise<void> {
  const body = JSON.stringify({ tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } });
  for (let made = 0; made < count; made += 1) {
    const { status, text } = await call(body);
    if (status !== 200) throw new Error(`a call was answered ${status}: ${text.slice(0, 300)}`);
  }
}

/** Waits until every row has its seal. */
async function sealed(verify: () => Promise<Answered>): Promise<void> {
  for (;;) {
    const { status, text } = await verify();
    if (status !== 200) throw new Error(`the verification was answered ${status}: ${text.slice(0, 300)}`);
    const { rows, unsealed } = JSON.parse(text) as VerifyOutput;
    if (rows >= 2 * CALLS && unsealed === 0) return;
    await delay(1_000);
  }
}

function query(document: readonly unknown[]): object {
  return { document, expression: "length(@)" };
}
