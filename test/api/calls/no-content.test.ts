import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listMisfits } from "@/lib/store/calls/output-misfits";
import { Client, keyOf, save } from "@/test/api/agents-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { serve, type Served } from "@/test/support/servers/serve";

useDatabase();
let upstream: Served;
let caller: Client;

const tool = (id: string, status: number) => ({
  id,
  description: `Answers with status ${status}.`,
  inputSchema: { type: "object" },
  outputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  run: { kind: "http", method: "DELETE", url: `${upstream.origin}/${status}` },
});

beforeAll(async () => {
  upstream = await serve(async (request) => {
    const status = Number(new URL(request.url).pathname.slice(1));
    return status === 200 ? Response.json({ other: true }) : new Response(null, { status });
  });
  allowOutbound(upstream.host);
  await save({
    apiVersion: "quartermaster/v1",
    sources: [
      { name: "imported", kind: "openapi" },
      { name: "written", kind: "http" },
    ],
    tools: [200, 204, 205].flatMap((status) => [
      tool(`imported:s${status}`, status),
      tool(`written:s${status}`, status),
    ]),
    policies: [{ name: "all", everyone: true, groups: ["*"] }],
    agents: [{ name: "caller" }],
  });
  caller = new Client(await keyOf("caller"));
});
afterAll(() => upstream.close());

describe.each(["imported", "written"])("an answer without content of an %s tool", (source) => {
  it.each([204, 205])(
    "with status %i is not checked against the schema of answers that have content",
    async (status) => {
      const { json } = await caller.call({ tool_id: `${source}:s${status}`, arguments: {} });
      expect(json).toMatchObject({ status: "succeeded", output: null });
      expect(json.output_warning).toBeUndefined();
      expect((await listMisfits()).map(({ toolId }) => toolId)).not.toContain(`${source}:s${status}`);
    },
  );
});

it("an answer with content is checked against it", async () => {
  const imported = await caller.call({ tool_id: "imported:s200", arguments: {} });
  expect(imported.json).toMatchObject({ status: "succeeded", output_warning: { problems: [{ pointer: "" }] } });
  const written = await caller.call({ tool_id: "written:s200", arguments: {} });
  expect(written.json.error?.code).toBe("output_invalid");
});
