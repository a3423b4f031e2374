import { expect, it } from "vitest";
import type { Json } from "@/lib/access/model/configuration";
import { redact, redactText, storedName, storedSentence } from "@/lib/audit/record/redact";
import { auditText } from "@/lib/store/audit/audit-events";
import { storableJson } from "@/lib/access/model/storable";
import { importMcpInParts } from "@/lib/sources/mcp/import-mcp";
import { readOpenApiInParts } from "@/lib/sources/openapi/read-in-parts";

// Several layers replace text that Postgres refuses. Each is tested alone, because the others would hide its fault.

/** NUL, and both halves of a surrogate pair alone. */
const UNFIT = "a\0b\uD800c\uDC00d";
const FIT = "a\uFFFDb\uFFFDc\uFFFDd";
const inJson = (text: string): Json => ({ list: [text], [text]: { text } });

it.each<[string, (text: string) => unknown, unknown]>([
  ["the redaction of a text", (text) => redactText(text, []), FIT],
  ["the redaction of a value, in names and values", (text) => redact(inJson(text)), inJson(FIT)],
  ["a name", storedName, FIT],
  ["a sentence", (text) => storedSentence(text, []), FIT],
  ["a text of the audit trail", auditText, FIT],
  [
    "a row of the log, in names and values",
    (text) => JSON.parse(storableJson({ row: inJson(text) })),
    { row: inJson(FIT) },
  ],
])("%s replaces characters that Postgres refuses", (_layer, stored, expected) => {
  expect(stored(UNFIT)).toEqual(expected);
});

it.each<[string, (text: string) => string, number]>([
  ["a name", storedName, 200],
  ["a sentence", (text) => storedSentence(text, []), 500],
])("%s that is cut ends with a mark and no half character", (_layer, stored, most) => {
  expect(stored("x".repeat(most + 1))).toBe(`${"x".repeat(most - 1)}…`);
  expect(stored("\u{1F600}".repeat(most))).toMatch(/^\u{1F600}+…$/u);
});

it("a text of the audit trail that is cut is the shortest that shows that it was", () => {
  const [short, long] = [auditText("x".repeat(100)), auditText("x".repeat(10_000))];
  expect(short).toBe("x".repeat(100));
  expect(long).toMatch(/^x+…$/);
  expect(auditText(long)).toBe(long);
});

it("an imported tool of an MCP server has no such text in its schema", async () => {
  const schema = (text: string) => ({ type: "object", properties: { [text]: { enum: [text] } } });
  const list = { title: null, tools: [JSON.stringify({ name: "look", inputSchema: schema(UNFIT) })] };
  const tools: unknown[] = [];
  await importMcpInParts({ list, source: "s", known: new Map() }, async (batch) => void tools.push(...batch));
  expect(tools).toMatchObject([{ id: "s:look", inputSchema: schema(FIT) }]);
});

it("an imported operation whose text is cut ends with no half character", async () => {
  const document = JSON.stringify({
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    servers: [{ url: "https://x.example" }],
    paths: { "/a": { get: { operationId: "a", summary: `${"x".repeat(199)}\u{1F600}` } } },
  });
  const tools: unknown[] = [];
  const options = { source: "s", url: null, known: new Map<string, string>() };
  await readOpenApiInParts({ document, hidden: [], options }, async (part) => void tools.push(...part.tools));
  expect(tools).toHaveLength(1);
  expect(JSON.stringify(tools)).not.toMatch(/\\ud83d/);
});
