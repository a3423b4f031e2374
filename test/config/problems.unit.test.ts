import { expect, it } from "vitest";
import { atOnce } from "@/lib/access/model/parts";
import { parseDocument, type StatedDocument } from "@/lib/config/document";
import { mergeInParts } from "@/lib/config/merge";
import { warningsAtOnce } from "@/lib/config/plan";

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
    "`$defs.pair.anyOf.1.items` is a list, as in draft-07: put its schemas under `prefixItems`, and `additionalItems` under `items`",
  ],
  [
    {
      $schema: "http://json-schema.org/draft-07/schema#",
      properties: { pair: { type: "array", prefixItems: [{ type: "number" }] } },
    },
    "`properties.pair.prefixItems` has no effect in draft-07, which `$schema` names: remove `$schema`",
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
  const warnings = parsed.ok ? warningsAtOnce(parsed.document) : parsed.errors;
  expect(warnings.map((one) => [one.path, one.message])).toEqual(
    message === null ? [] : [["tools[x:t].inputSchema", message]],
  );
});

it("a missing operator is missing, and not unknown", () => {
  const policy = (matcher: object) => ({ name: "p", matchers: [{ claim: "role", ...matcher }], groups: ["*"] });
  const messageOf = (matcher: object) => parseDocument({ apiVersion, policies: [policy(matcher)] });
  const at = { path: "policies[p].matchers[0].operator" };
  expect(messageOf({})).toMatchObject({
    errors: [{ ...at, message: expect.stringMatching(/^is missing: use one of/) as string }],
  });
  expect(messageOf({ operator: "is_like" })).toMatchObject({
    errors: [{ ...at, message: expect.stringMatching(/^unknown operator/) as string }],
  });
});

it("a missing word of a list is missing, in a new row of a merge too, and not invalid", () => {
  const labels = [{ name: "secret" }];
  const missing = { path: "labels[secret].scope", message: "is missing: use one of `run`, `caller`" };
  expect(parseDocument({ apiVersion, labels })).toMatchObject({ ok: false, errors: [missing] });
  const read = parseDocument({ apiVersion, labels }, true);
  if (!read.ok) throw new Error("the row may be stored");
  const merge = (current: object) => atOnce(mergeInParts({ apiVersion, ...current }, read.stated));
  expect(merge({})).toMatchObject({
    errors: [{ ...missing, message: expect.stringMatching(`^${missing.message} \\(`) as string }],
  });
  const stored = parseDocument({ apiVersion, labels: [{ name: "secret", scope: "run" }] });
  expect(stored.ok && merge(stored.document)).toMatchObject({ ok: true });
});

it("in a merge, a stored row states only what changes, and a new one its required fields", () => {
  const policies = [{ name: "p", priority: 3, groups: ["*"] }];
  const missing = { path: "policies[p].groups", message: "is missing: state a value of type array" };
  const partial = { apiVersion, policies: [{ name: "p", priority: 7 }] };
  expect(parseDocument(partial)).toMatchObject({ errors: [missing] });
  const everyone = { ...policies[0], everyone: true, description: "kept" };
  const stored = parseDocument({ apiVersion, policies: [everyone] });
  if (!stored.ok) throw new Error("the document is not valid");
  const read = parseDocument(partial, true);
  if (!read.ok) throw new Error("the document is not valid");
  expect(atOnce(mergeInParts(stored.document, read.stated))).toMatchObject({
    document: { policies: [{ priority: 7, everyone: true, description: "kept" }] },
  });
  const wording = `${missing.message} (nothing stored has this name, so the row is new)`;
  expect(atOnce(mergeInParts({ apiVersion }, read.stated))).toMatchObject({
    errors: [{ ...missing, message: wording }],
  });
});

it("a document to merge is checked before it is merged, apart from what stored rows may have", () => {
  const errorsOf = (row: object) => {
    const parsed = parseDocument({ apiVersion, policies: [{ name: "p", ...row }] }, true);
    return parsed.ok ? [] : parsed.errors.map(({ path }) => path);
  };
  expect(errorsOf({ priority: 7 })).toEqual([]);
  expect(errorsOf({ matchers: [{ claim: "team", operator: "equals" }] })).toEqual([]);
  expect(errorsOf({ colour: "red" })).toEqual(["policies[p].colour"]);
  expect(errorsOf({ matchers: [0] })).toEqual(["policies[p].matchers[0]"]);
  expect(errorsOf({ matchers: [{ operator: "equals", value: "a" }] })).toEqual(["policies[p].matchers[0].claim"]);
  expect(errorsOf({ name: "n".repeat(10_000), colour: "red" })).toEqual(["policies[0].name", "policies[0].colour"]);
  expect(parseDocument({ apiVersion, policies: [{ priority: 7 }] }, true)).toMatchObject({ ok: false });
  expect(parseDocument({ apiVersion, settings: { routing: { high: 2 } } }, true)).toMatchObject({ ok: false });
});
