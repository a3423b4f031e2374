import { beforeAll, describe, expect, it } from "vitest";
import { POST as createTool } from "@/app/api/admin/[resource]/route";
import { POST as tryTool } from "@/app/api/admin/tools/[id]/try/route";
import type { CallOutput } from "@/lib/contracts/agents/agent-api";
import { executionQuery } from "@/lib/contracts/log/execution";
import type { TryOutput } from "@/lib/contracts/log/try";
import { listExecutions } from "@/lib/store/log/executions";
import { Client, keyOf, save, supportDocument, type Got, type Session } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
let agent: Client;

/** Scripts by the operation of their tool. */
const SCRIPTS = {
  add: "export default ({ a, b }) => ({ sum: a + b });",
  twice: `export default async ({ expression }, { callTool }) => {
    const { value } = await callTool("calculate", { expression });
    return { result: value * 2 };
  };`,
  hidden: `export default (args, { callTool }) => callTool("refund_order", { order_id: "A-1", amount: 5 });`,
  tolerant: `export default async (args, { callTool }) => {
    try { await callTool("calculate", { wrong: true }); } catch ({ name, code }) { return { name, code }; }
  };`,
  loop: "export default () => { for (;;); };",
  hungry: "export default () => { const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1)); };",
  thrower: "export default () => {\n  const nothing = null;\n  return nothing.here;\n};",
  large: "export default () => 'x'.repeat(300000);",
  deep: "export default () => { let a = []; for (let i = 0; i < 150; i++) a = [a]; return a; };",
  again: `export default async (args, { callTool }) => {
    try { return 1 + await callTool("again"); } catch ({ message }) { return message; }
  };`,
  inner: `export default async (args, { callTool }) => await callTool("inner");`,
  wide: "export default (args, { callTool }) => Promise.all(Array.from({ length: 17 }, () => callTool('add', { a: 1, b: 1 })));",
  shaped: "export default () => 'no number';",
  patient: "export default (args, { callTool }) => callTool('later');",
  later: "export default () => 'late';",
  talkative:
    "export default () => { console.log('got', { n: 1 }); console.warn('x'.repeat(5000)); for (let n = 0; n < 500; n++) console.log(n); };",
};

beforeAll(async () => {
  const document = supportDocument() as { sources: object[]; tools: object[]; policies: object[]; groups: object[] };
  const tools = Object.entries(SCRIPTS).map(([operation, code]) => ({
    id: `scripts:${operation}`,
    description: "A script.",
    inputSchema: { type: "object" },
    ...(operation === "shaped" ? { outputSchema: { type: "number" } } : {}),
    longRunning: operation === "later",
    run: { kind: "script", code, cpuSeconds: 0.5 },
  }));
  await save({
    ...document,
    sources: [...document.sources, { name: "scripts", kind: "script" }],
    tools: [...document.tools, ...tools],
    groups: [...document.groups, { name: "scripts", selectors: [{ source: "scripts" }] }],
    policies: [
      ...document.policies,
      { name: "scripters", matchers: [{ claim: "sub", operator: "equals", value: "reader" }], groups: ["scripts"] },
    ],
    personas: [{ name: "outsider", sampleClaims: { team: "sales" } }],
  });
  agent = new Client(await keyOf("reader"));
});

function call(operation: keyof typeof SCRIPTS, args: object = {}, more: object = {}): Promise<Got<CallOutput>> {
  return agent.call({ tool_id: `scripts:${operation}`, arguments: args, ...more });
}

describe("a script as a tool", () => {
  it("receives the arguments, and its return value is the result", async () => {
    const { status, json } = await call("add", { a: 19, b: 23 });
    expect([status, json.status, json.output]).toEqual([200, "succeeded", { sum: 42 }]);
  });

  it.each([
    ["loop", "sandbox_timeout", "The script computed for more than 0.5 s."],
    ["hungry", "sandbox_memory", "The script needs more memory than 32 MiB."],
    ["thrower", "sandbox_error", "TypeError: cannot read property 'here' of null (line 3)"],
    ["large", "result_too_large", "The script's result is larger than 256 KiB."],
    ["deep", "result_too_large", "The script's answer is nested deeper than 100 levels."],
  ] as const)("fails with a code and a sentence: %s", async (operation, code, message) => {
    const { status, json } = await call(operation);
    expect([status, json.status, json.error?.code, json.error?.message]).toEqual([502, "failed", code, message]);
    expect((await call("add", { a: 1, b: 1 })).json.output).toEqual({ sum: 2 });
  });

  it("is checked against its output schema like any tool", async () => {
    expect((await call("shaped")).json.error?.code).toBe("output_invalid");
  });
});

describe("the calls of a script", () => {
  it("calls a tool through the whole pipeline: its own row, the same request, the same agent", async () => {
    const { json, headers } = await call("twice", { expression: "3*7" });
    expect(json.output).toEqual({ result: 42 });
    const rows = await database.query<{ toolId: string; agent: string; status: string; parent: string | null }>(
      `select "toolId", agent, status, parent from execution join execution_outcome using ("callId")
       where "requestId" = $1 order by "toolId"`,
      [headers.get("x-request-id")],
    );
    expect(rows).toEqual([
      { toolId: "builtin:calculate", agent: "reader", status: "succeeded", parent: json.call_id },
      { toolId: "scripts:twice", agent: "reader", status: "succeeded", parent: null },
    ]);
    const made = await listExecutions(executionQuery.parse({ parent: json.call_id }));
    expect(made.items.map(({ toolId, parent }) => [toolId, parent])).toEqual([["builtin:calculate", json.call_id]]);
  });

  it("shows a script no tool that its agent cannot see, and refuses as if there were none", async () => {
    const { json } = await call("hidden");
    expect(json.error?.code).toBe("sandbox_error");
    const direct = await agent.call({ name: "refund_order", arguments: {} });
    expect(direct.json.error?.code).toBe("tool_not_available");
    expect(json.error?.message).toBe(`ToolError: ${direct.json.error?.message}`);
  });

  it("rejects with the code of the refusal, which a script may catch", async () => {
    expect((await call("tolerant")).json.output).toEqual({ name: "ToolError", code: "invalid_arguments" });
  });

  it("may call one more script level, and not two", async () => {
    expect((await call("again")).json.output).toBe("11A script that another script called cannot call tools.");
    expect((await call("inner")).json.error?.message).toContain("cannot call tools");
  });

  it("opens sixteen times", async () => {
    const { json } = await call("wide");
    expect(json.error?.message).toBe("RangeError: a script may call 16 tools (line 1)");
  });

  it("waits for a tool that an agent would be answered later", async () => {
    expect((await call("patient")).json.output).toBe("late");
  });

  it("speaks in the session of the call", async () => {
    const session = (await agent.open<Session>({ group: ["scripts", "helpers"] })).json.session_id;
    const { headers } = await call("twice", { expression: "1" }, { session_id: session });
    const rows = await database.query<{ session: string }>(`select session from execution where "requestId" = $1`, [
      headers.get("x-request-id"),
    ]);
    expect(rows).toEqual([{ session }, { session }]);
  });
});

describe("trying a tool", () => {
  const attempt = (operation: string, body: object, role: "editor" | "auditor" = "editor") =>
    ask<TryOutput>(tryTool, "POST", `/api/admin/tools/scripts:${operation}/try`, {
      params: { id: `scripts:${operation}` },
      body,
      role,
    });

  it("is a real call as an agent, logged with its entrance and its person", async () => {
    const { json } = await attempt("twice", { agent: "reader", arguments: { expression: "4" } });
    expect([json.status, json.output]).toEqual(["succeeded", { result: 8 }]);
    const [row] = await database.query(`select door, agent, "toolId" from execution where "callId" = $1`, [
      json.call_id,
    ]);
    expect(row).toEqual({ door: "try", agent: "reader", toolId: "scripts:twice" });
    const [event] = await database.query(`select action, role from audit_event where target = $1`, [json.call_id]);
    expect(event).toEqual({ action: "tools.tried", role: "editor" });
  });

  it("returns what the script printed, in order and bounded", async () => {
    const { json } = await attempt("talkative", { agent: "reader" });
    expect(json.printed.slice(0, 2)).toEqual([
      { level: "log", text: 'got {"n":1}' },
      { level: "warn", text: "x".repeat(1000) },
    ]);
    expect(json.printed).toHaveLength(100);
  });

  it("has the rights of whom it is made as, not those of the person", async () => {
    const { json } = await attempt("add", { persona: "outsider", arguments: { a: 1, b: 1 } });
    expect([json.status, json.error?.code]).toEqual(["denied", "tool_not_available"]);
  });

  it("waits for a tool that an agent would be answered later", async () => {
    expect((await attempt("later", { agent: "reader" })).json.output).toBe("late");
  });

  it("needs an identity to act as, and a person with the permission", async () => {
    expect((await attempt("add", {})).status).toBe(400);
    expect((await attempt("add", { agent: "nobody" })).status).toBe(400);
    expect((await attempt("nothing", { agent: "reader" })).status).toBe(404);
    expect((await attempt("add", { agent: "reader" }, "auditor")).status).toBe(403);
  });
});

describe("saving a script", () => {
  const tool = (code: string, cpuSeconds = 1) => ({
    id: "scripts:new",
    description: "A script.",
    inputSchema: { type: "object" },
    run: { kind: "script", code, cpuSeconds },
  });

  it("refuses one that does not compile, at its field and with the line", async () => {
    const path = "/api/admin/tools";
    const body = tool("export default () => {\n\n  let x = ;\n};");
    const { status, json } = await ask<{ errors: object[] }>(createTool, "POST", path, {
      params: { resource: "tools" },
      body,
    });
    expect([status, json.errors]).toEqual([
      400,
      [{ path: "run.code", message: "line 3: SyntaxError: unexpected token in expression: ';'" }],
    ]);
  });

  it("runs nothing of it", async () => {
    const { status } = await ask(createTool, "POST", "/api/admin/tools", {
      params: { resource: "tools" },
      body: tool("for (;;);\nexport default () => 1;"),
    });
    expect(status).toBe(201);
  });

  it("refuses more than five seconds", async () => {
    await expect(save({ tools: [tool("export default () => 1;", 6)] })).rejects.toThrow(/cpuSeconds/);
  });
});
