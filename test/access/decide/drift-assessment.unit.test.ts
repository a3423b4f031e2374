import { describe, expect, it } from "vitest";
import { hiddenCharacters } from "@/lib/access/model/hidden-characters";
import { toolInput } from "@/lib/resources/tool";
import { assessChange, assessNew, severityOf } from "@/lib/sources/drift/assess-change";
import { driftChanges } from "@/lib/sources/drift/drift-changes";
import { isSameBundled } from "@/lib/sources/mcp/keep-schema";
import { cpuMs } from "@/test/support/cpu-time";
import { compareSchemas } from "@/lib/sources/drift/compare-schemas";

const codes = (text: string) => hiddenCharacters(text).map(({ codePoint }) => codePoint);

describe("hidden characters", () => {
  it.each([
    ["a direction override", "safe\u202Etxt", ["U+202E"]],
    ["an isolate", "a\u2066b", ["U+2066"]],
    ["zero width", "a\u200Bb\uFEFF", ["U+200B", "U+FEFF"]],
    ["the tags block", "ok\u{E0049}\u{E0047}", ["U+E0049", "U+E0047"]],
    ["variation selectors", "a\u{E0100}", ["U+E0100"]],
    ["a soft hyphen", "pay\u00ADment", ["U+00AD"]],
    ["a Hangul filler", "a\u3164", ["U+3164"]],
    ["a control character", "a\u001Bb", ["U+001B"]],
    ["a line separator", "a\u2028b", ["U+2028"]],
    ["a Cyrillic letter in a Latin word", "p\u0430yment", ["U+0430"]],
    ["full width letters", "\uFF41dmin", ["U+FF41"]],
  ])("are found: %s", (_name, text, found) => expect(codes(text)).toEqual(found));

  it.each(["", "Plain text,\n\twith lines.", "Zoë isst Käse für 5 €", "Привет мир", "日本語", "Δx ≤ 3", "👩‍👩‍👧 ❤️"])(
    "are none in %j",
    (text) => expect(codes(text)).toEqual([]),
  );

  it("are all code points that are rendered as nothing, also unassigned ones", () => {
    const ignorable = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter((character) =>
      /\p{Default_Ignorable_Code_Point}/u.test(character),
    );
    expect(ignorable.length).toBeGreaterThan(4000);
    expect(codes(ignorable.join("a"))).toHaveLength(ignorable.length);
  });

  it("are reported with their path", () => {
    expect(hiddenCharacters("😀\u200Bx")).toEqual([
      { at: 2, length: 1, codePoint: "U+200B", name: "zero width", kind: "hidden" },
    ]);
  });
});

describe("a changed schema", () => {
  const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more }) as never;
  const text = { type: "string" };
  it.each([
    ["one more property", object({ a: text }), object({ a: text, b: text }), { added: ["b"] }],
    ["one less", object({ a: text, b: text }), object({ a: text }), { narrowed: ["b"] }],
    ["one more that is required", object({ a: text }), object({ a: text }, { required: ["a"] }), { narrowed: ["a"] }],
    ["fewer values", object({ a: { enum: [1, 2] } }), object({ a: { enum: [1] } }), { narrowed: ["a"] }],
    ["another type", object({ a: text }), object({ a: { type: ["string", "null"] } }), { widened: ["a"] }],
    ["a higher limit", object({ a: { maximum: 1 } }), object({ a: { maximum: 2 } }), { widened: ["a"] }],
    ["a limit", object({ a: {} }), object({ a: { minLength: 2 } }), { narrowed: ["a"] }],
    ["other words", object({ a: text }), object({ a: { ...text, description: "x" } }), { worded: ["a"] }],
    [
      "what cannot be compared",
      object({ a: { pattern: "a" } }),
      object({ a: { pattern: "b" } }),
      { widened: ["a"], narrowed: ["a"] },
    ],
    [
      "an item",
      object({ a: { items: text } }),
      object({ a: { items: { type: "number" } } }),
      { widened: ["a[]"], narrowed: ["a[]"] },
    ],
    ["a closed object that opens", object({}, { additionalProperties: false }), object({}), { widened: ["(whole)"] }],
  ])("is classified by the values it accepts: %s", (_name, before, after, expected) =>
    expect(compareSchemas(before, after)).toEqual({ added: [], widened: [], narrowed: [], worded: [], ...expected }),
  );

  it("is compared in linear time: neither the order of values nor that of their members counts", () => {
    const values = Array.from({ length: 20_000 }, (_, at) => ({ at, of: "x" }));
    const turned = values.toReversed().map(({ at, of }) => ({ of, at }));
    const names = values.map(({ at }) => `p${at}`);
    const before = object({ a: { enum: values } }, { required: names });
    const after = object({ a: { enum: turned } }, { required: names.toReversed() });
    expect(compareSchemas(before, after)).toEqual({ added: [], widened: [], narrowed: [], worded: [] });
    // Comparing each with each takes 10 s and more.
    expect(cpuMs(() => compareSchemas(before, after))).toBeLessThan(2_000);
  });

  it("of an MCP tool compares patterns as texts, without compiling them again", () => {
    const schema = object({ a: { pattern: "(?=a)" } });
    expect(isSameBundled(schema, schema)).toBe(true);
  });
});

describe("the severity of a change", () => {
  const run = { kind: "http", method: "GET", url: "https://a.example/x" };
  const tool = (fields: object = {}) =>
    toolInput.parse({ id: "a:b", description: "Reads.", inputSchema: { type: "object" }, run, ...fields });
  const severity = (before: object, after: object) => severityOf(assessChange(tool(before), tool(after)));
  it.each([
    ["low", "tags", {}, { tags: ["x"] }],
    ["low", "an annotation that says nothing worse", {}, { annotations: { idempotentHint: true } }],
    ["medium", "the description", {}, { description: "Reads all." }],
    ["medium", "one more argument", {}, { inputSchema: { type: "object", properties: { a: {} } } }],
    ["high", "one more that is required", {}, { inputSchema: { type: "object", required: ["a"] } }],
    ["high", "side effects", {}, { hasSideEffects: true }],
    ["high", "no promise to read only", { annotations: { readOnlyHint: true } }, {}],
    ["high", "destruction", {}, { annotations: { destructiveHint: true } }],
    ["high", "another host", {}, { run: { ...run, url: "https://b.example/x" } }],
    ["high", "a hidden character", {}, { description: "Reads.\u200B" }],
    ["high", "one deep in a schema", {}, { inputSchema: { type: "object", description: "\u{E0041}" } }],
  ] as const)("is %s for %s", (expected, _name, before, after) => expect(severity(before, after)).toBe(expected));

  it("of thousands of tools lets other work run in between", async () => {
    const properties = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`p${at}`, { description: "Old." }]));
    const [pinned, after] = [tool({ inputSchema: { properties } }), tool({ inputSchema: { properties: {} } })];
    const changed = { pinned, after, fields: [], waits: true, heldByHand: false };
    const found = {
      diff: { changed: Array.from({ length: 3_000 }, () => changed), removed: [] },
      fresh: [],
      settled: [],
    };
    let hasEnded = false;
    const rows = driftChanges("a", new Map(), { ...found, imported: [] }, new Date()).finally(() => (hasEnded = true));
    await new Promise((done) => setImmediate(done));
    expect(hasEnded).toBe(false);
    expect(await rows).toHaveLength(3_000);
  });

  it("reports each run of hidden characters once, with its length", () => {
    const tags = (text: string) => String.fromCodePoint(...[...text].map((letter) => 0xe0000 + letter.charCodeAt(0)));
    const description = `Reads${tags("ignore all")}. \u202EReads\u202E again\u200B\u202E.`;
    const notes = assessChange(tool(), tool({ description, displayName: `Read${tags("ignore all")}` }));
    expect(notes.filter(({ text }) => text.startsWith("Its text holds")).map(({ text }) => text)).toEqual([
      "Its text holds 10 characters in a row (U+E0069 U+E0067 U+E006E …), in 2 places: invisible tag character, which only models read.",
      "Its text holds U+202E, in 3 places: changes the direction of text.",
      "Its text holds U+200B: zero width.",
    ]);
    const flood = Array.from({ length: 50 }, (_, at) => `x${String.fromCodePoint(0xe0100 + at)}`).join("");
    expect(assessChange(tool(), tool({ description: flood })).length).toBeLessThan(12);
  });

  it("does not report approved drift again", () => {
    const hidden = { description: "Reads.\u200B" };
    expect(severity(hidden, { ...hidden, tags: ["x"] })).toBe("low");
  });

  const reserved = (place: "path" | "query") => ({
    parameters: [{ property: "id", name: "id", in: place, allowReserved: true }],
  });

  it("names the new host and the reserved path argument of a change, also where the path changes", () => {
    const before = tool({ method: "GET", path: "/x", run });
    const after = tool({
      method: "GET",
      path: "/y/{id}",
      run: { ...run, url: "https://b.example/y/{id}", ...reserved("path") },
    });
    expect(assessChange(before, after).filter((note) => note.severity === "high")).toEqual(
      [
        "Calls go to GET /y/{id} instead of GET /x.",
        "Calls go to https://b.example/y/{id} instead of https://a.example/x.",
        "`path id` now has `allowReserved`: it accepts `/ ? # %`.",
      ].map((text) => ({ severity: "high", text })),
    );
  });

  it("of a new operation is high when a path argument may lead to another address", () => {
    const added = (place: "path" | "query") => assessNew(tool({ run: { ...run, ...reserved(place) } }));
    expect(added("path")[0]).toEqual({
      severity: "high",
      text: "`path id` has `allowReserved`: it accepts `/ ? # %`.",
    });
    expect(severityOf(added("query"))).toBe("low");
  });

  it("of a new operation depends on its side effects", () => {
    expect(severityOf(assessNew(tool()))).toBe("low");
    expect(severityOf(assessNew(tool({ hasSideEffects: true })))).toBe("medium");
  });
});
