import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { DriftItem } from "@/lib/contracts/sources/drift";
import { sourceInput } from "@/lib/resources/source";
import { applyImport } from "@/lib/sources/import/apply-import";
import { approveDrift } from "@/lib/sources/drift/decide-drift";
import { listDrift } from "@/lib/sources/drift/drift";
import { startImport } from "@/lib/sources/import/import";
import { followToolChanges } from "@/lib/sources/mcp/follow-changes";
import { bundleSchema } from "@/lib/sources/mcp/keep-schema";
import { startDueSyncs, startSync } from "@/lib/sources/sync";
import { getImportJob } from "@/lib/store/sources/import-jobs";
import { stores } from "@/lib/store/config/index";
import { listSourceHealth } from "@/lib/store/sources/source-syncs";
import { sharedMcpConnections } from "@/lib/calls/mcp/connections";
import { ADMIN, Client, keyOf, save } from "@/test/api/agents-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { startMcpServer, textResult, type FixtureTool, type McpServer } from "@/test/support/servers/mcp-server";

const database = useDatabase();

let server: McpServer;
let agent: Client;
beforeAll(async () => {
  server = await startMcpServer();
  allowOutbound(server.host);
  await save({
    apiVersion: "quartermaster/v1",
    policies: [{ name: "all", everyone: true, groups: ["*"] }],
    agents: [{ name: "caller" }],
  });
  agent = new Client(await keyOf("caller"));
  followToolChanges(0);
});
afterAll(async () => {
  await sharedMcpConnections().close();
  await server.close();
});
beforeEach(async () => {
  await stores.sources.create(ADMIN, sourceInput.parse({ name: "up", kind: "mcp", url: server.url, syncMinutes: 10 }));
});
afterEach(async () => {
  await rested();
  await database.query("truncate source, source_sync, tool, drift, import_job, upstream_definition");
});

const says = (text: string, more: FixtureTool = {}): FixtureTool => ({
  description: text,
  annotations: { readOnlyHint: true },
  run: () => textResult(text),
  ...more,
});

async function ended(id: string, status: string): Promise<void> {
  await vi.waitUntil(async () => ["failed", status].includes((await getImportJob(id)).status), { timeout: 15_000 });
  expect(await getImportJob(id)).toMatchObject({ status, error: null });
}

async function importAll(): Promise<void> {
  const id = await startImport(ADMIN, { source: "up" });
  await ended(id, "planned");
  await applyImport(ADMIN, id, { operations: "all", groups: [] });
}

const sync = async () => ended(await startSync(ADMIN, "up"), "applied");
/** Waits until nothing is being synchronised. */
const rested = () =>
  vi.waitUntil(async () => (await listSourceHealth(new Date())).every(({ busy }) => !busy), { timeout: 15_000 });

async function standing(): Promise<Record<string, string>> {
  const { items } = await stores.tools.list({ limit: 50, source: "up" });
  return Object.fromEntries(items.map(({ operation, status }) => [operation, status]));
}

async function waiting(): Promise<Record<string, DriftItem>> {
  const { items } = await listDrift({ limit: 50 });
  return Object.fromEntries(items.map((item) => [item.id.slice("up:".length), item]));
}

const call = async (operation: string) => {
  const { json } = await agent.call({ tool_id: `up:${operation}`, arguments: {} });
  return json.error?.code ?? json.output;
};
const lists = () => server.seen.filter((headers) => headers["mcp-method"] === "tools/list").length;

describe("the tools of an MCP server whose list changes", () => {
  it("are identified by name: a new name is a new tool, and the old one is gone", async () => {
    server.tools = { read: says("Reads."), "a.b": says("One."), "a/b": says("Other.") };
    await importAll();
    const [dotted] = Object.keys(await standing()).filter((name) => name.startsWith("a_b_"));
    server.tools = { fetch: says("Reads."), "a/b": says("Other."), "a.b": says("One.") };
    await sync();
    expect(await standing()).toMatchObject({ read: "deprecated", [dotted!]: "active" });
    expect(await waiting()).toMatchObject({ read: { kind: "removed" }, fetch: { kind: "new" } });
    expect(Object.keys(await waiting())).toHaveLength(2);
    expect([await call("read"), await call("fetch")]).toEqual(["tool_not_available", "tool_not_available"]);
    await approveDrift(ADMIN, Object.values(await waiting()));
    expect([await call("read"), await call("fetch")]).toEqual(["tool_not_available", "Reads."]);
    await sync();
    expect(await waiting()).toEqual({});
  });

  it("do not wait where only the import keeps more of their schemas than it did", async () => {
    const inputSchema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: { id: { type: "string" } },
      properties: { id: { $ref: "#/$defs/id" } },
    } as const;
    server.tools = { read: says("Reads.", { inputSchema: inputSchema as never }) };
    await importAll();
    // As a version that bundled every schema had stored it, and what it had heard.
    const bundled = bundleSchema(inputSchema, () => {}).schema;
    expect(bundled).not.toEqual(inputSchema);
    const { revision, createdAt, updatedAt, definitionHash: _, ...row } = await stores.tools.get("up:read");
    await stores.tools.replace(ADMIN, "up:read", { ...row, inputSchema: bundled as never }, "*");
    await database.query("update upstream_definition set definition = jsonb_set(definition, '{inputSchema}', $1)", [
      JSON.stringify(bundled),
    ]);
    await sync();
    expect(await standing()).toEqual({ read: "active" });
    expect((await stores.tools.get("up:read")).inputSchema).toEqual(inputSchema);
    server.tools = {
      read: says("Reads.", {
        inputSchema: { ...inputSchema, $defs: { id: { type: "string", description: "New." } } } as never,
      }),
    };
    await sync();
    expect(await standing()).toEqual({ read: "quarantined" });
  });

  it("keep the approved definition while they wait, and name the differences", async () => {
    server.tools = { write: says("Writes.", { inputSchema: { type: "object" }, title: "Write" }) };
    await importAll();
    const { revision, createdAt, updatedAt, definitionHash: _, ...row } = await stores.tools.get("up:write");
    await stores.tools.replace(ADMIN, "up:write", { ...row, description: "Mine." }, "*");
    const { definitionHash } = await stores.tools.get("up:write");
    server.tools = {
      write: says("Writes, and obeys.", {
        inputSchema: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
        outputSchema: { type: "object" },
        annotations: { destructiveHint: true },
        title: "Write anywhere",
      }),
    };
    await sync();
    expect(await stores.tools.get("up:write")).toMatchObject({
      status: "quarantined",
      description: "Mine.",
      definitionHash,
    });
    const { write } = await waiting();
    expect(write).toMatchObject({ kind: "changed", severity: "high" });
    const sentences = write!.notes.map(({ text }) => text).join("\n");
    for (const part of ["side effects", "read-only", "destructive", "`to`", "output schema", "display name"])
      expect(sentences).toContain(part);
    await approveDrift(ADMIN, [write!]);
    expect(await stores.tools.get("up:write")).toMatchObject({
      status: "active",
      description: "Mine.",
      displayName: "Write anywhere",
      hasSideEffects: true,
    });
  });

  it("come back as they were, or wait again when they come back as others", async () => {
    const both = { one: says("One."), two: says("Two.") };
    server.tools = both;
    await importAll();
    server.tools = { three: says("Three.") };
    await sync();
    expect(await standing()).toEqual({ one: "deprecated", two: "deprecated" });
    server.tools = { ...both, two: says("Two, and more.") };
    await sync();
    expect(await standing()).toEqual({ one: "active", two: "quarantined" });
    expect(Object.keys(await waiting())).toEqual(["two"]);
    expect([await call("one"), await call("two")]).toEqual(["One.", "tool_not_available"]);
  });
});

describe("a change without a notice", () => {
  it("is found after the first call over a new connection, with one request", async () => {
    server.tools = { one: says("One."), two: says("Two.") };
    await importAll();
    await sharedMcpConnections().close();
    server.tools = { one: says("One."), two: says("Two, and more.") };
    server.announce();
    server.seen.length = 0;
    expect(await call("one")).toBe("One.");
    await vi.waitUntil(async () => (await standing())["two"] === "quarantined", { timeout: 15_000 });
    await rested();
    const asked = lists();
    expect(asked).toBeGreaterThan(0);
    expect(await call("one")).toBe("One.");
    await rested();
    expect(lists()).toBe(asked);
  });

  it("that a server announces after each listing is followed with a pause between syncs", async () => {
    server.tools = { one: says("One.") };
    followToolChanges(4_000);
    const { intercept } = server;
    server.intercept = (headers, path) => {
      if (headers["mcp-method"] === "tools/list") setTimeout(() => server.announce(), 50);
      return intercept(headers, path);
    };
    await importAll();
    const started = () =>
      database.query<{ at: Date }>(
        `select "createdAt" as at from import_job where "createdBy" = 'tools changed' order by 1`,
      );
    // Each sync follows the notice of the listing before it.
    await vi.waitUntil(async () => (await started()).length === 3, { timeout: 30_000 });
    server.intercept = intercept;
    followToolChanges(0);
    const times = (await started()).map(({ at }) => at.getTime());
    for (const [at, time] of times.slice(1).entries()) expect(time - times[at]!).toBeGreaterThan(3_500);
  }, 40_000);

  it("is found by the scheduled sync when there are no calls", async () => {
    server.tools = { one: says("One.") };
    await importAll();
    await sharedMcpConnections().close();
    server.tools = { one: says("One, and more.") };
    expect(await startDueSyncs(new Date(Date.now() + 10 * 60_000))).toBe(1);
    await vi.waitUntil(async () => (await standing())["one"] === "quarantined", { timeout: 15_000 });
  });
});
