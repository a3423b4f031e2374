import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as list from "@/app/api/admin/imports/route";
import * as item from "@/app/api/admin/imports/[id]/route";
import { currentFindings } from "@/app/api/admin/findings/answer-findings";
import * as health from "@/app/api/admin/source-health/route";
import * as applying from "@/app/api/admin/imports/[id]/apply/route";
import type { JsonObject } from "@/lib/access/model/configuration";
import { env } from "@/lib/env";
import { findingQuery } from "@/lib/contracts/decisions/finding";
import { importJob, type ImportJob } from "@/lib/contracts/sources/import-job";
import { sourceHealthList } from "@/lib/contracts/sources/source-health";
import { sourceInput } from "@/lib/resources/source";
import { getDrift } from "@/lib/sources/drift/drift";
import { followToolChanges } from "@/lib/sources/mcp/follow-changes";
import { stores } from "@/lib/store/config/index";
import { parseDocument } from "@/lib/config/document";
import { startSync } from "@/lib/sources/sync";
import { applyDocument, planDocument } from "@/lib/store/save/config-document";
import { getExecution } from "@/lib/store/log/executions";
import { listMisfits } from "@/lib/store/calls/output-misfits";
import { setSecret } from "@/lib/store/config/secrets";
import { metrics } from "@/lib/telemetry/metrics";
import { sharedMcpConnections } from "@/lib/calls/mcp/connections";
import { compileUntrusted } from "@/lib/calls/schemas/untrusted-validator";
import { ADMIN, Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { referenceServer, startEverything, type Everything } from "@/test/support/servers/mcp-everything";
import { startMcpServer, textResult, type McpServer } from "@/test/support/servers/mcp-server";

// The reference server has fewer.
vi.stubEnv("MCP_TOOLS_PER_SOURCE", "20");

const database = useDatabase();
const TOKEN = "s3cret-of-the-upstream";

let server: McpServer;
let everything: Everything;
let agent: Client;
beforeAll(async () => {
  server = await startMcpServer();
  everything = await startEverything();
  allowOutbound(server.host, everything.host);
  await setSecret(ADMIN, "upstream", { value: TOKEN, origins: [server.origin] });
  const document = supportDocument() as { groups: object[]; policies: object[]; agents: object[] };
  await save({
    ...document,
    groups: [...document.groups, { name: "upstream", description: "", selectors: [{ source: "up" }] }],
    policies: [
      ...document.policies,
      { name: "all", matchers: [{ claim: "up", operator: "equals", value: true }], groups: ["upstream"] },
    ],
    agents: [...document.agents, { name: "caller", attributes: { up: true } }],
  });
  agent = new Client(await keyOf("caller"));
});
afterAll(async () => {
  await sharedMcpConnections().close();
  await Promise.all([server.close(), everything.kill()]);
});
beforeEach(() => {
  server.seen.length = 0;
  server.intercept = () => null;
});
afterEach(async () => {
  vi.restoreAllMocks();
  await database.query("delete from tool where source = 'up'");
  await database.query("delete from source where name = 'up'");
  await database.query("truncate import_job, upstream_definition, drift");
});

async function add(fields: object): Promise<void> {
  await stores.sources.create(ADMIN, sourceInput.parse({ name: "up", kind: "mcp", ...fields }));
}

async function setOutputCheck(id: string, outputCheck: "warn" | "withhold"): Promise<void> {
  const { definitionHash: _, revision: __, createdAt: ___, updatedAt: ____, ...stored } = await stores.tools.get(id);
  await stores.tools.replace(ADMIN, id, { ...stored, outputCheck }, "*");
}

async function read(): Promise<ImportJob> {
  const started = await ask<{ id: string }>(list.POST, "POST", "/api/admin/imports", { body: { source: "up" } });
  expect(started.status).toBe(202);
  const { id } = started.json;
  const finished = async () => {
    const got = await ask(item.GET, "GET", `/api/admin/imports/${id}`, { params: { id } });
    const job = importJob.parse(got.json);
    return job.status === "running" ? null : job;
  };
  return (await vi.waitUntil(finished, { timeout: 15_000 })) as ImportJob;
}

async function importAll(): Promise<ImportJob> {
  const job = await read();
  expect(job.error).toBeNull();
  const applied = await ask(applying.POST, "POST", `/api/admin/imports/${job.id}/apply`, {
    body: { operations: "all" },
    params: { id: job.id },
  });
  expect(applied.status).toBe(200);
  return job;
}

const ids = (entries: ImportJob["plan"]["added"]) => entries.map((entry) => entry.toolId).toSorted();

describe("the tools of an MCP server", () => {
  it("are imported and called by an agent: every tool of the reference server, each with schemas that compile", async () => {
    await add({ url: everything.url });
    const job = await importAll();
    expect(ids(job.plan.added)).toEqual(expect.arrayContaining(["up:echo", "up:get-sum", "up:get-structured-content"]));
    expect(job.plan.added.length).toBeGreaterThan(10);
    for (const { toolId } of job.plan.added) {
      const { inputSchema, outputSchema } = await stores.tools.get(toolId);
      await compileUntrusted(inputSchema as JsonObject);
      if (outputSchema !== null) await compileUntrusted(outputSchema as JsonObject);
    }
    expect(await stores.tools.get("up:get-structured-content")).toMatchObject({
      displayName: "Get Structured Content Tool",
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      hasSideEffects: false,
      run: { kind: "mcp", tool: "get-structured-content" },
      inputSchema: { type: "object", required: ["location"] },
      outputSchema: { type: "object", required: ["temperature", "conditions", "humidity"] },
      method: null,
      path: null,
    });

    const got = await agent.call({ name: "get-structured-content", arguments: { location: "New York" } });
    expect(got.json).toMatchObject({ output: { temperature: 33, conditions: "Cloudy", humidity: 82 } });
    const wrong = await agent.call({ name: "get-sum", arguments: { a: "one", b: 2 } });
    expect([wrong.status, wrong.json.error?.code]).toEqual([400, "invalid_arguments"]);
  });

  it("are imported over stdio as over HTTP", async () => {
    const command = `${process.execPath} ${referenceServer("memory")}`;
    env.MCP_STDIO_ALLOW.push(command);
    await add({ command });
    const job = await importAll();
    expect(ids(job.plan.added)).toContain("up:read_graph");
    const got = await agent.call({ name: "read_graph", arguments: {} });
    expect(got.json).toMatchObject({ output: { entities: [], relations: [] } });
  });

  it("keep their names: made plain, with a hash where two would be one, whatever comes later", async () => {
    await add({ url: server.url });
    server.tools = { "files.read": {}, "files/read": {}, "9lives": {}, plain: {} };
    const first = ids((await importAll()).plan.added);
    expect(first).toEqual([
      "up:_9lives",
      expect.stringMatching(/^up:files_read_[0-9a-f]{6}$/) as unknown,
      expect.stringMatching(/^up:files_read_[0-9a-f]{6}$/) as unknown,
      "up:plain",
    ]);
    server.tools = { "files read": {}, ...server.tools };
    const next = await read();
    expect(ids(next.plan.unchanged)).toEqual(first);
    expect(next.plan.added).toHaveLength(1);
  });

  it("are a stranger's: what no validator of ours takes is left out with a note, the rest is kept", async () => {
    await add({ url: server.url });
    const properties = {
      name: { type: "string", pattern: "(?=a)b", "x-mcp-header": "Authorization" },
      tree: { $ref: "#/$defs/node" },
      away: { $ref: "https://evil.example/schema" },
    };
    server.tools = {
      odd: {
        description: "x".repeat(5000),
        inputSchema: {
          $id: "https://evil.example/",
          type: "object",
          properties,
          $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
        } as never,
      },
      large: { inputSchema: { type: "object", properties: { a: { type: "string", enum: many(4000) } } } },
    };
    const job = await importAll();
    const odd = await stores.tools.get("up:odd");
    expect(odd.description).toHaveLength(2000);
    expect(JSON.stringify(odd.inputSchema)).not.toMatch(/evil|x-mcp-header|\(\?=/);
    await compileUntrusted(odd.inputSchema as JsonObject);
    expect(job.warnings.map(({ path, message }) => `${path}: ${message}`).join("\n")).toMatch(
      /odd: the pattern[^]*odd: the reference[^]*large: parts of its input schema/,
    );
  });

  it("wait for approval when changed, are deprecated when removed, and are read when new, on the server's notice", async () => {
    await add({ url: server.url });
    server.tools = { one: { description: "One." }, two: { description: "Two." } };
    await importAll();
    followToolChanges(0);
    server.tools = { one: { description: "One, and more." }, three: {} };
    server.announce();
    const standing = async () =>
      (await stores.tools.list({ limit: 50, source: "up" })).items
        .map(({ id, status }) => `${id} ${status}`)
        .toSorted();
    await vi.waitUntil(async () => (await standing()).includes("up:two deprecated"), { timeout: 15_000 });
    expect(await standing()).toContain("up:one quarantined");
  });

  it("that are meant for their server's own interface only are imported disabled", async () => {
    await add({ url: server.url });
    server.tools = {
      both: { _meta: { ui: { visibility: ["model", "app"] } } },
      plain: {},
      button: { _meta: { ui: { resourceUri: "ui://x", visibility: ["app"] } } },
    };
    const job = await importAll();
    expect(job.warnings).toEqual([
      { path: "button", message: expect.stringContaining("imported disabled") as unknown },
    ]);
    expect(await database.query("select id, enabled from tool where source = 'up' order by id")).toEqual([
      { id: "up:both", enabled: true },
      { id: "up:button", enabled: false },
      { id: "up:plain", enabled: true },
    ]);
  });

  it("keep icons and `_meta` at /mcp; what no client may open or carry is left out with a note", async () => {
    await add({ url: server.url });
    const icons = [{ src: "https://files.example/a.png", mimeType: "image/png", sizes: ["48x48"] }];
    const _meta = { ui: { resourceUri: "ui://chart" }, "vendor.example/group": "charts\u200b" };
    server.tools = {
      drawn: { icons: [...icons, { src: "http://files.example/b.png" }], _meta },
      plain: {},
      stuffed: { _meta: { note: "x".repeat(20_000) } },
    };
    const job = await importAll();
    expect(job.warnings.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      "drawn: an icon is left out: its address is neither https nor an image",
      expect.stringContaining("drawn: Its text holds U+200B") as unknown,
      "stuffed: `_meta` and icons are left out: holds more than 16384 characters",
    ]);
    expect((await stores.tools.get("up:drawn")).mcp).toEqual({ _meta, icons });
    const { json } = await agent.list("?format=mcp");
    const listed = json.data as unknown as Record<string, unknown>[];
    expect(listed.map(({ name, icons: shown, _meta: meta }) => [name, shown, meta])).toEqual([
      ["drawn", icons, { ..._meta, "vendor.example/group": "charts" }],
      ["plain", undefined, undefined],
      ["stuffed", undefined, undefined],
    ]);
    // Another `_meta` is another definition: it waits for a review.
    server.tools = { ...server.tools, drawn: { icons, _meta: { ui: { resourceUri: "ui://other" } } } };
    await startSync(ADMIN, "up");
    await vi.waitUntil(async () => (await stores.tools.get("up:drawn")).status === "quarantined", { timeout: 15_000 });
    expect((await getDrift("up:drawn")).notes).toContainEqual({
      severity: "medium",
      text: "The `_meta` or the icons changed.",
    });
  });

  it("are watched again when the notification stream ends, and the source's health reports a failure", async () => {
    await add({ url: server.url });
    server.tools = { one: { description: "One." }, two: { description: "Two." } };
    await importAll();
    followToolChanges(0);
    const listens = () => server.seen.filter((headers) => headers["mcp-method"] === "subscriptions/listen").length;
    const deafSince = async () => {
      const { json } = await ask(health.GET, "GET", "/api/admin/source-health", { role: "auditor" });
      return sourceHealthList.parse(json).items.find((row) => row.source === "up")?.deafSince;
    };
    const before = listens();
    server.endStreams();
    await vi.waitUntil(() => listens() > before, { timeout: 15_000 });
    expect(await deafSince()).toBeNull();
    // A change without a listener is found by the next listener.
    server.intercept = (headers) =>
      headers["mcp-method"] === "subscriptions/listen" ? new Response(null, { status: 503 }) : null;
    server.endStreams();
    await vi.waitUntil(async () => typeof (await deafSince()) === "string", { timeout: 15_000 });
    server.tools = { one: { description: "One, and more." }, two: { description: "Two." } };
    // As a server that has just started: it takes subscriptions, and cannot list its tools yet.
    let isStarting = true;
    server.intercept = (headers) => {
      if (!isStarting || headers["mcp-method"] !== "tools/list") return null;
      isStarting = false;
      return new Response(null, { status: 503 });
    };
    const one = async () => (await stores.tools.get("up:one")).status;
    await vi.waitUntil(async () => (await one()) === "quarantined", { timeout: 30_000 });
    expect(isStarting).toBe(false);
    expect(await deafSince()).toBeNull();
  });

  it("pass on an answer that does not fit its output schema with a warning, unless the source withholds it", async () => {
    await add({ url: server.url });
    const outputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] } as const;
    server.tools = { count: { outputSchema, run: () => ({ content: [], structuredContent: { n: "many" } }) } };
    await importAll();
    const counted = vi.spyOn(metrics().outputWarnings.of({ tool: "up:count", source: "up" }), "add");
    const wrong = await agent.call({ name: "count", arguments: {} });
    expect(counted).toHaveBeenCalledTimes(1);
    expect(wrong.json).toMatchObject({
      status: "succeeded",
      output: { n: "many" },
      output_warning: { problems: [{ pointer: "/n", message: 'must satisfy `type`: "number"' }] },
    });
    const row = await getExecution(wrong.json.call_id, { bodies: true });
    expect(row).toMatchObject({ status: "succeeded", code: "output_warning", error: { code: "output_warning" } });
    await vi.waitUntil(async () => (await listMisfits()).length > 0);
    const { items } = await currentFindings(findingQuery.parse({ kind: "output_does_not_fit" }));
    expect(items.map(({ about, text }) => [about.name, text])).toEqual([
      ["up:count", 'Results of `up:count` do not match its output schema at `/n`: must satisfy `type`: "number".'],
    ]);
    const { revision: _, createdAt: __, updatedAt: ___, ...stored } = await stores.sources.get("up");
    await stores.sources.replace(ADMIN, "up", { ...stored, outputCheck: "withhold" }, "*");
    expect((await agent.call({ name: "count", arguments: {} })).json.error?.code).toBe("output_invalid");
    // The setting of a tool takes precedence over its source's, in both directions.
    await setOutputCheck("up:count", "warn");
    expect((await agent.call({ name: "count", arguments: {} })).json).toMatchObject({ output: { n: "many" } });
    await stores.sources.replace(ADMIN, "up", { ...stored, outputCheck: "warn" }, "*");
    await setOutputCheck("up:count", "withhold");
    expect((await agent.call({ name: "count", arguments: {} })).json.error?.code).toBe("output_invalid");
    server.tools["count"] = { outputSchema, run: () => ({ content: [], structuredContent: { n: 3 } }) };
    const { json } = await agent.call({ name: "count", arguments: {} });
    expect(json).toMatchObject({ output: { n: 3 } });
    expect(json).not.toHaveProperty("content");
    const more = { type: "text", text: "Three of them." } as const;
    server.tools["count"] = { outputSchema, run: () => ({ content: [more], structuredContent: { n: 3 } }) };
    expect((await agent.call({ name: "count", arguments: {} })).json).toMatchObject({
      output: { n: 3 },
      content: [more],
    });
  });

  it("are called once, whatever they say of themselves and whatever key the caller brings", async () => {
    await add({ url: server.url });
    server.tools = { once: { annotations: { readOnlyHint: true, idempotentHint: true } } };
    await importAll();
    // A stream that ends without the answer: worth another try, were it known to do no harm.
    server.intercept = (headers) =>
      headers["mcp-method"] === "tools/call"
        ? new Response("", { headers: { "content-type": "text/event-stream" } })
        : null;
    server.seen.length = 0;
    const got = await agent.call({ name: "once", arguments: {} }, { "idempotency-key": "k-1" });
    expect(got.json.error).toMatchObject({ code: "upstream_unreachable", retryable: false });
    expect(server.seen.filter((headers) => headers["mcp-method"] === "tools/call")).toHaveLength(1);
  });

  it("are called with the source's credentials, which no one can read", async () => {
    await add({ url: server.url, auth: { mode: "bearer", secret: "upstream" } });
    server.tools = {
      tell: {
        description: `My key is ${TOKEN}.`,
        run: (_args, { mcpReq }) => textResult(`key ${TOKEN} ${String(mcpReq.id)}`),
      },
      fail: { run: () => textResult(`${"x".repeat(2040)}${TOKEN}`, true) },
    };
    await importAll();
    expect((await stores.tools.get("up:tell")).description).not.toContain(TOKEN);
    const succeeded = await agent.call({ name: "tell", arguments: {} });
    const failed = await agent.call({ name: "fail", arguments: {} });
    expect(succeeded.text).toContain("key ");
    for (const { text } of [succeeded, failed]) expect(text).not.toContain(TOKEN.slice(0, 6));
    expect(new Set(server.seen.map((headers) => headers.authorization))).toEqual(new Set([`Bearer ${TOKEN}`]));
    const stranger = source({ url: everything.url, auth: { mode: "bearer", secret: "upstream" } });
    await stores.sources.replace(ADMIN, "up", stranger, "*");
    expect((await read()).error).toContain("may not be sent to");
  });

  it("are counted page by page: no page is requested beyond the largest allowed number", async () => {
    await add({ url: server.url });
    const of = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`t${at}`, {}]));
    const lists = () => server.seen.filter((headers) => headers["mcp-method"] === "tools/list").length;
    server.tools = of(100);
    // Three on a page: the seventh page is one too many.
    expect(await read()).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/21 tools or more; at most 20 are imported \(MCP_TOOLS_PER_SOURCE\)/) as unknown,
    });
    expect(lists()).toBe(7);
    server.tools = of(20);
    expect((await importAll()).plan.added).toHaveLength(20);
  });

  it("that cannot be read produce a sentence that says what to do", async () => {
    const command = "/nowhere --at all";
    env.MCP_STDIO_ALLOW.push(command);
    await add({ command });
    // The operator withdraws it.
    env.MCP_STDIO_ALLOW.splice(env.MCP_STDIO_ALLOW.indexOf(command), 1);
    expect(await read()).toMatchObject({
      status: "failed",
      error: expect.stringContaining("MCP_STDIO_ALLOW") as unknown,
    });
    env.MCP_STDIO_ALLOW.push(command);
    expect((await read()).error).toMatch(/ENOENT.* Check `command`, and that the server runs/);
    env.MCP_STDIO_ALLOW.splice(env.MCP_STDIO_ALLOW.indexOf(command), 1);
    const refused = await ask(list.POST, "POST", "/api/admin/imports", { body: { source: "up", url: server.url } });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.json)).toContain("from its address");
  });
});

describe("a source of the kind mcp", () => {
  it.each([
    [{ kind: "http", command: "node x" }, "command"],
    [{ url: "https://a.example/mcp", command: "node x" }, "command"],
    [{ command: "node x", auth: { mode: "bearer", secret: "s" } }, "auth"],
    [{ command: "node  x\n" }, "command"],
  ])("is refused as %j", (fields, path) => {
    const parsed = sourceInput.safeParse({ name: "up", kind: "mcp", ...fields });
    expect(parsed.error?.issues.map((issue) => issue.path[0])).toContain(path);
  });
});

describe("a TrustGraph configuration with an MCP server", () => {
  it("is callable as imported, once its token is stored; a sync adopts the tool by its remote name", async () => {
    const remote = { "remote-name": "add numbers", url: server.url, "auth-token": "never read" };
    const tool = { type: "mcp-tool", "mcp-tool": "up", name: "adder", description: "Adds.", group: ["upstream"] };
    const rows = [
      { type: "mcp", key: "up", value: JSON.stringify(remote) },
      { type: "tool", key: "adder", value: JSON.stringify(tool) },
    ];
    server.tools = {
      "add numbers": {
        inputSchema: { type: "object", properties: { a: { type: "number" } } },
        run: (args) => textResult(`${String(args["a"])} and one`),
      },
      other: {},
    };
    const parsed = parseDocument(rows);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    await applyDocument(ADMIN, { merge: parsed.stated, fresh: parsed.fresh });
    const call = () => agent.call({ name: "adder", arguments: { a: 1 } });
    expect((await call()).json.error?.code).toBe("upstream_auth_failed");
    await setSecret(ADMIN, "up-token", { value: TOKEN, origins: [server.origin] });
    expect((await call()).text).toContain("1 and one");
    expect(server.seen.at(-1)?.authorization).toBe(`Bearer ${TOKEN}`);

    // The first call may have begun one already.
    await startSync(ADMIN, "up").catch(() => {});
    const synced = `select 1 from source_sync where source = 'up' and "syncedAt" is not null`;
    await vi.waitUntil(async () => (await database.query(synced)).length > 0, { timeout: 15_000 });
    expect(await database.query("select id from tool where source = 'up'")).toEqual([{ id: "up:add_numbers" }]);
    const drift = await database.query("select id, kind from drift order by id");
    expect(drift).toEqual([
      { id: "up:add_numbers", kind: "changed" },
      { id: "up:other", kind: "new" },
    ]);
    // Nothing changed at the server: the tool runs on as it was written, and what the server says waits.
    expect((await call()).text).toContain("1 and one");
  });
});

describe("a command that MCP_STDIO_ALLOW does not name", () => {
  const command = "/usr/bin/never --allowed";
  const refusal = {
    code: "invalid_request",
    errors: [{ path: "command", message: expect.stringContaining("MCP_STDIO_ALLOW") as unknown }],
  };

  it("is refused on save, in a new source and in one that is changed", async () => {
    await expect(add({ command })).rejects.toMatchObject(refusal);
    await add({ url: server.url });
    await expect(stores.sources.replace(ADMIN, "up", source({ command }), "*")).rejects.toMatchObject(refusal);
  });
  it("is named by a document's plan and refused by its application", async () => {
    const document = { merge: { sources: [{ name: "up", kind: "mcp", command }] } };
    const { errors } = await planDocument(ADMIN, document);
    expect(errors).toEqual([{ ...refusal.errors[0], path: "sources[up].command" }]);
    await expect(applyDocument(ADMIN, document)).rejects.toMatchObject({ code: "invalid_request" });
  });
  it("stays in a source that had it before the operator withdrew it: the source can still be switched off", async () => {
    env.MCP_STDIO_ALLOW.push(command);
    await add({ command });
    env.MCP_STDIO_ALLOW.splice(env.MCP_STDIO_ALLOW.indexOf(command), 1);
    await stores.sources.replace(ADMIN, "up", source({ command, enabled: false }), "*");
    expect(await stores.sources.get("up")).toMatchObject({ command, enabled: false });
  });
});

function source(fields: object) {
  return sourceInput.parse({ name: "up", kind: "mcp", ...fields });
}

function many(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `value ${index}`);
}
