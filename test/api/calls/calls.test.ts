import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { callOutput, type CallOutput } from "@/lib/contracts/agents/agent-api";
import { getExecution, listExecutions } from "@/lib/store/log/executions";
import { executionQuery } from "@/lib/contracts/log/execution";
import { NO_TOOL_LIMITS } from "@/lib/resources/parts/no-limits";
import { production } from "@/lib/calls/pipeline/dependencies";
import { SchemaTrials, sharedSchemaTrials } from "@/lib/calls/schemas/schema-trial";
import { Client, keyOf, save, supportDocument, supportTool, type Problem } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";
import { statementsOf } from "@/test/support/statements";

const database = useDatabase();
let reader: Client;
let refunder: Client;

beforeAll(async () => {
  await save(supportDocument());
  reader = new Client(await keyOf("reader"));
  refunder = new Client(await keyOf("refunder"));
});

/** The log's row of an answer. */
async function rowOf(answer: { readonly json: CallOutput }) {
  const row = await getExecution(answer.json.call_id, { bodies: true });
  if (row === null) throw new Error("the call is not in the log");
  return row;
}

async function executions(): Promise<number> {
  const [row] = await database.query<{ count: number }>("select count(*)::int as count from execution");
  return row!.count;
}

describe("a call that is granted", () => {
  it("runs, answers in the contract's shape and is in the log with who, what and why", async () => {
    const answer = await reader.call({ tool_id: "builtin:calculate", arguments: { expression: "(2 + 3) * 4" } });
    expect(answer.status).toBe(200);
    callOutput.strict().parse(answer.json);
    expect(answer.json).toMatchObject({ status: "succeeded", output: { value: 20 }, name: "calculate", attempts: 1 });
    const row = await rowOf(answer);
    expect(row).toMatchObject({
      issuer: "quartermaster",
      subject: "reader",
      agent: "reader",
      toolId: "builtin:calculate",
      asked: "builtin:calculate",
      status: "succeeded",
      code: null,
      reason: "granted",
      policies: ["support-staff"],
      groups: ["helpers"],
      revision: answer.json.revision,
      mode: "full",
      arguments: { expression: "(2 + 3) * 4" },
      result: { value: 20 },
      claims: { team: "support", sub: "reader", iss: "quartermaster" },
      request: { agent: "reader", profiles: ["main"], group: null },
    });
    expect(row.requestId).toBe(answer.headers.get("x-request-id"));
  });

  it("may be made by the name of the list", async () => {
    const answer = await reader.call({ name: "search_knowledge", arguments: { query: "refund" } });
    expect(answer.json).toMatchObject({ status: "succeeded", tool_id: "support:search_knowledge" });
  });

  it("finds tools for the agent in its own list only", async () => {
    const found = async (one: Client) =>
      (await one.call({ name: "search_tools", arguments: { query: "moves money" } })).json.output as { count: number };
    expect([(await found(reader)).count, (await found(refunder)).count]).toEqual([0, 1]);
  });

  it("costs at most three statements after authentication: the driver sends no more", async () => {
    const call = () => reader.call({ tool_id: "builtin:calculate", arguments: { expression: "1" } });
    await call();
    // Authentication needs no query: the key was read under this revision, and the intent's statement checks it again.
    const statements = await statementsOf(call);
    const writing = (table: string) => statements.filter((sql) => sql.includes(`INSERT INTO ${table} `)).length;
    expect([writing("execution"), writing("execution_outcome")]).toEqual([1, 1]);
    expect(statements.length).toBeLessThanOrEqual(3);
  });

  it("can be read again by its caller, and by no other", async () => {
    const answer = await reader.call({ tool_id: "builtin:calculate", arguments: { expression: "6*7" } });
    const again = await reader.read(answer.json.call_id);
    expect(again.json).toMatchObject({ call_id: answer.json.call_id, status: "succeeded", output: { value: 42 } });
    expect((await refunder.read(answer.json.call_id)).status).toBe(404);
    expect((await reader.read("call_nothing")).status).toBe(404);
  });
});

describe("a forbidden tool", () => {
  it.each([["tool_id"], ["name"]])("is answered exactly as an unknown one, by %s", async (field) => {
    const forbidden = field === "name" ? "refund_order" : "support:refund_order";
    const unknown = field === "name" ? "no_such_tool" : "support:no_such_tool";
    const answers = [
      await reader.call({ [field]: forbidden, arguments: { order_id: "O-5001", amount: 5 } }),
      await reader.call({ [field]: unknown, arguments: { order_id: "O-5001", amount: 5 } }),
    ];
    const shown = answers.map(({ status, text, json }, index) => [
      status,
      text
        .replace(json.call_id, "ID")
        .replace(String(json.duration_ms), "MS")
        .replace(index === 0 ? forbidden : unknown, "ASKED"),
    ]);
    expect(shown[0]).toEqual(shown[1]);
    expect(shown[0]![0]).toBe(404);
    expect(answers[0]!.json.error?.code).toBe("tool_not_available");
    expect([...answers[0]!.headers.keys()]).toEqual([...answers[1]!.headers.keys()]);
    // A policy matches this caller, but none decided.
    expect(await rowOf(answers[0]!)).toMatchObject({ reason: "not_in_granted_group", policies: [] });
    expect((await rowOf(answers[1]!)).reason).toBe("unknown_tool");
    const read = await Promise.all(answers.map((answer) => reader.read(answer.json.call_id)));
    expect(Object.keys(read[0]!.json)).toEqual(Object.keys(read[1]!.json));
    expect(read[0]!.json).toMatchObject({ [field]: forbidden });
  });

  it("has its true reason in the log: which deny took it away", async () => {
    const { policies } = supportDocument() as { policies: object[] };
    const deny = { effect: "deny", matchers: [{ claim: "suspended", operator: "equals", value: true }] };
    const others = [
      { ...deny, name: "another-group", priority: 9, groups: ["tickets"] },
      { ...deny, name: "some-arguments", groups: ["helpers"], arguments: [{ claim: "n", operator: "gt", value: 1 }] },
    ];
    await save({ apiVersion: "quartermaster/v1", policies: [...policies, ...others] });
    const suspended = new Client(await keyOf("suspended"));
    const row = await rowOf(await suspended.call({ tool_id: "builtin:calculate", arguments: { expression: "1" } }));
    expect(row).toMatchObject({ status: "denied", reason: "denied_by_policy", policies: ["suspended"], attempts: 0 });
    await save({ apiVersion: "quartermaster/v1", policies });
  });
});

describe("arguments", () => {
  it.each<[string, unknown, string]>([
    ["that are no object", [1], "JSON object"],
    ["that miss a field", {}, "expression"],
    ["of the wrong type", { expression: 5 }, "/expression"],
    ["that the schema does not know", { expression: "1", more: 1 }, "more"],
    ["that are too deep", deep(40), "deeper than 32"],
    ["with too many keys", Object.fromEntries(Array.from({ length: 2001 }, (_, n) => [`k${n}`, 1])), "2000 keys"],
    ["with a key `constructor`", { expression: "1", a: { constructor: 1 } }, "constructor"],
    ["that are too large", { expression: "1".repeat(300_000) }, "256 KiB"],
  ])("%s are refused with the place", async (_what, args, text) => {
    const answer = await reader.call({ tool_id: "builtin:calculate", arguments: args });
    expect([answer.status, answer.json.status, answer.json.error?.code]).toEqual([400, "failed", "invalid_arguments"]);
    expect(JSON.stringify(answer.json.error)).toContain(text);
    expect((await rowOf(answer)).code).toBe("invalid_arguments");
  });

  it("with a key `__proto__` are refused, not silently changed", async () => {
    const body = '{"tool_id":"builtin:calculate","arguments":{"expression":"1","__proto__":{"x":1}}}';
    const answer = await reader.call(body);
    expect([answer.status, answer.json.error?.code]).toEqual([400, "invalid_arguments"]);
    expect(JSON.stringify(answer.json.error)).toContain("__proto__");
  });

  it.each([String.raw`"\u0000"`, String.raw`"\ud800"`])("holding %s are a 4xx, not a failure of ours", async (text) => {
    const answer = await reader.call(`{"tool_id":"builtin:calculate","arguments":{"expression":${text}}}`);
    expect(answer.status).toBe(400);
  });

  it("that the tool itself refuses are invalid, and the tool does not run", async () => {
    const answer = await refunder.call({
      tool_id: "support:refund_order",
      arguments: { order_id: "O-5001", amount: 1.001 },
    });
    expect(JSON.stringify(answer.json.error)).toContain("two decimal places");
    expect((await rowOf(answer)).attempts).toBe(0);
  });

  it("that a policy's condition refuses get the policy's description", async () => {
    const ask = (amount: number) =>
      refunder.call({ tool_id: "support:refund_order", arguments: { order_id: "O-5001", amount } });
    const refused = await ask(100.01);
    expect(refused.status).toBe(403);
    expect(refused.json).toMatchObject({
      status: "denied",
      error: { code: "arguments_refused", message: "Refunds above 100 euro need a supervisor.", retryable: false },
    });
    expect((await rowOf(refused)).reason).toContain("arguments_refused");
    expect((await ask(100)).json.status).toBe("succeeded");
  });

  it("are stored without their secrets", async () => {
    const document = { password: "hunter2", note: "Bearer abcdefghijklmnop", nested: [{ api_key: "k" }] };
    const answer = await reader.call({ tool_id: "builtin:json_query", arguments: { document, expression: "note" } });
    expect(answer.json.output).toEqual({ result: "Bearer abcdefghijklmnop" });
    const row = await rowOf(answer);
    const stored = JSON.stringify([row.arguments, row.result]);
    for (const secret of ["hunter2", "abcdefghijklmnop", '"k"']) expect(stored).not.toContain(secret);
    const [raw] = await database.query<{ texts: string }>(
      "select string_agg(text, ' ') as texts from execution_body where \"callId\" = $1",
      [answer.json.call_id],
    );
    expect(raw!.texts).not.toContain("hunter2");
  });
});

describe("the envelope", () => {
  it.each<[string, unknown, string]>([
    ["an unknown field", { tool_id: "a:b", colour: 1 }, "colour"],
    ["neither id nor name", { arguments: {} }, "tool_id"],
    ["both id and name", { tool_id: "a:b", name: "b" }, "tool_id"],
    ["a session beside what it holds", { tool_id: "a:b", session_id: "s", group: ["x"], state: "y" }, "group"],
    [
      "a callback of a call that is answered at once",
      { tool_id: "a:b", callback_url: "https://a.example/" },
      "callback_url",
    ],
    ["a callback in plain text", { tool_id: "a:b", mode: "async", callback_url: "http://a.example/" }, "callback_url"],
    ["a stream that is answered later", { tool_id: "a:b", mode: "async", stream: true }, "stream"],
    ["a confidence out of range", { tool_id: "a:b", confidence: 7 }, "confidence"],
    ["no object", [], ""],
  ])("with %s is a 400 that names it, and a refused call in the log", async (_what, body, path) => {
    const before = await executions();
    const answer = await reader.call<Problem>(body);
    expect([answer.status, answer.json.code]).toEqual([400, "invalid_request"]);
    expect(answer.json.errors.map((error) => error.path)).toContain(path);
    expect(await executions()).toBe(before + 1);
    const [row] = await database.query<{ code: string; reason: string }>(
      "select code, reason from execution_outcome order by at desc limit 1",
    );
    expect(row).toMatchObject({ code: "invalid_request", reason: expect.stringContaining(path) as unknown });
  });

  it.each([
    [{ profile: "nobody" }, 400, "invalid_request", "profile"],
    [{ machine: "nothing" }, 400, "invalid_request", "machine"],
    [{ session_id: "ses_nothing" }, 404, "session_not_found", "session"],
  ])("with %j is a refused call in the log", async (stated, status, code, text) => {
    const answer = await reader.call({ tool_id: "builtin:calculate", arguments: { expression: "1" }, ...stated });
    expect([answer.status, answer.json.error?.code]).toEqual([status, code]);
    expect(answer.json.error?.message).toContain(text);
    expect((await rowOf(answer)).code).toBe(code);
  });
});

describe("a tool's failure", () => {
  it("is a result with the tool's own text", async () => {
    const answer = await reader.call({ tool_id: "builtin:calculate", arguments: { expression: "1 / 0" } });
    expect([answer.status, answer.json.status]).toEqual([502, "failed"]);
    expect(answer.json.error).toMatchObject({ code: "tool_failed", retryable: false, message: "Division by zero." });
  });

  it("that is thrown becomes a result without its text", async () => {
    const thrower = new Client(reader.credential, () => ({
      ...production(),
      runners: {
        ...production().runners,
        builtin: () => Promise.reject(new Error("secret detail")),
      },
    }));
    const answer = await thrower.call({ tool_id: "builtin:calculate", arguments: { expression: "1" } });
    expect(answer.json.error?.code).toBe("tool_failed");
    expect(answer.text).not.toContain("secret detail");
    expect((await rowOf(answer)).status).toBe("failed");
  });

  it("to answer in time is a timeout, and retryable", async () => {
    const limits = { ...NO_TOOL_LIMITS, timeoutSeconds: 0.1 };
    await save({ apiVersion: "quartermaster/v1", tools: withTool("builtin:calculate", { limits }) });
    const stuck = new Client(reader.credential, () => ({
      ...production(),
      runners: { ...production().runners, builtin: () => new Promise(() => {}) },
    }));
    const answer = await stuck.call({ tool_id: "builtin:calculate", arguments: { expression: "1" } });
    expect([answer.status, answer.json.error?.code, answer.json.error?.retryable]).toEqual([
      504,
      "upstream_timeout",
      true,
    ]);
    await save({ apiVersion: "quartermaster/v1", tools: withTool("builtin:calculate", {}) });
  });

  it("to keep its output schema withholds the output", async () => {
    const wrong = new Client(reader.credential, () => ({
      ...production(),
      runners: {
        ...production().runners,
        builtin: async () => ({ success: true, output: { value: "leak" }, upstreamMs: 1, attempts: 1 }),
      },
    }));
    const answer = await wrong.call({ tool_id: "builtin:calculate", arguments: { expression: "1" } });
    expect([answer.status, answer.json.error?.code]).toEqual([502, "output_invalid"]);
    expect(answer.text).not.toContain("leak");
    expect(JSON.stringify(await rowOf(answer))).not.toContain("leak");
  });

  it("to be small enough is refused", async () => {
    const large = new Client(reader.credential, () => ({
      ...production(),
      runners: {
        ...production().runners,
        builtin: async () => ({ success: true, output: "x".repeat(1_100_000), upstreamMs: 1, attempts: 1 }),
      },
    }));
    const answer = await large.call({ tool_id: "builtin:calculate", arguments: { expression: "1" } });
    expect(answer.json.error?.code).toBe("result_too_large");
  });
});

describe("a tool that asks for more than is there", () => {
  it("is refused when the token lacks a scope that it needs", async () => {
    const tools = withTool("builtin:calculate", { requiredScopes: ["math.read"] });
    await save({ apiVersion: "quartermaster/v1", tools });
    const answer = await reader.call({ tool_id: "builtin:calculate", arguments: { expression: "1" } });
    expect([answer.status, answer.json.error?.code]).toEqual([403, "insufficient_scope"]);
    expect(answer.json.error?.details).toMatchObject({ required: ["math.read"], missing: ["math.read"] });
    expect(answer.headers.get("www-authenticate")).toBe(
      'Bearer realm="quartermaster", error="insufficient_scope", scope="math.read"',
    );
    await save({ apiVersion: "quartermaster/v1", tools: withTool("builtin:calculate", {}) });
  });

  it("whose schema cannot be used accepts no arguments at all", async () => {
    const inputSchema = { type: "object", properties: { a: { pattern: "(?=a)b" } } };
    await save({ apiVersion: "quartermaster/v1", tools: withTool("builtin:calculate", { inputSchema }) });
    const answer = await reader.call({ tool_id: "builtin:calculate", arguments: {} });
    expect([answer.status, answer.json.error?.code]).toEqual([400, "invalid_arguments"]);
    expect((await rowOf(answer)).reason).toContain("regexp");
    await save({ apiVersion: "quartermaster/v1", tools: withTool("builtin:calculate", {}) });
  });

  it("whose schema cannot be checked in time accepts no arguments", async () => {
    const steps = Array.from({ length: 40 }, (_, at) => [
      `a${at}`,
      { allOf: [{ $ref: `#/$defs/a${at + 1}` }, { $ref: `#/$defs/a${at + 1}` }] },
    ]);
    const inputSchema = { $ref: "#/$defs/a0", $defs: { ...Object.fromEntries(steps), a40: { type: "object" } } };
    await save({ apiVersion: "quartermaster/v1", tools: withTool("builtin:calculate", { inputSchema }) });
    const answer = await reader.call({ tool_id: "builtin:calculate", arguments: {} });
    expect([answer.status, answer.json.error?.code]).toEqual([400, "invalid_arguments"]);
    expect((await rowOf(answer)).reason).toContain("takes longer than 250 ms");
    await save({ apiVersion: "quartermaster/v1", tools: withTool("builtin:calculate", {}) });
  });

  it("a tool whose schema could not be tried is not called, and the answer is an internal error", async () => {
    const trials = sharedSchemaTrials();
    sharedSchemaTrials.set(new SchemaTrials("/nowhere/schema-worker.mjs"));
    onTestFinished(() => sharedSchemaTrials.set(trials));
    const inputSchema = { type: "object", properties: { expression: { maxLength: 9 } } };
    await save({ apiVersion: "quartermaster/v1", tools: withTool("builtin:calculate", { inputSchema }) });
    const answer = await reader.call({ tool_id: "builtin:calculate", arguments: { expression: "1" } });
    expect([answer.status, answer.json.error?.code]).toEqual([500, "internal"]);
    expect((await rowOf(answer)).reason).toBe("input schema: internal");
    await save({ apiVersion: "quartermaster/v1", tools: withTool("builtin:calculate", {}) });
  });
});

describe("the log's list", () => {
  it("filters, and pages newest first without gaps", async () => {
    const query = (fields: Record<string, unknown>) => listExecutions(executionQuery.parse(fields));
    const all = await query({ limit: 500 });
    expect(all.total).toBe(all.items.length);
    const times = all.items.map((item) => item.at);
    expect(times).toEqual(times.toSorted().toReversed());
    const paged: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await query({ limit: 7, ...(cursor === null ? {} : { cursor }) });
      paged.push(...page.items.map((item) => item.callId));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(paged).toEqual(all.items.map((item) => item.callId));
    expect((await query({ status: "denied" })).items.every((item) => item.status === "denied")).toBe(true);
    expect((await query({ reason: "unknown_tool" })).total).toBe(2);
    expect((await query({ tool: "support:refund_order", agent: "reader" })).total).toBeGreaterThan(0);
    expect((await query({ q: "refund_or" })).total).toBeGreaterThan(0);
    await expect(query({ colour: "red" })).rejects.toMatchObject({ code: "invalid_request" });
    await expect(query({ sort: "subject" })).rejects.toMatchObject({ code: "invalid_request" });
  });
});

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
}

function withTool(id: string, changes: Record<string, unknown>): Record<string, unknown>[] {
  const tools = supportDocument()["tools"] as { id: string }[];
  return tools.map((tool) => (tool.id === id ? supportTool(id, changes) : { ...tool }));
}
