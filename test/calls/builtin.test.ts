import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/access/model/configuration";
import { builtinTool, builtinTools, shutdownBuiltinTools, tableOfTools } from "@/lib/calls/builtin/index";
import { evaluateExpression } from "@/lib/calls/builtin/expression";
import { searchListing } from "@/lib/manifest/search-listing";
import type { ToolContext, ToolResult } from "@/lib/calls/pipeline/contract";
import { compileTrusted } from "@/lib/calls/schemas/trusted-validator";

const context: ToolContext = {
  principal: { issuer: "quartermaster", subject: "test", agent: null },
  persona: null,
  correlationId: "call_test",
  session: null,
  signal: new AbortController().signal,
  now: Date.parse("2026-11-21T12:34:56.000Z"),
  visibleTools: () => [
    { id: "a:send_mail", name: "send_mail", description: "Sends mail.", tags: ["mail"], category: null },
    { id: "a:read_mail", name: "read_mail", description: "Reads mail.", tags: ["mail"], category: null },
  ],
  progress: () => {},
  emit: () => {},
};

/** Runs a tool and holds its answer to its own output schema. */
async function run(id: string, args: JsonObject): Promise<ToolResult> {
  const tool = builtinTool(id)!;
  expect(compileTrusted(tool.inputSchema)(args)).toEqual([]);
  const result = await tool.execute(args, context);
  const validate = compileTrusted(tool.outputSchema ?? {});
  expect(result.success ? validate(result.output ?? null) : []).toEqual([]);
  return result;
}

describe("arithmetic", () => {
  it.each([
    ["1 + 2 * 3", 7],
    ["(1 + 2) * 3", 9],
    ["2 ^ 3 ^ 2", 512],
    ["-2 ^ 2", -4],
    ["2 ^ -1", 0.5],
    ["10 % 4", 2],
    ["max(1, 2, min(9, 5))", 5],
    ["sqrt(16) + abs(-1)", 5],
    ["1.5e3", 1500],
    ["--1", 1],
  ])("%s = %d", (text, value) => {
    expect(evaluateExpression(text)).toEqual({ value });
  });

  it.each([
    "",
    "1 +",
    "(1",
    "1)",
    "foo(1)",
    "constructor",
    "1 / 0",
    "5 % 0",
    "sqrt(0-1)",
    "sqrt(1, 2)",
    "a.b",
    "1;2",
    "(".repeat(500),
  ])("%s has no value, and says why", (text) => {
    expect(evaluateExpression(text)).toHaveProperty("problem");
  });
});

describe("the simple calculator", () => {
  it.each([
    ["add", 2, 3, 5],
    ["subtract", 2, 3, -1],
    ["multiply", 2, 3, 6],
    ["divide", 3, 2, 1.5],
  ])("%s %d %d = %d", async (operation, num1, num2, result) => {
    expect(await run("builtin:simple_calculator", { operation, num1, num2 })).toEqual({
      success: true,
      output: { result },
    });
  });
  it("fails with details where there is no number: divided by zero, or too large", async () => {
    expect(await run("builtin:simple_calculator", { operation: "divide", num1: 1, num2: 0 })).toEqual({
      success: false,
      error: "Division by zero has no result.",
      details: { operation: "divide", num1: 1, num2: 0 },
    });
    expect(await run("builtin:simple_calculator", { operation: "multiply", num1: 1e200, num2: 1e200 })).toMatchObject({
      success: false,
      error: "The result is too large for a number.",
    });
  });
  it("takes exactly the arguments that it publishes", () => {
    const { inputSchema, displayName } = builtinTool("builtin:simple_calculator")!;
    expect(displayName).toBe("Simple Calculator");
    expect(inputSchema).toMatchObject({
      properties: { operation: { enum: ["add", "subtract", "multiply", "divide"] } },
      required: ["operation", "num1", "num2"],
    });
    expect(compileTrusted(inputSchema)({ operation: "power", num1: 1, num2: 2 })).toHaveLength(1);
  });
});

describe("the small tools", () => {
  it("tell the time of the call in a zone", async () => {
    expect((await run("builtin:current_date_time", { time_zone: "Europe/Berlin" })).output).toEqual({
      utc: "2026-11-21T12:34:56.000Z",
      local: "2026-11-21T13:34:56+01:00",
      time_zone: "Europe/Berlin",
      weekday: "Saturday",
      epoch_seconds: 1_795_264_496,
    });
    expect(builtinTool("builtin:current_date_time")!.validateArgs!({ time_zone: "Mars/Base" })).toHaveLength(1);
  });

  it("query JSON, and fail on an invalid expression", async () => {
    const document = {
      orders: [
        { id: 1, total: 5 },
        { id: 2, total: 50 },
      ],
    };
    expect((await run("builtin:json_query", { document, expression: "orders[?total > `10`].id" })).output).toEqual({
      result: [2],
    });
    expect((await run("builtin:json_query", { document, expression: "orders[" })).success).toBe(false);
  });

  it.each([
    ["doubles its result forty times", Array.from({ length: 40 }, () => "[@,@]").join("|")],
    ["walks the document for each of its parts, again and again", "map(&map(&map(&map(&[@], $), $), $), $)"],
    ["asks for a text of a gigabyte", "pad_left('x', `1000000000`)"],
  ])("refuse a query that %s, and the process lives on meanwhile", async (_what, expression) => {
    const document = Array.from({ length: 2000 }, (_, at) => at);
    // Work on this thread would end before the loop's next turn.
    let turns = 0;
    setImmediate(() => (turns += 1));
    const result = await run("builtin:json_query", { document, expression });
    expect(result.success).toBe(false);
    expect(result.error).toMatch(/ask for less|does not work/);
    expect(turns).toBe(1);
  });

  it("search the caller's own tools", async () => {
    expect((await run("builtin:search_tools", { query: "send mail" })).output).toMatchObject({ count: 1 });
    expect((await run("builtin:search_tools", { query: "delete" })).output).toEqual({ count: 0, results: [] });
  });
});

describe("the support desk", () => {
  it("answers every tool in the shape of its schema", async () => {
    for (const [id, args] of [
      ["support:lookup_customer", { query: "ada" }],
      ["support:list_orders", { customer_id: "C-1001" }],
      ["support:get_order", { order_id: "O-5001" }],
      ["support:search_knowledge", { query: "refund" }],
      ["support:add_note", { ticket_id: "T-7002", text: "called" }],
      ["support:refund_order", { order_id: "O-5003", amount: 10.5 }],
      ["support:escalate_ticket", { ticket_id: "T-7002", reason: "angry" }],
      ["support:close_ticket", { ticket_id: "T-7003", resolution: "refunded" }],
    ] as const)
      expect([id, (await run(id, args)).success]).toEqual([id, true]);
  });

  it("never refunds more than was paid", async () => {
    expect((await run("support:refund_order", { order_id: "O-5002", amount: 189 })).success).toBe(true);
    expect(await run("support:refund_order", { order_id: "O-5002", amount: 0.01 })).toMatchObject({ success: false });
  });

  it("names what does not exist", async () => {
    expect(await run("support:get_order", { order_id: "O-9999" })).toMatchObject({ success: false });
    expect(await run("support:close_ticket", { ticket_id: "T-9999", resolution: "x" })).toMatchObject({
      success: false,
    });
  });
});

describe("the table of tools in code", () => {
  it("describes every tool well enough for a model", () => {
    for (const tool of builtinTools()) {
      expect(tool.description.length).toBeGreaterThan(20);
      expect(tool.outputSchema).not.toBeNull();
      expect(tool.annotations.readOnlyHint === true).toBe(!tool.hasSideEffects);
    }
  });

  it("has schemas of the dialect that calls are checked with", () => {
    const ajv = new Ajv2020();
    const schemas = [...builtinTools(), ...searchListing.map(({ resolved }) => resolved.tool)].flatMap(
      ({ inputSchema, outputSchema }) => [inputSchema, outputSchema ?? {}],
    );
    for (const schema of schemas) expect(ajv.validateSchema(schema)).toBe(true);
    expect(ajv.validateSchema({ type: "text" })).toBe(false);
  });

  const calculate = builtinTool("builtin:calculate")!;

  it.each(["id", "name"] as const)("refuses two tools of one %s, so that the start fails", (key) => {
    const other = { ...calculate, id: "builtin:other", name: "other", [key]: calculate[key] };
    expect(() => tableOfTools([calculate, other])).toThrow(`the ${key} "${calculate[key]}"`);
  });

  it("lets every tool release its resources, even when another one throws", async () => {
    const ended: string[] = [];
    const holding = (name: string, shutdown: () => void | Promise<void>) => ({ ...calculate, name, shutdown });
    await shutdownBuiltinTools([
      holding("throws", () => {
        throw new Error("It is stuck.");
      }),
      holding("fails", () => Promise.reject(new Error("It is stuck."))),
      calculate,
      holding("ends", async () => void ended.push("ends")),
    ]);
    expect(ended).toEqual(["ends"]);
  });
});
