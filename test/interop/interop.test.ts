import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { stopJobs } from "@/lib/jobs/runner";
import { mcp } from "@/lib/agents/mcp/endpoint";
import { env } from "@/lib/env";
import { applyImport } from "@/lib/sources/import/apply-import";
import { startImport } from "@/lib/sources/import/import";
import { getImportJob } from "@/lib/store/sources/import-jobs";
import { stores } from "@/lib/store/config/index";
import { sharedMcpConnections } from "@/lib/calls/mcp/connections";
import { ADMIN, Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { ERAS, serveMcp, type McpEndpoint } from "@/test/api/mcp-world";
import { requirePrograms, runProgram } from "@/test/interop/programs";
import { conformanceTools, LONG_RUNNING } from "@/test/interop/tools";
import { allowOutbound } from "@/test/support/allow-outbound";
import { startJob } from "@/test/support/start-job";
import { useDatabase } from "@/test/support/database";
import { startMcpServer, type McpServer } from "@/test/support/servers/mcp-server";
import { serve, type Served } from "@/test/support/servers/serve";

useDatabase();
/** How the suite's tools came into the catalogue: as rows with the schemas as they are, or by an import from their server. */
const UPSTREAMS = ["stored", "imported"] as const;
type Upstream = (typeof UPSTREAMS)[number];

let upstream: McpServer;
/** An endpoint `/mcp` for the suite, which brings no credential: by the upstream whose tools are behind it. */
const endpoints = new Map<Upstream, Served>();
let isMoreGranted = false;

let key: string;
let own: McpEndpoint;

/** The suite's result of one check. */
interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

/** `scenario`, or `scenario:check`, with its reason, for a revision or for both. */
interface Exclusion {
  readonly what: string;
  readonly revision: string;
}

/** The exclusions are written down once, where people read them: the tables of docs/conformance.md. */
function exclusionsFor(revision: string): string[] {
  const text = readFileSync(join(import.meta.dirname, "../../docs/conformance.md"), "utf8");
  const rows = [...text.matchAll(/^\| `([^`]+)` +\| (both|\d{4}-\d{2}-\d{2}) +\| \S.*\|$/gm)];
  return rows
    .map(([, what = "", of = ""]): Exclusion => ({ what, revision: of }))
    .filter((row) => row.revision === "both" || row.revision === revision)
    .map(({ what }) => what);
}

/** The tools of the suite for its own agent, and a support team for the clients. */
function configuration(): Record<string, unknown> {
  const team = supportDocument() as Record<"sources" | "tools" | "groups" | "policies" | "agents", object[]>;
  const tools = Object.entries(upstream.tools).map(([name, { inputSchema }]) => ({
    id: `stored:${name}`,
    description: name,
    inputSchema: inputSchema ?? { type: "object" },
    run: { kind: "mcp", tool: name },
    longRunning: LONG_RUNNING.has(name),
  }));
  const always = Object.keys(upstream.tools).filter((name) => name !== "one_more");
  const of = <T>(make: (source: Upstream) => T | T[]): T[] => UPSTREAMS.flatMap(make);
  return {
    ...team,
    sources: [...team.sources, ...of((name) => ({ name, kind: "mcp", url: upstream.url }))],
    tools: [...team.tools, ...tools],
    groups: [
      ...team.groups,
      ...of((source) => [
        { name: `${source}-all`, description: "", selectors: [{ source, name: `regex:${always.join("|")}` }] },
        { name: `${source}-more`, description: "", selectors: [{ source, name: "one_more" }] },
      ]),
    ],
    policies: [
      ...team.policies,
      ...of((name) => ({
        name,
        matchers: [{ claim: "suite", operator: "equals", value: name }],
        groups: isMoreGranted ? [`${name}-all`, `${name}-more`] : [`${name}-all`],
      })),
    ],
    agents: [...team.agents, ...of((name) => ({ name, attributes: { suite: name } }))],
  };
}

/** Imports the suite's tools as an admin does. */
async function importTools(): Promise<void> {
  const id = await startImport(ADMIN, { source: "imported" });
  await vi.waitUntil(async () => (await getImportJob(id)).status === "planned", { timeout: 15_000 });
  await applyImport(ADMIN, id, { operations: "all", groups: [] });
  for (const name of LONG_RUNNING) {
    const { revision, createdAt, updatedAt, definitionHash, ...tool } = await stores.tools.get(`imported:${name}`);
    await stores.tools.replace(ADMIN, tool.id, { ...tool, longRunning: true }, "*");
  }
}

/** An endpoint for one agent. */
async function serveSuite(agent: Upstream): Promise<Served> {
  const authorization = `Bearer ${await keyOf(agent)}`;
  return serve((request) => {
    const headers = new Headers(request.headers);
    headers.set("authorization", authorization);
    return mcp(new Request(request, { headers }));
  });
}

beforeAll(async () => {
  await requirePrograms();
  upstream = await startMcpServer();
  const change = async () => {
    isMoreGranted = !isMoreGranted;
    const { apiVersion, policies } = configuration();
    await save({ apiVersion, policies });
  };
  upstream.tools = { ...conformanceTools(change), one_more: {} };
  allowOutbound(upstream.host);
  // The suite's resources are `test://…`.
  env.RESULT_LINK_SCHEMES.push("test");
  await save(configuration());
  key = await keyOf("reader");
  own = await serveMcp();
  startJob("queued-calls");
  await importTools();
  for (const name of UPSTREAMS) endpoints.set(name, await serveSuite(name));
}, 300_000);
afterAll(async () => {
  await sharedMcpConnections().close();
  await Promise.all([own, upstream, ...endpoints.values()].map((served) => served.close()));
  await stopJobs();
});

/** Runs what a revision requires, and what else the suite has for it; the checks by scenario. */
async function runSuite(of: Upstream, revision: string): Promise<Map<string, readonly Check[]>> {
  const folder = mkdtempSync(join(tmpdir(), "conformance-"));
  try {
    const args = ["server", "--url", `${endpoints.get(of)?.origin}/mcp`, "--requirements", revision, "-o", folder];
    await runProgram("node_modules/@modelcontextprotocol/conformance/dist/index.js", args, folder);
    const read = (name: string) => JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8")) as Check[];
    const scenarioOf = (name: string) => name.replace(/^server-/, "").replace(/-\d{4}-\d{2}-\d{2}T.*$/, "");
    return new Map(readdirSync(folder).map((name) => [scenarioOf(name), read(name)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The checks that say something of us; those of the messages' form come with any scenario. */
function ownChecks(checks: readonly Check[]): readonly Check[] {
  return checks.filter(({ id, status }) => !id.startsWith("wire-schema-") && status !== "SKIPPED" && status !== "INFO");
}

/** The problem of a scenario; one that checked nothing has failed. */
function problemsOf(scenario: string, checks: readonly Check[]): string[] {
  if (ownChecks(checks).length === 0) return [scenario];
  const failed = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  return failed.map(({ id }) => `${scenario}:${id}`);
}

test.each(UPSTREAMS.flatMap((of) => ERAS.map((revision) => [of, revision] as const)))(
  "with %s tools, every scenario of %s that applies to a gateway of tools passes; the rest is in docs/conformance.md",
  async (of, revision) => {
    const results = await runSuite(of, revision);
    expect(results.size).toBeGreaterThan(30);
    const excluded = exclusionsFor(revision);
    const problems = [...results].flatMap(([scenario, checks]) => problemsOf(scenario, checks));
    const covers = (problem: string) => excluded.find((what) => problem === what || problem.startsWith(`${what}:`));
    const passed = [...results].filter(([scenario, checks]) => problemsOf(scenario, checks).length === 0);
    const checks = [...results.values()].flatMap(ownChecks);
    const good = checks.filter(({ status }) => status === "SUCCESS");
    // The counts of docs/conformance.md.
    console.info(`| ${[of, revision, results.size, passed.length, checks.length, good.length].join(" | ")} |`);
    expect(problems.filter((problem) => covers(problem) === undefined)).toEqual([]);
    // A row that excuses nothing is a promise that was kept meanwhile: take it out.
    const used = new Set(problems.map(covers));
    expect(excluded.filter((what) => !used.has(what))).toEqual([]);
  },
  280_000,
);

/** The list of the REST API. */
async function namesOf(): Promise<string[]> {
  return (await new Client(key).list()).json.data.map(({ name }) => name);
}

test.each(["sdk-1", "ai-sdk", "langchain"])(
  "the client %s lists the caller's tools and calls one",
  async (client) => {
    const said = await runProgram(`clients/${client}.mjs`, [`${own.origin}/mcp`, key]);
    expect(said.stderr).not.toMatch(/error/i);
    const { names: listed, result } = JSON.parse(said.stdout) as { names: string[]; result: unknown };
    expect(listed).toEqual(await namesOf());
    expect(JSON.stringify(result)).toMatch(/\bvalue\b.{1,6}42\b/);
  },
  60_000,
);

test("the Inspector's command line lists the caller's tools and calls one", async () => {
  const inspect = async (...args: string[]) => {
    const { stdout } = await runProgram(
      "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
      ["--cli", `${own.origin}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${key}`, ...args],
    );
    return JSON.parse(stdout) as { tools?: { name: string }[]; structuredContent?: unknown };
  };
  const { tools } = await inspect("--method", "tools/list");
  expect(tools?.map(({ name }) => name)).toEqual(await namesOf());
  const called = await inspect("--method", "tools/call", "--tool-name", "calculate", "--tool-arg", "expression=6 * 7");
  expect(called.structuredContent).toEqual({ value: 42 });
}, 60_000);
