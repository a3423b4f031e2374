import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/access/model/configuration";
import { toMcpOutput } from "@/lib/calls/mcp/content";

const text = (content: string) => ({ type: "text" as const, text: content });
const answer = (structuredContent: JsonObject, ...texts: string[]) =>
  toMcpOutput({ structuredContent, content: texts.map(text) });

describe("a text beside structured content", () => {
  const output = { b: [1, { c: null }], a: "x", 10: true };

  it.each([
    ["the same text", JSON.stringify(output)],
    ["other white space", JSON.stringify(output, null, 2)],
    ["another order of keys", '{"a":"x","b":[1,{"c":null}],"10":true}'],
    ["other spellings of the same values", '{"a":"\\u0078","b":[1.0,{"c":null}],"10":true}'],
  ])("that repeats it is left out: %s", (_what, content) => {
    expect(answer(output, content)).toEqual({ output });
  });

  it.each([
    ["a sentence", "Two rows were found."],
    ["a key less", '{"a":"x","b":[1,{"c":null}]}'],
    ["a key more", '{"a":"x","b":[1,{"c":null}],"10":true,"d":1}'],
    ["another order of items", '{"a":"x","b":[{"c":null},1],"10":true}'],
    ["a number as text", '{"a":"x","b":["1",{"c":null}],"10":true}'],
    ["a missing value for null", '{"a":"x","b":[1,{}],"10":true}'],
    ["its beginning", JSON.stringify(output).slice(0, -1)],
    ["a key that every object inherits", '{"a":"x","b":[1,{"toString":null}],"10":true}'],
  ])("that says something else is kept: %s", (_what, content) => {
    expect(answer(output, content)).toEqual({ output, content: [text(content)] });
  });

  it("is compared only as far as the structured content goes, however deep or wide the text is", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const wide = `{${Array.from({ length: 50_000 }, (_, at) => `"k${50_000 - at}":${at}`).join(",")}}`;
    expect(answer({ result: [] }, deep, wide)).toEqual({ output: { result: [] }, content: [text(deep), text(wide)] });
  });

  it("is left out beside others that are kept, in their order", () => {
    expect(answer({ n: 1 }, "first", '{"n": 1}', "last")).toEqual({
      output: { n: 1 },
      content: [text("first"), text("last")],
    });
  });
});
