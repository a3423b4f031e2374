import { expect, it } from "vitest";
import { atOnce, type Parts } from "@/lib/access/model/parts";
import type { Resolution } from "@/lib/access/decide/resolution";
import { encodeList, listText, type ListText } from "@/lib/agents/rest/list-text";
import { manifestFormat } from "@/lib/contracts/agents/agent-api";
import { mcpTexts } from "@/lib/manifest/mcp";
import { manifestTexts } from "@/lib/manifest/index";
import { entryOf } from "@/test/manifest/tools";

const decided = () => ({}) as Resolution;

function countParts(parts: Parts<unknown>): number {
  let count = 1;
  while (parts.next().done !== true) count += 1;
  return count;
}

it.each([
  [[]],
  [["1"]],
  [["{}", '"ä"']],
  [Array.from({ length: 9 }, (_, at) => JSON.stringify(`${at}é`.repeat(99_999)))],
])("a list is encoded as the JSON of its items", (items) => {
  const text = Buffer.from(atOnce(encodeList('{"data":', items, ',"more":1}'))).toString();
  expect(text).toBe(`{"data":[${items.join(",")}],"more":1}`);
});

it("other work may run after each rendered tool, and after each quarter of a megabyte", () => {
  const entries = Array.from({ length: 100 }, () => entryOf({ type: "object" }));
  for (const format of manifestFormat.options) expect(countParts(manifestTexts(format, entries))).toBeGreaterThan(100);
  expect(countParts(mcpTexts(entries, "any"))).toBeGreaterThan(100);
  const items = Array.from({ length: 20 }, () => `"${"x".repeat(100_000)}"`);
  expect(countParts(encodeList("", items, ""))).toBeGreaterThan(6);
});

it("a list that several requests want at once is made once, and again after a failure", async () => {
  let made = 0;
  function* make(): Parts<ListText> {
    made += 1;
    yield;
    return yield* encodeList("", ["1"], "");
  }
  const one = decided();
  const texts = await Promise.all([listText(one, "native", make), listText(one, "native", make)]);
  expect(texts.map((text) => Buffer.from(text).toString())).toEqual(["[1]", "[1]"]);
  await listText(one, "native", make);
  expect(made).toBe(1);
  await listText(one, "gemini", make);
  await listText(decided(), "native", make);
  expect(made).toBe(3);
  const broken = decided();
  const fail = function* (): Parts<ListText> {
    yield;
    throw new Error("broken");
  };
  await expect(listText(broken, "native", fail)).rejects.toThrow("broken");
  await listText(broken, "native", make);
  expect(made).toBe(4);
});
