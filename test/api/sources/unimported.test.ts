import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { applyImport } from "@/lib/sources/import/apply-import";
import { startImport } from "@/lib/sources/import/import";
import { stores } from "@/lib/store/config/index";
import { getImportJob } from "@/lib/store/sources/import-jobs";
import { Client, keyOf, save } from "@/test/api/agents-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { serve, type Served } from "@/test/support/servers/serve";

// A grant covers one operation (docs/reference/execution.md): no argument reaches an operation that nobody imported.

useDatabase();
const ADMIN = { kind: "system", name: "test", role: "admin" } as const;
const seen: string[] = [];
let upstream: Served;
let caller: Client;

const idParameter = { name: "id", in: "path", required: true, schema: { type: "string" } };
const PATHS = {
  "/users/{id}": { get: { operationId: "read", parameters: [idParameter] } },
  "/users/export": { get: { operationId: "export" } },
  "/users/purge": { delete: { operationId: "purge" } },
};

async function importOperations(operations: readonly string[]) {
  const document = { openapi: "3.1.0", servers: [{ url: upstream.origin }], paths: PATHS };
  const id = await startImport(ADMIN, { source: "api", document });
  await vi.waitUntil(async () => (await getImportJob(id)).status === "planned", { timeout: 10_000 });
  await applyImport(ADMIN, id, { operations: [...operations], groups: ["default"] });
}

const read = (value: string) => caller.call({ tool_id: "api:read", arguments: { id: value } });

beforeAll(async () => {
  upstream = await serve((request) => {
    seen.push(new URL(request.url).pathname);
    return Promise.resolve(Response.json({}));
  });
  allowOutbound(upstream.host);
  await save({
    apiVersion: "quartermaster/v1",
    policies: [{ name: "all", everyone: true, groups: ["*"] }],
    agents: [{ name: "caller" }],
  });
  caller = new Client(await keyOf("caller"));
  await importOperations(["api:read"]);
});
afterAll(() => upstream.close());

describe("a path argument", () => {
  it("reaches the tool's own operation", async () => {
    expect((await read("7")).json.status).toBe("succeeded");
    expect((await read("purge")).json.status).toBe("succeeded");
    expect(seen).toEqual(["/users/7", "/users/purge"]);
  });

  it.each(["export", "EXPORT", "export.json", "export;v=1"])(
    "does not reach an operation that was declined: %j",
    async (value) => {
      const before = seen.length;
      const { json } = await read(value);
      expect(json.error?.code).toBe("invalid_arguments");
      expect(seen).toHaveLength(before);
    },
  );

  it("does not reach an operation whose tool was imported and deleted", async () => {
    await importOperations(["api:export"]);
    expect((await caller.call({ tool_id: "api:export", arguments: {} })).json.status).toBe("succeeded");
    expect((await read("export")).json.error?.code).toBe("invalid_arguments");
    const { revision } = await stores.tools.get("api:export");
    await stores.tools.remove(ADMIN, "api:export", revision);
    expect((await read("export")).json.error?.code).toBe("invalid_arguments");
  });
});
