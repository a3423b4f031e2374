import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pause, resume } from "@/lib/store/calls/pauses";
import { ADMIN, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { connect, ERAS, serveMcp, type McpEndpoint } from "@/test/api/mcp-world";
import { useDatabase } from "@/test/support/database";

// `request_access` in the lists of `/mcp` (docs/reference/http.md#access-requests).

useDatabase();
let endpoint: McpEndpoint;
let reader: string;
let suspended: string;

beforeAll(async () => {
  const document = supportDocument() as Record<"sources" | "tools" | "groups" | "policies", object[]>;
  const tools = Array.from({ length: 60 }, (_, number) => ({
    id: `many:t${number}`,
    description: "One of many.",
    inputSchema: { type: "object" },
    groups: ["many"],
  }));
  await save({
    ...document,
    sources: [...document.sources, { name: "many", kind: "http" }],
    tools: [...document.tools, ...tools],
    groups: [...document.groups, { name: "many" }],
    policies: [
      ...document.policies,
      { name: "on-request", effect: "request", maxHours: 2, everyone: true, groups: ["many"] },
    ],
  });
  [reader, suspended] = [await keyOf("reader"), await keyOf("suspended")];
  endpoint = await serveMcp();
});
afterAll(() => endpoint.close());

describe.each(ERAS)("in the era of %s", (era) => {
  async function listed(credential: string, query = "") {
    const { client } = await connect(endpoint, { credential, era, query });
    return (await client.listTools().finally(() => client.close())).tools;
  }

  it("is the last tool, and names at most 50 tools of those that the caller may request", async () => {
    const tools = await listed(reader);
    expect(tools.map(({ name }) => name).indexOf("request_access")).toBe(tools.length - 1);
    const { tool } = tools.at(-1)!.inputSchema.properties as { tool: { enum: string[] } };
    expect(tool.enum).toHaveLength(50);
    expect(tool.enum.every((id) => id.startsWith("many:"))).toBe(true);
  });

  it("is absent for callers who may request nothing, without groups, and while all calls are paused", async () => {
    const names = async (credential: string, query = "") => (await listed(credential, query)).map(({ name }) => name);
    expect(await names(suspended)).not.toContain("request_access");
    expect(await names(reader, "?group=")).not.toContain("request_access");
    await pause(ADMIN, { scope: "all", name: null, reason: "An incident." });
    try {
      expect(await names(reader)).not.toContain("request_access");
    } finally {
      await resume(ADMIN, { scope: "all", name: null });
    }
    expect(await names(reader)).toContain("request_access");
  });
});
