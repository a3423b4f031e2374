import { describe, expect, it } from "vitest";
import * as list from "@/app/api/admin/[resource]/route";
import * as one from "@/app/api/admin/[resource]/[id]/route";
import * as config from "@/app/api/admin/config/route";
import { save, supportDocument } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

useDatabase();

const REMOTE = {
  type: "object",
  properties: { a: { items: [{ anyOf: [{ $ref: "https://evil.example/schema.json#/a" }] }] } },
};
const tool = (schemas: object) => ({
  id: "far:away",
  description: "Far.",
  inputSchema: { type: "object" },
  ...schemas,
});
const withTools = (...more: object[]) => {
  const document = supportDocument() as { sources: object[]; tools: object[] };
  const sources = [...document.sources, { name: "far", kind: "http" }];
  return { ...document, sources, tools: [...document.tools, ...more] };
};

describe.each(["inputSchema", "outputSchema"])("a remote $ref in an %s is refused", (field) => {
  const expected = { errors: [expect.objectContaining({ message: expect.stringContaining("another document") })] };

  it("by the tools of the admin API, new and changed", async () => {
    await save(withTools());
    const post = (schemas: object) =>
      ask(list.POST, "POST", "/api/admin/tools", { body: tool(schemas), params: { resource: "tools" } });
    const created = await post({ [field]: REMOTE });
    expect([created.status, created.json]).toMatchObject([400, expected]);
    expect((await post({})).status).toBe(201);
    const id = encodeURIComponent("far:away");
    const changed = await ask(one.PUT, "PUT", `/api/admin/tools/${id}`, {
      body: tool({ [field]: REMOTE }),
      headers: { "if-match": "*" },
      params: { resource: "tools", id },
    });
    expect([changed.status, changed.json]).toMatchObject([400, expected]);
  });

  it.each(["", "?dryRun=true"])("by the configuration document: PUT config%s", async (query) => {
    const body = withTools(tool({ [field]: REMOTE }));
    const answer = await ask(config.PUT, "PUT", `/api/admin/config${query}`, { body, headers: { "if-match": "*" } });
    expect(JSON.stringify(answer.json)).toContain("another document");
    const stored = await ask(config.GET, "GET", "/api/admin/config", { headers: { accept: "application/json" } });
    expect(stored.text).not.toContain("evil.example");
  });
});

it.each(["$dynamicRef", "$recursiveRef"])(
  "a remote %s is refused too; one within the schema is not",
  async (keyword) => {
    await save(withTools());
    const post = (address: string) => {
      const inputSchema = { type: "object", properties: { a: { [keyword]: address } } };
      return ask(list.POST, "POST", "/api/admin/tools", { body: tool({ inputSchema }), params: { resource: "tools" } });
    };
    const refused = await post("https://evil.example/schema.json");
    expect([refused.status, JSON.stringify(refused.json)]).toEqual([
      400,
      expect.stringContaining(`another document (\`${keyword}\``),
    ]);
    expect((await post("#")).status).toBe(201);
  },
);

it("a property may be called $ref, and data may look like one", async () => {
  const inputSchema = {
    type: "object",
    properties: { $ref: { type: "string", default: "https://a.example" } },
    examples: [{ $ref: "https://a.example" }],
  };
  await expect(save(withTools(tool({ inputSchema })))).resolves.not.toThrow();
});
