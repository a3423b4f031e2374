import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallOutput } from "@/lib/contracts/agents/agent-api";
import { getExecution } from "@/lib/store/log/executions";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { connect, ERAS, serveMcp, type McpEndpoint } from "@/test/api/mcp-world";
import { useDatabase } from "@/test/support/database";

useDatabase();
let agent: Client;
let mcp: McpEndpoint;

/** Two sources have a tool of one name; the script `asks` calls it by that name. */
async function grant(...sources: string[]): Promise<void> {
  const document = supportDocument() as Record<"sources" | "tools" | "groups" | "policies", object[]>;
  const script = (id: string, name: string, code: string) => ({
    id,
    name,
    description: "A script.",
    inputSchema: { type: "object" },
    run: { kind: "script", code },
  });
  await save({
    ...document,
    sources: [...document.sources, ...["one", "two"].map((name) => ({ name, kind: "script" }))],
    tools: [
      ...document.tools,
      script("one:get", "twin", "export default () => 'one';"),
      script("two:get", "twin", "export default () => 'two';"),
      script(
        "one:asks",
        "asks",
        "export default async (args, { callTool }) => { try { return await callTool('twin'); } catch ({ code }) { return code; } };",
      ),
    ],
    groups: [...document.groups, ...["one", "two"].map((name) => ({ name, selectors: [{ source: name }] }))],
    policies: [...document.policies, { name: "twins", everyone: true, groups: sources }],
  });
}

beforeAll(async () => {
  await grant("one");
  agent = new Client(await keyOf("reader"));
  mcp = await serveMcp();
});
afterAll(() => mcp.close());

const call = (name: string, more: object = {}) => agent.call({ name, arguments: {}, ...more });
const twins = async () =>
  (await agent.list()).json.data.filter(({ tool_id }) => tool_id.endsWith(":get")).map(({ name }) => name);

describe("a name that an agent has learnt", () => {
  it("is answered by its tool while the name is unique", async () => {
    expect(await twins()).toEqual(["twin"]);
    expect((await call("twin")).json.output).toBe("one");
    expect((await call("asks")).json.output).toBe("one");
  });

  it("is refused with the candidates at every entrance once another tool of the name is granted", async () => {
    await grant("one", "two");
    const names = await twins();
    expect(names).toEqual([expect.stringMatching(/^twin_[0-9a-f]{6}$/), expect.stringMatching(/^twin_[0-9a-f]{6}$/)]);
    const candidates = ["one:get", "two:get"];
    for (const refused of [
      await call("twin"),
      await call("call_tool", { listing: "search", arguments: { name: "twin", arguments: {} } }),
      await call("describe_tool", { listing: "search", arguments: { name: "twin" } }),
    ]) {
      expect(refused).toMatchObject({
        status: 409,
        json: { error: { code: "ambiguous_name", details: { candidates } } },
      });
      const { call_id } = refused.json as CallOutput;
      expect(await getExecution(call_id, { bodies: false })).toMatchObject({
        reason: "ambiguous_name",
      });
    }
    expect((await call("asks")).json.output).toBe("ambiguous_name");
    expect(await Promise.all(names.map(async (name) => (await call(name)).json.output))).toEqual(["one", "two"]);
    expect((await agent.call({ tool_id: "two:get", arguments: {} })).json.output).toBe("two");
  });

  it.each(ERAS)("is refused at /mcp, %s", async (era) => {
    await grant("one", "two");
    const { client } = await connect(mcp, { credential: agent.credential, era });
    try {
      await expect(client.callTool({ name: "twin", arguments: {} })).rejects.toThrow(/one:get, two:get/);
    } finally {
      await client.close();
    }
  });
});
