import { describe, expect, it } from "vitest";
import { manifestFormat } from "@/lib/contracts/agents/agent-api";
import { LINTERS } from "@/test/manifest/lint";
import { entryOf, realEntries, renderManifest } from "@/test/manifest/tools";

const entries = realEntries();
const rendered = (format: Parameters<typeof renderManifest>[0]) => renderManifest(format, entries);

describe.each(manifestFormat.options.filter((format) => format !== "native"))("real tools as %s", (format) => {
  it("break no published rule, and every missing tool has a note", () => {
    const { data, notes } = rendered(format);
    expect(LINTERS[format](data)).toEqual([]);
    const leftOut = notes.filter(({ kind }) => kind === "left_out").length;
    expect(data.length + leftOut).toBe(entries.length);
  });
});

it("are strict when OpenAI's mode can express them, else have a reason", () => {
  const { data, notes } = rendered("openai");
  const strict = (data as readonly { strict: boolean }[]).filter((tool) => tool.strict).length;
  expect(strict / entries.length).toBeGreaterThan(0.85);
  expect(notes.filter(({ kind }) => kind === "not_strict").length).toBe(entries.length - strict);
  for (const { reason } of notes) expect(reason).toMatch(/^[^\n]+\.$/);
});

it("are not strict for Anthropic beyond the limits of one request, nor on a single page", () => {
  const schema = {
    type: "object",
    properties: { id: { type: "string" } },
    required: ["id"],
    additionalProperties: false,
  };
  const many = Array.from({ length: 25 }, () => entryOf(schema));
  const strict = (whole: boolean) =>
    (renderManifest("anthropic", many, { deferLoading: false, whole }).data as readonly { strict?: boolean }[]).filter(
      (tool) => tool.strict,
    ).length;
  expect([strict(true), strict(false)]).toEqual([20, 0]);
});
