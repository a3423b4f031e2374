import { beforeAll, describe, expect, it } from "vitest";
import { mcpWith } from "@/lib/agents/mcp/endpoint";
import { callTool } from "@/lib/agents/rest/call";
import { inexactInteger } from "@/lib/http/exact-numbers";
import { production } from "@/lib/calls/pipeline/dependencies";
import { keyOf, save, supportDocument } from "@/test/api/agents-world";
import { cpuMs } from "@/test/support/cpu-time";
import { useDatabase } from "@/test/support/database";

useDatabase();
let key: string;
beforeAll(async () => {
  await save(supportDocument());
  key = await keyOf("reader");
});

const post = (path: string, body: string, type = "application/json") =>
  new Request(`http://127.0.0.1:3000${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": type,
      accept: "application/json, text/event-stream",
    },
    body,
  });

const calling = (args: string) => `{"tool_id":"builtin:calculate","arguments":${args}}`;

describe("an integer of the arguments that a double cannot hold", () => {
  it.each([
    "9007199254740993",
    "-12345678901234567890",
    "9007199254740993.0",
    "1152921504606846976",
    // Beyond every double: `JSON.parse` makes it infinite, and `JSON.stringify` would send `null`.
    "1e400",
    "-1E+999",
    "12345678901e300",
  ])("%s is refused by its field's name at the REST endpoint and at the MCP endpoint", async (number) => {
    const answer = await callTool(post("/api/agents/tools/call", calling(`{"a":[{"id":${number}}]}`)));
    expect(answer.status).toBe(400);
    const { code, errors } = (await answer.json()) as { code: string; errors: { path: string; message: string }[] };
    expect([code, errors[0]?.path]).toEqual(["invalid_request", "arguments.a[0].id"]);
    expect(errors[0]?.message).toContain(number);
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"calculate","arguments":{"id":${number}}}}`;
    const refused = await mcpWith(production)(post("/mcp", call));
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(number)]);
  });

  it.each(["9007199254740992", "1e23", "1e300", "1e-400", "0e999", "0.1234567890123456789", "1000000000000000000000"])(
    "%s survives, so it is none",
    (number) => expect(inexactInteger(`{"a":${number}}`)).toBeNull(),
  );

  it.each(['{"id":"9007199254740993"}', '{"9007199254740993":1}', String.raw`{"a":"\"9007199254740993"}`])(
    "%s is text, so it is none",
    (text) => expect(inexactInteger(text)).toBeNull(),
  );

  it("is looked for in linear time, however hostile the body", () => {
    const readMs = (text: string) => cpuMs(() => [inexactInteger(text), inexactInteger(`${text}9007199254740993`)]);
    // The fastest of three: the first reads compile the patterns, and others' work in this process counts too.
    const leastMs = (text: string) => Math.max(5, Math.min(...[text, text, text].map(readMs)));
    for (const part of ['"a\\\\",', "1,", "0", "9007199254740992,", "1.0e+", "1e99", "[{"]) {
      const [small, large] = [128 * 1024, 1024 * 1024].map((size) => leastMs(part.repeat(size / part.length)));
      // Eight times the text: 8 when linear, 64 when quadratic.
      expect([part, (large ?? 0) / (small ?? 1) < 40]).toEqual([part, true]);
    }
  });
});

describe("a body", () => {
  it.each([
    "application/json; charset=iso-8859-1",
    'application/json;charset="utf-16"',
    "application/json; Charset=us-ascii",
  ])("of the type %s is refused", async (type) => {
    expect((await callTool(post("/api/agents/tools/call", calling("{}"), type))).status).toBe(415);
    expect((await mcpWith(production)(post("/mcp", "{}", type))).status).toBe(415);
  });

  it.each(["application/json; charset=utf-8", 'application/json; charset="UTF-8"', "application/json; charset=utf8"])(
    "of the type %s is read",
    async (type) => {
      const answer = await callTool(post("/api/agents/tools/call", calling('{"expression":"6*7"}'), type));
      expect(answer.status).toBe(200);
    },
  );
});
