import { describe, expect, test } from "vitest";
import { snippetsFor } from "@/components/agents/snippets";
import { simplestTool } from "@/components/agents/use-example-call";

const ORIGIN = "https://tools.example.com";
const KEY = "qm_abc_def";

describe("the code that connects an agent", () => {
  const example = { tool_id: "shop:find", arguments: { text: "Ada's" } };
  const filled = snippetsFor(ORIGIN, { kind: "key", key: KEY }, example);
  const open = snippetsFor(ORIGIN, { kind: "variable" }, example);

  test("has the address everywhere, and the key only when it is given", () => {
    for (const { code } of [...filled, ...open]) expect(code).toContain(ORIGIN);
    for (const { code } of filled) {
      expect(code).toContain(`Bearer ${KEY}`);
      expect(code).not.toContain("QUARTERMASTER_KEY");
    }
    for (const { code } of open) {
      expect(code).toContain("QUARTERMASTER_KEY");
      expect(code).not.toContain("qm_");
    }
  });

  test("as curl calls the tool that the agent sees, quoted for a shell, or only lists", () => {
    const [curl] = filled;
    expect(curl?.code).toContain(`-d '{"tool_id":"shop:find","arguments":{"text":"Ada'\\''s"}}'`);
    const [list] = snippetsFor(ORIGIN, { kind: "variable" }, null);
    expect(list?.code).toContain("/api/agents/tools");
    expect(list?.code).not.toContain("/call");
  });

  test("for an MCP client is JSON", () => {
    const mcp = filled.find(({ value }) => value === "mcp");
    expect(JSON.parse(mcp?.code ?? "")).toEqual({
      mcpServers: {
        quartermaster: { type: "http", url: `${ORIGIN}/mcp`, headers: { Authorization: `Bearer ${KEY}` } },
      },
    });
  });
});

test("the example call is of a tool that changes nothing and needs nothing, if there is one", () => {
  const tool = (id: string, hasSideEffects: boolean, required?: string[]) => ({
    id,
    hasSideEffects,
    inputSchema: { type: "object", ...(required !== undefined && { required }) },
  });
  const [pay, get, list] = [tool("pay", true), tool("get", false, ["id"]), tool("list", false, [])];
  expect(simplestTool([pay, get, list])?.id).toBe("list");
  expect(simplestTool([pay, get])?.id).toBe("get");
  expect(simplestTool([pay])?.id).toBe("pay");
});
