import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseDocument } from "@/lib/config/document";
import { compileUntrusted } from "@/lib/calls/schemas/untrusted-validator";

const parsed = parseDocument(readFileSync("prisma/seed/taxonomy.yaml", "utf8"));
if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
const tools = new Map((parsed.document.tools ?? []).map((tool) => [tool.operation, tool]));

/** Names and arguments are the example's published contract: an argument with `?` is optional. */
const CONTRACT: Readonly<Record<string, string>> = {
  search_memories: "query limit?",
  get_events: "action ids? from? to? contact_ids?",
  lookup_contact: "name? id?",
  lookup_places: "place",
  lookup_contact_places: "contact",
  lookup_place_contacts: "place",
  create_pdf: "title body_markdown ingest_as_document?",
  ingest_generated_pdf: "artifact_id",
};

describe("the shipped example configuration", () => {
  it.each(Object.entries(CONTRACT))("%s takes %s", (name, expected) => {
    const { properties, required } = tools.get(name)!.inputSchema as { properties: object; required?: string[] };
    const stated = Object.keys(properties).map((one) => (required?.includes(one) === true ? one : `${one}?`));
    expect(stated.join(" ")).toBe(expected);
  });

  it.each<[string, readonly object[], readonly object[]]>([
    [
      "get_events",
      [
        { action: "by_ids", ids: ["e1"] },
        { action: "by_time_span", from: "2026-11-16", to: "2026-11-23", contact_ids: ["c1"] },
      ],
      [{ action: "by_ids" }, { action: "by_time_span", from: "2026-11-16" }, { action: "by_title" }, {}],
    ],
    ["lookup_contact", [{ name: "Ana" }, { id: "c1" }], [{}]],
    ["create_pdf", [{ title: "Plan", body_markdown: "| a |" }], [{ title: "Plan", body: "x" }]],
    ["ingest_generated_pdf", [{ artifact_id: "a1" }], [{ file_id: "a1" }]],
  ])("%s takes what its action needs, and refuses the rest", async (name, good, bad) => {
    const validate = await compileUntrusted(tools.get(name)!.inputSchema);
    for (const value of good) expect(validate(value as never)).toEqual([]);
    for (const value of bad) expect(validate(value as never)).not.toEqual([]);
  });

  it.each<[string, readonly RegExp[]]>([
    ["search_memories", [/semantic discovery over events, documents and notes/]],
    [
      "get_events",
      [
        /strict evidence of events/,
        /`by_ids` to inspect candidates that search_memories found/,
        /`by_time_span` for strict chronological windows/,
        /`contact_ids`/,
        /Do not use it to rank by title keywords alone/,
      ],
    ],
    ["lookup_contact", [/profiles and relationships/, /Do not use it to count interactions: that is get_events/]],
    ["lookup_places", [/resolve places/, /Do not use it to find events/]],
    ["lookup_contact_places", [/resolve places/, /Do not use it to find events/]],
    ["lookup_place_contacts", [/resolve places/, /Do not use it to find events/]],
    [
      "create_pdf",
      [
        /only when the person asks for a generated, printable or downloadable PDF/,
        /Markdown pipe tables/,
        /`ingest_as_document` to true only when the person asks to save or index/,
      ],
    ],
    ["ingest_generated_pdf", [/when the person later asks to add an earlier PDF to the documents/]],
  ])("%s tells the model when to use it and when not", (name, patterns) => {
    for (const pattern of patterns) expect(tools.get(name)!.guidance).toMatch(pattern);
  });

  it("says that a PDF is indexed only on request, and that the result has download addresses", () => {
    const { inputSchema, description } = tools.get("create_pdf")!;
    expect(inputSchema).toMatchObject({ properties: { ingest_as_document: { default: false } } });
    expect(description).toContain("download addresses");
  });
});
