import { describe, expect, it } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import type { JsonObject, Tool } from "@/lib/access/model/configuration";
import { parseDocument, toConfiguration } from "@/lib/config/document";
import { manifestEntries } from "@/lib/manifest/entries";
import { visibleTool } from "@/lib/manifest/visible-tool";
import { manifestFormat } from "@/lib/contracts/agents/agent-api";
import { entryOf, renderManifest } from "@/test/manifest/tools";

const TAGS = "\u{E0049}\u{E0047}";
const BIDI = "\u202E";
const HIDDEN = /[\u{E0000}-\u{E007F}\u202A-\u202E\u200B-\u200F]/u;

const schema: JsonObject = {
  type: "object",
  description: `Root.${TAGS}`,
  properties: {
    default: { type: "string", description: `Named like a keyword.${TAGS}` },
    plain: { type: "object", properties: { deep: { type: "string", title: `Deep${BIDI}` } } },
    shown: {
      type: "string",
      default: `d${TAGS}`,
      examples: [`e${TAGS}`, { [`n${TAGS}`]: [BIDI] }],
      format: `email${TAGS}`,
      contentEncoding: `base64${TAGS}`,
      contentMediaType: `text/plain${TAGS}`,
      "x-note": { const: `x${TAGS}` },
      [`enum${TAGS}`]: ["x"],
    },
    choice: { anyOf: [{ type: "string", description: `One${TAGS}` }, { type: "null" }] },
  },
};
const fields = {
  description: `Reads.${TAGS}`,
  displayName: `Read${BIDI}`,
  guidance: `Carefully.${TAGS}`,
  annotations: { title: `Read${TAGS}` },
  tags: [`t${TAGS}`],
  category: `c${TAGS}`,
  version: `1.0${TAGS}`,
  path: `/a${TAGS}`,
};

/** A tool listed through a group with hidden characters in its guidance. */
function entry(inputSchema = schema, changes: object = fields) {
  const group = { name: "g", guidance: `For all.${TAGS}` };
  const parsed = parseDocument({ apiVersion: "quartermaster/v1", groups: [group] });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const source = { index: compile(toConfiguration(parsed.document)), now: 0 } as never;
  return manifestEntries(source, [{ ...entryOf(inputSchema, changes).resolved, groups: ["g"] }]);
}

describe("a tool whose texts hold invisible characters", () => {
  it.each(manifestFormat.options)("is listed without them as %s, also in the guidance of its groups", (format) => {
    const text = JSON.stringify(renderManifest(format, entry()).data);
    expect(text).toContain("Reads.\\n\\nCarefully.\\n\\nFor all.");
    expect(text).not.toMatch(HIDDEN);
  });

  it("is without them in each field that its source states, before a format renders it", () => {
    const { tool } = entryOf(schema, { ...fields, guidance: null, outputSchema: schema }).resolved;
    expect(JSON.stringify(visibleTool({ ...tool, mcp: { _meta: { note: `n${TAGS}` } } }))).not.toMatch(HIDDEN);
  });

  it("keeps names and values that calls are checked against", () => {
    const value = `a${TAGS}`;
    const exact: JsonObject = { properties: { [`p${TAGS}`]: { enum: [value], const: value } }, required: [`p${TAGS}`] };
    const { tool } = entryOf(exact).resolved;
    expect(visibleTool(tool).inputSchema).toBe(tool.inputSchema);
  });

  it("is converted once; a tool without them stays the same object", () => {
    const { tool } = entryOf(schema, fields).resolved;
    expect(visibleTool(tool)).toBe(visibleTool(tool));
    const plain: Tool = entryOf({ type: "object", description: "Fine: ☎️ 👩‍🚀 é 漢" }).resolved.tool;
    expect(visibleTool(plain)).toBe(plain);
  });
});

describe("a tool whose patterns not every client compiles", () => {
  const loose: JsonObject = {
    type: "object",
    properties: { code: { type: "string", pattern: "^[\\-\\:]+$" }, word: { type: "string", pattern: "(?i)^yes$" } },
  };
  const spelt = { code: { type: "string", pattern: "^[\\-:]+$" }, word: { type: "string" } };

  it("is shown with patterns of the u mode, in its arguments and in its results", () => {
    const { tool } = entryOf(loose, { outputSchema: loose }).resolved;
    const { inputSchema, outputSchema } = visibleTool(tool);
    expect([inputSchema["properties"], outputSchema?.["properties"]]).toEqual([spelt, spelt]);
  });

  it.each(manifestFormat.options)("is listed as %s without them", (format) => {
    const { data } = renderManifest(format, entry(loose, { outputSchema: loose }));
    const patterns: string[] = [];
    JSON.stringify(data, (key, value: unknown) => {
      if (key === "pattern") patterns.push(String(value));
      return value;
    });
    for (const pattern of patterns) expect(pattern).toBe("^[\\-:]+$");
    expect(JSON.stringify(data)).toContain('"code"');
  });
});
