import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sharedMcpConnections } from "@/lib/calls/mcp/connections";
import { setSecret } from "@/lib/store/config/secrets";
import { ADMIN, Client, save, supportDocument } from "@/test/api/agents-world";
import { addOpenIdPerson, linkAccount, type LinkingUser } from "@/test/api/credentials/linked-world";
import { ERAS } from "@/test/api/mcp-world";
import { node22, requirePrograms } from "@/test/interop/programs";
import { exclusionsFor, judge, runSuite } from "@/test/interop/suite";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { startIssuer, type TestIssuer } from "@/test/support/servers/issuer";
import { serve, type Served } from "@/test/support/servers/serve";

// The suite's authorization scenarios test OAuth clients. For a source with `auth: { mode: user }`, Quartermaster is
// such a client: a person links an account at the suite's server, and an agent calls a tool there.

// Client documents need a public address on https.
vi.stubEnv("NEXTAUTH_URL", "https://tools.example");
useDatabase();

let corp: TestIssuer;
let control: Served;
let ada: LinkingUser;
let asAda: Client;
/** The sources of the scenarios so far. */
const sources: { readonly name: string }[] = [];
/**
 * The suite starts its scenarios at the same time. They run here one after the other, so that none exceeds its time
 * limit.
 */
let queue: Promise<unknown> = Promise.resolve();

/** A scenario of the suite and the server that it starts for the client. */
interface Scenario {
  readonly url: string;
  readonly scenario: string;
  readonly context: { readonly client_id?: string; readonly client_secret?: string; readonly issuer?: string };
}

/** A source for a scenario, with one tool that everybody may call. */
async function addSource({ url, scenario, context }: Scenario): Promise<string> {
  const name = `${scenario.replace("auth/", "s-")}-${new URL(url).port}`;
  const registered = context.client_id !== undefined && context.client_secret !== undefined;
  if (registered) await setSecret(ADMIN, name, { value: context.client_secret ?? "", origins: [context.issuer ?? ""] });
  const auth = { mode: "user", ...(registered && { clientId: context.client_id, secret: name }) };
  sources.push({ name, kind: "mcp", url, auth } as never);
  await save(configuration());
  return name;
}

function configuration(): Record<string, unknown> {
  const team = supportDocument() as Record<"sources" | "tools" | "groups" | "policies", object[]>;
  const issuer = { issuer: corp.issuer, audience: "quartermaster", jwksUri: corp.jwksUri, algorithms: ["ES256"] };
  const tools = sources.map(({ name }) => ({
    id: `${name}:test-tool`,
    description: "The tool of the suite's server.",
    inputSchema: { type: "object" },
    run: { kind: "mcp", tool: "test-tool" },
  }));
  const selectors = [{ name: "test-tool" }];
  return {
    ...team,
    issuers: [{ name: "corp", ...issuer }],
    sources: [...team.sources, ...sources],
    tools: [...team.tools, ...tools],
    groups: [...team.groups, { name: "suite", selectors }],
    policies: [...team.policies, { name: "suite", everyone: true, groups: ["suite"] }],
  };
}

/** Calls as an agent of a person who links an account whenever the answer requires it, three times at most. */
async function playScenario(started: Scenario): Promise<Response> {
  const name = await addSource(started);
  const steps: unknown[] = [];
  for (let round = 0; round < 4; round += 1) {
    const { json } = await asAda.call({ tool_id: `${name}:test-tool`, arguments: {} });
    steps.push(json.error ?? json.status);
    // The suite's server for changing authorization servers changes after the first call.
    const isDone = json.status === "succeeded" && (round > 1 || !started.scenario.endsWith("migration"));
    if (isDone) return Response.json(steps);
    if (json.error !== undefined && json.error.code !== "authorization_needed") break;
    if (json.status === "succeeded") continue;
    const linked = await linkAccount(name, ada, "ada").catch(String);
    steps.push(linked);
    if (!linked.endsWith("linked=yes")) break;
  }
  return Response.json(steps, { status: 500 });
}

beforeAll(async () => {
  await requirePrograms();
  corp = await startIssuer();
  // The suite's servers listen on free ports.
  allowOutbound(corp.host);
  for (let port = 1024; port <= 65_535; port += 1) allowOutbound(`localhost:${port}`);
  await save(configuration());
  ada = await addOpenIdPerson("ada", corp.issuer);
  asAda = new Client(await corp.token({ sub: "ada" }));
  control = await serve(async (request) => {
    const started = (await request.json()) as Scenario;
    const played = queue.then(() => playScenario(started));
    queue = played.catch(() => {});
    return played;
  });
}, 300_000);
afterAll(async () => {
  await sharedMcpConnections().close();
  await Promise.all([control.close(), corp.close()]);
});

test.each(ERAS)(
  "Quartermaster as a client passes the authorization scenarios of %s, except those that docs/conformance.md explains",
  async (revision) => {
    const command = [node22(), join(import.meta.dirname, "clients/outward.mjs"), control.origin].join(" ");
    const run = (suite: string) =>
      runSuite(["client", "--command", command, "--suite", suite, "--spec-version", revision, "--timeout", "150000"]);
    const found = [...(await run("auth")), ...(revision === "2026-07-28" ? await run("draft") : [])];
    const results = new Map(found.filter(([scenario]) => scenario.startsWith("auth/")));
    expect(results.size).toBeGreaterThanOrEqual(14);
    const { unexplained, unused, counts } = judge(results, exclusionsFor(revision, "client"));
    // The counts of docs/conformance.md.
    console.info(`| ${[revision, ...counts].join(" | ")} |`);
    expect(unexplained).toEqual([]);
    expect(unused).toEqual([]);
  },
  280_000,
);
