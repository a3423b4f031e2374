import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { snippetsFor } from "@/components/agents/snippets";
import { simplestFirst, simplestTool } from "@/components/agents/use-example-call";

const ORIGIN = "https://tools.example.com";
const KEY = "qm_abc_def";

describe("the code that connects an agent", () => {
  const example = { tool_id: "shop:find", arguments: { text: "Ada's" } };
  const base = { origin: ORIGIN, example, inSession: false };
  const filled = snippetsFor({ ...base, given: { kind: "key", key: KEY } });
  const open = snippetsFor({ ...base, given: { kind: "variable" } });

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
    const [list] = snippetsFor({ ...base, given: { kind: "variable" }, example: null });
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

test("code for an agent whose state is in a session creates one with all granted groups, and names it", () => {
  const example = { tool_id: "shop:find", arguments: { text: "Ada's" } };
  const snippets = snippetsFor({ origin: ORIGIN, given: { kind: "key", key: KEY }, example, inSession: true });
  const codes = Object.fromEntries(snippets.map(({ value, code }) => [value, code]));
  for (const client of ["curl", "ai-sdk", "openai", "anthropic"]) {
    expect(codes[client]).toContain(`${ORIGIN}/api/agents/sessions`);
    expect(codes[client]).toContain('{"group":["*"]}');
  }
  expect(JSON.parse(codes["mcp"] ?? "")).toMatchObject({
    mcpServers: { quartermaster: { headers: { "x-qm-session-id": "ses_…" } } },
  });
  // As a shell reads it, with an answer of the API in place of each request.
  const answer = '{"notes":[],"session_id":"ses_1","tools":{"data":[]}}';
  const script = `curl() { for last; do :; done; echo "$2 $last" >&2; echo '${answer}'; }\n${codes["curl"]}`;
  const { stderr } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
  expect(stderr).toContain("/api/agents/tools?session_id=ses_1 ");
  expect(stderr).toContain('{"tool_id":"shop:find","arguments":{"text":"Ada\'s"},"session_id":"ses_1"}');
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
  const seen = (toolId: string, of: object) => ({
    toolId,
    hasSideEffects: false,
    needsApproval: false,
    conditional: false,
    ...of,
  });
  const tools = [
    seen("pay", { hasSideEffects: true }),
    seen("some", { conditional: true }),
    seen("asks", { needsApproval: true }),
    seen("get", {}),
  ];
  expect(simplestFirst(tools)).toEqual(["get", "some", "asks", "pay"]);
});
