import { beforeAll, describe, expect, it } from "vitest";
import { manifestFormat, toolsOutput } from "@/lib/contracts/agents/agent-api";
import { findApproval, waitingJob } from "@/lib/store/calls/approvals";
import { getExecution } from "@/lib/store/log/executions";
import { builtinTools } from "@/lib/calls/builtin/index";
import type { Job } from "@/lib/calls/queue/queued";
import { argumentsDigest } from "@/lib/calls/record/record";
import { Client, keyOf, save, supportDocument, supportTool, type List, type Problem } from "@/test/api/agents-world";
import { LINTERS } from "@/test/manifest/lint";
import { useDatabase } from "@/test/support/database";

useDatabase();
let reader: Client;
let refunder: Client;

beforeAll(async () => {
  await save(supportDocument());
  reader = new Client(await keyOf("reader"));
  refunder = new Client(await keyOf("refunder"));
});

/** A list with the fields that these tests read next to its tools. */
interface Rendered extends Omit<List, "data"> {
  readonly data: readonly (Record<string, unknown> & { readonly name: string })[];
  readonly tokens: number;
  readonly notes?: readonly { readonly name: string; readonly kind: string; readonly reason: string }[];
}

const listed = async (query: string) => (await refunder.list<Rendered>(query)).json;

describe("a list in a vendor's format", () => {
  it.each(manifestFormat.options.filter((format) => format !== "native"))(
    "%s would be taken by the vendor",
    async (format) => {
      const list = await listed(`?format=${format}`);
      toolsOutput.parse(list);
      expect(list.data.length).toBe(list.count);
      expect(LINTERS[format](list.data)).toEqual([]);
    },
  );

  it("states for each tool that is not strict the reason, and for no other", async () => {
    const { data, notes = [] } = await listed("?format=openai");
    expect(notes.map(({ name }) => name)).toEqual(
      data.filter((tool) => tool["strict"] === false).map(({ name }) => name),
    );
    expect(notes).toContainEqual({
      name: "search_tools",
      kind: "not_strict",
      reason: "`minLength` cannot be stated at /query.",
    });
  });

  it("keeps keywords that strict mode cannot express by sending the schema without it", async () => {
    const { data } = await listed("?format=openai");
    const search = data.find(({ name }) => name === "search_tools");
    expect(search?.["parameters"]).toMatchObject({
      properties: { query: { minLength: 1, maxLength: 200 } },
      required: ["query"],
    });
  });

  it("estimates the tokens that it takes in a model's context", async () => {
    for (const format of manifestFormat.options) {
      const { tokens, data } = await listed(`?format=${format}`);
      expect(tokens).toBe(Math.ceil(JSON.stringify(data).length / 4));
    }
  });
});

describe("tools that are left to the vendor's tool search", () => {
  it.each([
    ["openai" as const, { type: "tool_search" }],
    ["anthropic" as const, { type: "tool_search_tool_bm25_20251119", name: "tool_search_tool_bm25" }],
  ])("%s: all tools are deferred, and the search tool comes first", async (format, search) => {
    const { data, count } = await listed(`?format=${format}&defer_loading=true`);
    expect(data[0]).toEqual(search);
    expect(data.slice(1).map((tool) => tool["defer_loading"])).toEqual(Array.from({ length: count }, () => true));
    expect(LINTERS[format](data)).toEqual([]);
    expect(JSON.stringify(await listed(`?format=${format}`))).not.toContain("defer_loading");
  });

  it.each(manifestFormat.options.filter((format) => format !== "openai" && format !== "anthropic"))(
    "%s has none, and states that",
    async (format) => {
      const answer = await refunder.list<Problem>(`?format=${format}&defer_loading=true`);
      expect([answer.status, answer.json.errors.map(({ path }) => path)]).toEqual([400, ["defer_loading"]]);
    },
  );

  it("an empty list holds no search either", async () => {
    expect((await listed("?format=anthropic&defer_loading=true&group=")).data).toEqual([]);
  });
});

describe("nulls", () => {
  it("that strict mode forces are gone before arguments are checked, run and logged", async () => {
    const { json, status } = await reader.call({
      tool_id: "builtin:search_tools",
      arguments: { query: "order", limit: null },
    });
    expect([status, json.status]).toEqual([200, "succeeded"]);
    const logged = await getExecution(json.call_id, { bodies: true });
    expect(logged?.arguments).toEqual({ query: "order" });
  });

  it("for required properties stay, and are refused", async () => {
    const { json } = await reader.call({ tool_id: "builtin:search_tools", arguments: { query: null } });
    expect(json.error?.code).toBe("invalid_arguments");
    expect((await getExecution(json.call_id, { bodies: true }))?.arguments).toEqual({ query: null });
  });

  it("that a schema allows reach the tool", async () => {
    const { json } = await reader.call({
      tool_id: "builtin:json_query",
      arguments: { document: null, expression: "a" },
    });
    expect([json.status, json.output]).toEqual(["succeeded", { result: null }]);
  });

  it("are gone from what a person approves, and from what waits for it", async () => {
    const tools = [supportTool("builtin:search_tools", { requiresApproval: true })];
    await save({
      apiVersion: "quartermaster/v1",
      tools: [...builtinTools().filter(({ id }) => id !== "builtin:search_tools"), ...tools],
    });
    const { json } = await reader.call({ tool_id: "builtin:search_tools", arguments: { query: "order", limit: null } });
    expect(json.status).toBe("awaiting_approval");
    const approval = await findApproval(json.call_id);
    expect(approval?.argumentsDigest).toBe(argumentsDigest({ arguments: { query: "order" } }));
    expect((JSON.parse((await waitingJob(json.call_id)) ?? "") as Job).call.arguments).toEqual({ query: "order" });
  });
});

it("a list over its vendor's limit says so in a header", async () => {
  const many = { description: "One of many.", inputSchema: { type: "object" } };
  const tools = Array.from({ length: 130 }, (_, n) => ({ id: `many:t${n}`, ...many }));
  await save({
    ...supportDocument({ tools: [...builtinTools(), ...tools] }),
    sources: [...(supportDocument() as { sources: object[] }).sources, { name: "many", kind: "script" }],
    policies: [{ name: "all", everyone: true, groups: ["*"] }],
  });
  const limit = async (query: string) => (await reader.list(query)).headers.get("x-qm-vendor-limit");
  const { count } = (await reader.list()).json;
  expect(await limit("?format=openai-chat")).toBe(`128; tools=${count}`);
  for (const query of ["", "?format=openai", "?format=openai-chat&limit=128", "?format=openai-chat&listing=search"])
    expect(await limit(query)).toBeNull();
  expect(await limit("?format=openai-chat&limit=129")).toBe("128; tools=129");
});
