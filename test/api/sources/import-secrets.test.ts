import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { PUT as putConfig } from "@/app/api/admin/config/route";
import { POST as applyImport } from "@/app/api/admin/imports/[id]/apply/route";
import { GET as readImport } from "@/app/api/admin/imports/[id]/route";
import { POST as startImport } from "@/app/api/admin/imports/route";
import type { JsonObject } from "@/lib/access/model/configuration";
import { sharedMcpConnections } from "@/lib/calls/mcp/connections";
import type { ConfigPlan } from "@/lib/contracts/changes/config";
import { startSync } from "@/lib/sources/sync";
import { ADMIN, save, supportDocument } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { captureOutput, CORE, leaksOf, SECRETS, UPPER } from "@/test/support/planted-secrets";
import { startMcpServer, type McpServer } from "@/test/support/servers/mcp-server";

process.env["LOG_LEVEL"] = "trace";

const database = useDatabase();

let mcp: McpServer;
const lines: string[] = [];
const leaks = (...texts: readonly string[]) => leaksOf(database, lines, texts);

beforeAll(async () => {
  captureOutput(lines);
  mcp = await startMcpServer();
  allowOutbound(mcp.host);
  const document = supportDocument() as Record<"sources", object[]>;
  await save({ ...document, sources: [...document.sources, { name: "up", kind: "mcp", url: mcp.url }] });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await sharedMcpConnections().close();
  await mcp.close();
});

describe("30 secrets in the texts of what is imported", () => {
  const schema = (secret: string) => ({
    type: "object" as const,
    description: secret,
    properties: {
      text: { type: "string", title: secret, example: secret, examples: [secret, { note: secret }], default: secret },
      other: { type: "string", format: secret, contentMediaType: secret, description: secret },
    },
  });
  const listed = (secrets: readonly string[]): McpServer["tools"] =>
    Object.fromEntries(
      secrets.map((secret, at) => [
        `planted_${at}`,
        {
          title: secret,
          description: secret,
          inputSchema: schema(secret),
          annotations: { title: secret },
          _meta: { note: secret },
        },
      ]),
    );
  const imported = async (source: string, document?: object): Promise<JsonObject> => {
    const body = { source, ...(document !== undefined && { document }) };
    const { json } = await ask<{ id: string }>(startImport, "POST", "/api/admin/imports", { body });
    const params = { id: json.id };
    const read = () => ask<JsonObject>(readImport, "GET", "/x", { params });
    await vi.waitUntil(async () => (await read()).json["status"] === "planned", { timeout: 15_000 });
    const { json: planned } = await read();
    const applied = await ask(applyImport, "POST", "/x", { params, body: { operations: "all" } });
    expect(applied.status).toBe(200);
    return planned;
  };

  it("are in no table, export, metric or line of the log, and the plan says where they were", async () => {
    const operation = (secret: string, at: number) => ({
      operationId: `op${at} ${secret}`,
      summary: secret,
      // The description is cut within the secret.
      description: `${"x".repeat(1_980)} ${secret}`,
      tags: [secret],
      parameters: [{ name: "q", in: "query", description: secret, schema: schema(secret) }],
      requestBody: { description: secret, content: { "application/json": { schema: schema(secret) } } },
      responses: { 200: { description: secret, content: { "application/json": { schema: schema(secret) } } } },
    });
    const paths = Object.fromEntries(SECRETS.map((secret, at) => [`/p${at}`, { post: operation(secret, at) }]));
    const info = { title: `Planted ${SECRETS[3]}`, version: String(SECRETS[3]), description: SECRETS[3] };
    const flows = (secret: string) => ({
      clientCredentials: { tokenUrl: `https://a.example/token?x=${encodeURIComponent(secret)}`, scopes: {} },
    });
    const securitySchemes = Object.fromEntries([
      ...SECRETS.map((secret, at) => [`oauth${at}`, { type: "oauth2", description: secret, flows: flows(secret) }]),
      ...SECRETS.map((secret, at) => [`key${at}`, { type: "apiKey", in: "query", name: secret }]),
    ]);
    const security = Object.keys(securitySchemes).map((name) => ({ [name]: [] }));
    const stated = { openapi: "3.1.0", info, servers: [{ url: "https://a.example" }], paths };
    const plan = await imported("planted", { ...stated, components: { securitySchemes }, security });
    expect(plan["warnings"]).toContainEqual({
      path: "POST /p2",
      message: expect.stringMatching(
        /a secret is masked in `operationId`, `summary`, `description`, `tags` and \d+ more$/,
      ),
    });
    mcp.tools = listed(SECRETS);
    await imported("up");
    expect(await leaks(CORE, UPPER)).toEqual([]);
    const [stored] = await database.query<{ description: string }>(`select description from tool where "path" = '/p2'`);
    expect(stored?.description).toContain("[redacted]");
  }, 120_000);

  it("that a sync finds are in no table, export, metric or line of the log", async () => {
    // Each tool changes, and one is new: all wait in the review of drift.
    mcp.tools = listed([...SECRETS, SECRETS.join(" ")].map((secret) => `Now ${secret}`));
    await sharedMcpConnections().close();
    await startSync(ADMIN, "up");
    const waiting = "select id from drift where source = 'up'";
    await vi.waitUntil(async () => (await database.query(waiting)).length === SECRETS.length + 1, { timeout: 30_000 });
    expect(await leaks(CORE, UPPER)).toEqual([]);
  }, 120_000);

  it("that TrustGraph's rows hold are in no table, export, metric or line of the log, and the plan says so", async () => {
    const row = (type: string, key: string, value: object) => ({ type, key, value: JSON.stringify(value) });
    const rows = SECRETS.flatMap((secret, at) => [
      row("tool", `${at} ${secret}`, {
        name: secret,
        description: secret,
        type: secret,
        group: [`${at} ${secret}`],
        arguments: [{ name: "q", type: "string", description: secret }],
        [secret]: secret,
      }),
      row("tool", `remote ${at}`, { description: secret, type: "mcp-tool", "mcp-tool": `${at} ${secret}` }),
      row("mcp", `server ${at}`, {
        description: secret,
        url: "http://127.0.0.1:9/mcp",
        "remote-name": `tool ${at}`,
        "auth-token": secret,
      }),
    ]);
    const put = (query: string) =>
      ask<ConfigPlan>(putConfig, "PUT", `/api/admin/config?mode=merge${query}`, { body: rows });
    const { status, json, text } = await put("&dryRun=true");
    expect([status, text.includes(CORE)]).toEqual([200, false]);
    const masked = json.warnings.filter(({ message }) => message === "what looks like a secret is masked");
    expect(masked).toHaveLength(6 * SECRETS.length);
    expect((await put("")).status).toBe(200);
    expect(await leaks(CORE, UPPER)).toEqual([]);
  }, 120_000);
});
