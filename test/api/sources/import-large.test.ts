import { monitorEventLoopDelay } from "node:perf_hooks";
import { describe, expect, it, vi } from "vitest";
import * as list from "@/app/api/admin/imports/route";
import * as item from "@/app/api/admin/imports/[id]/route";
import * as events from "@/app/api/admin/imports/[id]/events/route";
import { importJob, MAX_DOCUMENT_BYTES } from "@/lib/contracts/sources/import-job";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

useDatabase();

const OPERATIONS = 600;

/** Some megabytes of operations over schemas that refer to each other. */
function large(): string {
  const schemas = Object.fromEntries(
    Array.from({ length: OPERATIONS }, (_, index) => {
      const properties = { next: { $ref: `#/components/schemas/S${(index * 7 + 1) % OPERATIONS}` } };
      return [`S${index}`, { type: "object", description: "d".repeat(8000), properties }];
    }),
  );
  const paths = Object.fromEntries(
    Array.from({ length: OPERATIONS }, (_, index) => {
      const content = { "application/json": { schema: { $ref: `#/components/schemas/S${index}` } } };
      return [`/p${index}`, { post: { operationId: `op${index}`, requestBody: { required: true, content } } }];
    }),
  );
  return JSON.stringify({
    openapi: "3.1.0",
    servers: [{ url: "https://api.example" }],
    paths,
    components: { schemas },
  });
}

const start = (body: object) => ask<{ id: string }>(list.POST, "POST", "/api/admin/imports", { body });
const read = async (id: string) =>
  importJob.parse((await ask(item.GET, "GET", `/api/admin/imports/${id}`, { params: { id } })).json);

describe("a document of megabytes", () => {
  it("runs in parallel: no other request waits for long, and its progress can be followed", async () => {
    const document = large();
    expect(document.length).toBeGreaterThan(4 * 1024 * 1024);
    const started = await start({ source: "big", document });
    expect(started.status).toBe(202);
    const { id } = started.json;
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const followed = await ask(events.GET, "GET", `/api/admin/imports/${id}/events`, { params: { id } });
    delay.disable();
    expect(followed.headers.get("content-type")).toBe("text/event-stream");
    expect(followed.text).toMatch(/^: open\n\nevent: progress\ndata: \{"status":"running","done":0,/);
    const [, result = ""] = followed.text.split("event: result\ndata: ");
    const job = importJob.parse(JSON.parse(result));
    expect(job).toMatchObject({ status: "planned", done: OPERATIONS, total: OPERATIONS });
    expect(job.plan.added).toHaveLength(OPERATIONS);
    expect(await read(id)).toEqual(job);
    // Reading takes a second or more; other requests are answered meanwhile (nanoseconds).
    expect(delay.percentile(99) / 1e6).toBeLessThan(500);
  });

  it("is refused beyond 32 MiB, before it is read", async () => {
    const headers = { "content-type": "application/json", "content-length": String(MAX_DOCUMENT_BYTES + 1) };
    const answer = await ask(list.POST, "POST", "/api/admin/imports", { text: "{}", headers });
    expect(answer.status).toBe(413);
  });

  it("with endless nesting is refused with a sentence, and the next one is read", async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
    const { json } = await start({ source: "deep", document: deep });
    await vi.waitUntil(async () => (await read(json.id)).status === "failed", { timeout: 15_000 });
    expect((await read(json.id)).error).toMatch(/nested/);
    const next = await start({ source: "next", document: "openapi: 3.1.0\npaths: {}" });
    await vi.waitUntil(async () => (await read(next.json.id)).status === "planned", { timeout: 15_000 });
  });
});
