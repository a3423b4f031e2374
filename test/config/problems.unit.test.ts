import { expect, it } from "vitest";
import { atOnce } from "@/lib/access/model/parts";
import { parseDocument, type StatedDocument } from "@/lib/config/document";
import { mergeInParts } from "@/lib/config/merge";

const ROWS = 1_000;
const apiVersion = "quartermaster/v1";

it("a document lists at most 500 problems, however many rows have one name", () => {
  const groups = Array.from({ length: ROWS }, () => ({ name: "crm" }));
  expect(parseDocument({ apiVersion, groups })).toMatchObject({ ok: false, errors: { length: 500 } });
});

it("a merge lists at most 500 problems, however many rows are wrong", () => {
  const groups = Array.from({ length: ROWS }, (_, at) => ({ name: `g${at}`, selectors: 1, colour: "red" }));
  const stated = { apiVersion, groups } as unknown as StatedDocument;
  expect(atOnce(mergeInParts({ apiVersion }, stated))).toMatchObject({ ok: false, errors: { length: 500 } });
});

it.each([
  [
    { $defs: { pair: { anyOf: [{ type: "null" }, { type: "array", items: [{ type: "number" }] }] } } },
    "`$defs.pair.anyOf.1.items` is a list, as in draft-07: put its schemas under `prefixItems`",
  ],
  [
    { properties: { n: { type: ["string", "any"] } } },
    '`properties.n.type` cannot be "any": use null, boolean, object, array, number, string, integer, or leave it out',
  ],
  // Names and values that look like keywords.
  [{ properties: { items: { type: "string", default: { items: [] } }, type: { enum: [{ type: "any" }] } } }, null],
  [{ properties: { pair: { type: "array", prefixItems: [{ type: "number" }], items: false } } }, null],
])("a schema %j names the form that vendors refuse, and the fix", (schema, message) => {
  const tools = [{ id: "x:t", description: "d", inputSchema: { type: "object", ...schema } }];
  const parsed = parseDocument({ apiVersion, sources: [{ name: "x", kind: "http" }], tools } as never);
  expect(parsed.ok ? null : parsed.errors.map((one) => [one.path, one.message])).toEqual(
    message === null ? null : [["tools[x:t].inputSchema", message]],
  );
});
