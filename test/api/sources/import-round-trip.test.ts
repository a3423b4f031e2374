import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { outboundClient } from "@/lib/outbound/fetch";
import type { ToolInput } from "@/lib/resources/tool";
import { importOpenApi } from "@/lib/sources/openapi/import-openapi";
import { readOpenApi } from "@/lib/sources/openapi/read-document";
import { runHttp } from "@/lib/calls/runners/http";
import { compileUntrusted } from "@/lib/calls/schemas/untrusted-validator";
import { startEchoServer, type Echo, type EchoServer } from "@/test/support/servers/echo-server";
import { ANY_CALLER } from "@/test/support/any-caller";

let server: EchoServer;
beforeAll(async () => void (server = await startEchoServer()));
afterAll(() => server.close());

/** The tool of a document with one operation, which calls the echo server. */
function toolOf(operation: object, path = "/a", document: object = {}): ToolInput {
  const whole = {
    openapi: "3.1.0",
    servers: [{ url: `http://${server.host}` }],
    paths: { [path]: { post: operation } },
    ...document,
  };
  const { tools } = importOpenApi(readOpenApi(whole as JsonObject), { source: "s", url: null, known: new Map() });
  return tools[0]!;
}

/** Calls a tool with arguments that its schema takes; what the server saw. */
async function send(tool: ToolInput, args: JsonObject): Promise<Echo> {
  const validate = await compileUntrusted(tool.inputSchema);
  expect(validate(args)).toEqual([]);
  const result = await runHttp(
    {
      tool,
      source: { name: "s", auth: { mode: "none" } },
      caller: ANY_CALLER,
      arguments: args,
      signal: new AbortController().signal,
    },
    outboundClient({ allow: () => [server.host] }),
  );
  expect(result).toMatchObject({ success: true });
  return result.output as unknown as Echo;
}

const seed = 31;

const TEXT = { type: "string" };
const LIST = { type: "array", items: TEXT };
const OBJECT = { type: "object", additionalProperties: TEXT };
const query = (more: object) => ({ parameters: [{ name: "p", in: "query", ...more }] });
const bodyOf = (echo: Echo) => Buffer.from(echo.body, "base64").toString();

/** The examples of the table of OpenAPI 3.1 (Style Examples). */
const COLOURS: Record<string, Json> = { text: "blue", list: ["blue", "black"], object: { R: "100", G: "200" } };
const SCHEMAS: Record<string, object> = { text: TEXT, list: LIST, object: OBJECT };

describe.each<[string, string, boolean, Record<string, string>]>([
  ["path", "simple", false, { text: "blue", list: "blue,black", object: "R,100,G,200" }],
  ["path", "simple", true, { text: "blue", list: "blue,black", object: "R=100,G=200" }],
  ["path", "label", false, { text: ".blue", list: ".blue,black", object: ".R,100,G,200" }],
  ["path", "label", true, { text: ".blue", list: ".blue.black", object: ".R=100.G=200" }],
  ["path", "matrix", false, { text: ";p=blue", list: ";p=blue,black", object: ";p=R,100,G,200" }],
  ["path", "matrix", true, { text: ";p=blue", list: ";p=blue;p=black", object: ";R=100;G=200" }],
  ["query", "form", false, { text: "p=blue", list: "p=blue,black", object: "p=R,100,G,200" }],
  ["query", "form", true, { text: "p=blue", list: "p=blue&p=black", object: "R=100&G=200" }],
  ["query", "spaceDelimited", false, { list: "p=blue%20black", object: "p=R%20100%20G%20200" }],
  ["query", "pipeDelimited", false, { list: "p=blue%7Cblack", object: "p=R%7C100%7CG%7C200" }],
  ["query", "deepObject", true, { object: "p%5BR%5D=100&p%5BG%5D=200" }],
  ["header", "simple", false, { text: "blue", list: "blue,black", object: "R,100,G,200" }],
  ["header", "simple", true, { text: "blue", list: "blue,black", object: "R=100,G=200" }],
])("a parameter in %s, style %s, explode %s", (place, style, explode, wires) => {
  it.each(Object.entries(wires))("writes a %s as the specification does", async (kind, wire) => {
    const parameter = { name: "p", in: place, style, explode, required: true, schema: SCHEMAS[kind] };
    const echo = await send(toolOf({ parameters: [parameter] }, place === "path" ? "/a/{p}" : "/a"), {
      p: COLOURS[kind]!,
    });
    const { url, headers } = echo;
    expect({ path: url.slice(3), query: url.slice(3), header: headers["p"] }[place]).toBe(wire);
  });
});

const text = fc.string({ unit: "binary", minLength: 1, maxLength: 20 });
const without = (...characters: string[]) => text.filter((one) => !characters.some((each) => one.includes(each)));
const visible = fc.stringMatching(/^[!-~]([ -~]{0,10}[!-~])?$/);
/** Possible arguments: JSON knows no -0, and the pipeline refuses `__proto__`. */
const json = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.stringify(value))
  .filter((value) => value !== "null" && !value.includes("__proto__"))
  .map((value) => JSON.parse(value) as Json);
const listOf = (item: fc.Arbitrary<string>) => fc.array(item, { minLength: 1, maxLength: 4 });
const objectOf = (item: fc.Arbitrary<string>) =>
  fc
    .dictionary(
      item.filter((key) => !["__proto__", "constructor", "prototype"].includes(key)),
      item,
      { minKeys: 1, maxKeys: 4 },
    )
    .map((object) => ({ ...object }));
const decode = decodeURIComponent;
const pairs = (wire: string, between: string, equals = "=") =>
  wire
    .split(between)
    .map((pair) => [decode(pair.split(equals)[0]!), decode(pair.slice(pair.indexOf(equals) + 1))] as const);
const alternating = (items: string[]) =>
  Object.fromEntries(Array.from({ length: items.length / 2 }, (_, n) => [items[2 * n]!, items[2 * n + 1]!]));
/** Characters that a path argument may hold, without the item separators. */
const inPath = text.filter((one) => !/[./\\;?#%\p{Cc}\u2028\u2029]/u.test(one));

/** Whatever is sent comes back, read by rules that were written from the receiver's side. */
describe("a server reads what was sent", () => {
  const CASES: readonly (readonly [string, object, fc.Arbitrary<Json>, (wire: string) => Json])[] = [
    ["path simple list", { in: "path", schema: LIST }, listOf(inPath), (wire) => wire.split(",").map(decode)],
    [
      "path simple object",
      { in: "path", explode: true, schema: OBJECT },
      objectOf(inPath),
      (wire) => Object.fromEntries(pairs(wire, ",")),
    ],
    [
      "path label list",
      { in: "path", style: "label", explode: true, schema: LIST },
      listOf(inPath),
      (wire) => wire.slice(1).split(".").map(decode),
    ],
    [
      "path matrix list",
      { in: "path", style: "matrix", explode: true, schema: LIST },
      listOf(inPath),
      (wire) => pairs(wire.slice(1), ";").map(([, value]) => value),
    ],
    [
      "path matrix object",
      { in: "path", style: "matrix", explode: true, schema: OBJECT },
      objectOf(inPath),
      (wire) => Object.fromEntries(pairs(wire.slice(1), ";")),
    ],
    ["query text", { in: "query", schema: TEXT }, text, (wire) => pairs(wire, "&")[0]![1]],
    [
      "query text with reserved characters",
      { in: "query", allowReserved: true, schema: TEXT },
      text,
      (wire) => pairs(wire, "&")[0]![1],
    ],
    [
      "query form list",
      { in: "query", schema: LIST },
      listOf(text),
      (wire) => pairs(wire, "&").map(([, value]) => value),
    ],
    [
      "query form list in one",
      { in: "query", explode: false, schema: LIST },
      listOf(text),
      (wire) => wire.slice(2).split(",").map(decode),
    ],
    [
      "query form object in one",
      { in: "query", explode: false, schema: OBJECT },
      objectOf(text),
      (wire) => alternating(wire.slice(2).split(",").map(decode)),
    ],
    [
      "query spaceDelimited",
      { in: "query", style: "spaceDelimited", schema: LIST },
      listOf(without(" ")),
      (wire) => decode(wire.slice(2)).split(" "),
    ],
    [
      "query pipeDelimited",
      { in: "query", style: "pipeDelimited", schema: LIST },
      listOf(without("|")),
      (wire) => decode(wire.slice(2)).split("|"),
    ],
    [
      "query deepObject",
      { in: "query", style: "deepObject", schema: OBJECT },
      objectOf(text),
      (wire) => Object.fromEntries(pairs(wire, "&").map(([key, value]) => [key.slice(2, -1), value])),
    ],
    [
      "query JSON",
      { in: "query", content: { "application/json": { schema: {} } } },
      json,
      (wire) => JSON.parse(decode(wire.slice(2))) as Json,
    ],
    ["header text", { in: "header", schema: TEXT }, visible, (wire) => wire],
    [
      "header list",
      { in: "header", schema: LIST },
      listOf(visible.filter((one) => !one.includes(","))),
      (wire) => wire.split(","),
    ],
  ];
  it.each(CASES)("%s", async (_name, parameter, arbitrary, read) => {
    const { in: place } = parameter as { in: string };
    const tool = toolOf(
      { parameters: [{ name: "p", required: true, ...parameter }] },
      place === "path" ? "/a/{p}" : "/a",
    );
    await fc.assert(
      fc.asyncProperty(arbitrary, async (value) => {
        const { url, headers } = await send(tool, { p: value });
        expect(read(place === "header" ? headers["p"]! : url.slice(3))).toEqual(value);
      }),
      { seed, numRuns: 25 },
    );
  });

  it("a form, whose lists repeat their name and whose objects are JSON", async () => {
    const properties = { a: TEXT, list: LIST, object: OBJECT, deep: OBJECT };
    const encoding = { deep: { style: "deepObject", explode: true } };
    const tool = toolOf({
      requestBody: {
        required: true,
        content: { "application/x-www-form-urlencoded": { schema: { type: "object", properties }, encoding } },
      },
    });
    await fc.assert(
      fc.asyncProperty(text, listOf(text), objectOf(text), async (a, list, object) => {
        const echo = await send(tool, { a, list, object, deep: { k: a } });
        expect(echo.headers["content-type"]).toBe("application/x-www-form-urlencoded");
        const form = new URLSearchParams(bodyOf(echo));
        expect([form.get("a"), form.getAll("list"), JSON.parse(form.get("object")!), form.get("deep[k]")]).toEqual([
          a,
          list,
          object,
          a,
        ]);
      }),
      { seed, numRuns: 25 },
    );
  });

  it("a multipart form with files, read by another implementation", async () => {
    const file = { type: "string", format: "binary" };
    const properties = { note: TEXT, file, files: { type: "array", items: file }, meta: OBJECT, 'odd"name': TEXT };
    const content = {
      "multipart/form-data": {
        schema: { type: "object", required: ["file"], properties },
        encoding: { file: { contentType: "image/png" } },
      },
    };
    const tool = toolOf({ requestBody: { required: true, content } }, "/a", { openapi: "3.0.3" });
    await fc.assert(
      fc.asyncProperty(
        text.filter((one) => !/[\r\n]/.test(one)),
        fc.uint8Array({ maxLength: 300 }),
        objectOf(text),
        async (note, bytes, meta) => {
          const base64 = Buffer.from(bytes).toString("base64");
          const echo = await send(tool, { note, file: base64, files: [base64, "AAECAw=="], meta, odd_name: "x" });
          const form = await new Response(Buffer.from(echo.body, "base64"), {
            headers: { "content-type": echo.headers["content-type"]! },
          }).formData();
          const sent = form.get("file") as File;
          expect([form.get("note"), sent.type, form.get('odd"name')]).toEqual([note, "image/png", "x"]);
          expect(new Uint8Array(await sent.arrayBuffer())).toEqual(bytes);
          expect(new Uint8Array(await (form.getAll("files")[1] as File).arrayBuffer())).toEqual(
            new Uint8Array([0, 1, 2, 3]),
          );
          const part = form.get("meta") as string | File;
          expect(JSON.parse(typeof part === "string" ? part : await part.text())).toEqual(meta);
        },
      ),
      { seed, numRuns: 25 },
    );
  });

  it.each<[string, string, Json, string]>([
    ["application/json", "application/json", { a: [1, null, "é"] }, '{"a":[1,null,"é"]}'],
    ["application/merge-patch+json", "application/merge-patch+json", { a: null }, '{"a":null}'],
    ["text/plain", "text/plain; charset=utf-8", "zwölf\n", "zwölf\n"],
    ["application/xml", "application/xml", "<a>é</a>", "<a>é</a>"],
    ["application/octet-stream", "application/octet-stream", Buffer.from("é").toString("base64"), "é"],
    ["image/png", "image/png", Buffer.from("png").toString("base64"), "png"],
  ])("a body of %s", async (type, header, body, wire) => {
    const tool = toolOf({ requestBody: { required: true, content: { [type]: { schema: {} } } } });
    const echo = await send(tool, { body });
    expect([echo.headers["content-type"], bodyOf(echo)]).toEqual([header, wire]);
  });
});

describe("what would be read as something else is refused, by name", () => {
  const refuse = async (tool: ToolInput, args: JsonObject) =>
    runHttp({
      tool,
      source: { name: "s", auth: { mode: "none" } },
      caller: ANY_CALLER,
      arguments: args,
      signal: new AbortController().signal,
    });
  it.each<[string, object, Json]>([
    ["a space between spaces", query({ style: "spaceDelimited", schema: LIST }), ["a b"]],
    ["a bar between bars", query({ style: "pipeDelimited", schema: LIST }), ["a|b"]],
    ["a list in a list", query({ schema: { type: "array" } }), [["a"]]],
    ["null in a list", query({ schema: { type: "array" } }), [null]],
    ["a comma in a header's list", { parameters: [{ name: "p", in: "header", schema: LIST }] }, ["a,b"]],
    ["blanks around a header", { parameters: [{ name: "p", in: "header", schema: TEXT }] }, " a"],
  ])("%s", async (_name, operation, value) => {
    const result = await refuse(toolOf(operation), { p: value });
    expect(result).toMatchObject({
      success: false,
      error: { code: "invalid_arguments", message: expect.stringContaining("`p`") },
    });
  });

  it("a file that is no base64", async () => {
    const tool = toolOf({ requestBody: { content: { "application/octet-stream": {} } } });
    for (const body of ["é", "a", "a=b", "====", "data:;base64,AA"])
      expect(await refuse(tool, { body })).toMatchObject({ error: { code: "invalid_arguments" } });
  });
});
