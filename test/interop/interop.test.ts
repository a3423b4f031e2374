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
import { exclusionsFor, judge, runSuite } from "@/test/interop/suite";
import { conformanceTools, LONG_RUNNING } from "@/test/interop/tools";
import { allowOutbound } from "@/test/support/allow-outbound";
import { startJob } from "@/test/support/jobs/start-job";
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

test.each(UPSTREAMS.flatMap((of) => ERAS.map((revision) => [of, revision] as const)))(
  "with %s tools, every scenario of %s that applies to a gateway of tools passes; the rest is in docs/conformance.md",
  async (of, revision) => {
    const url = `${endpoints.get(of)?.origin}/mcp`;
    const results = await runSuite(["server", "--url", url, "--requirements", revision]);
    expect(results.size).toBeGreaterThan(30);
    const { unexplained, unused, counts } = judge(results, exclusionsFor(revision, "server"));
    // The counts of docs/conformance.md.
    console.info(`| ${[of, revision, ...counts].join(" | ")} |`);
    expect(unexplained).toEqual([]);
    // A row that excuses nothing is a promise that was kept meanwhile: take it out.
    expect(unused).toEqual([]);
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
    const printed = await runProgram(`clients/${client}.mjs`, [`${own.origin}/mcp`, key]);
    expect(printed.stderr).not.toMatch(/error/i);
    const { names: listed, result } = JSON.parse(printed.stdout) as { names: string[]; result: unknown };
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
