import { describe, expect, test } from "vitest";
import { snippetsFor } from "@/components/agents/snippets";

const ORIGIN = "https://tools.example.com";
const KEY = "qm_abc_def";

describe("the code that connects an agent", () => {
  const filled = snippetsFor(ORIGIN, { kind: "key", key: KEY });
  const open = snippetsFor(ORIGIN, { kind: "variable" });

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

  test("for an MCP client is JSON", () => {
    const mcp = filled.find(({ value }) => value === "mcp");
    expect(JSON.parse(mcp?.code ?? "")).toEqual({
      mcpServers: {
        quartermaster: { type: "http", url: `${ORIGIN}/mcp`, headers: { Authorization: `Bearer ${KEY}` } },
      },
    });
  });
});
