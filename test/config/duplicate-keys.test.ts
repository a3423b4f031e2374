import { describe, expect, it } from "vitest";
import { parseDocument } from "@/lib/config/document";
import { parseText } from "@/lib/config/text";

const messages = (text: string) => {
  const parsed = parseText(text);
  return parsed.ok ? [] : parsed.errors.map(({ message }) => message);
};

describe("a YAML document", () => {
  it("with a key twice is refused, with the place, in blocks and in flows", () => {
    expect(messages("a: 1\nb: 2\na: 3")).toEqual(["line 3, column 1: the key `a` occurs twice"]);
    expect(messages("a:\n  x: 1\n  x: 2")).toEqual(["line 3, column 3: the key `x` occurs twice"]);
    expect(messages("a: {x: 1, x: 2}")).toEqual(["line 1, column 11: the key `x` occurs twice"]);
  });

  it("with many faults names the first of them", () => {
    expect(messages("a: 1\n".repeat(1_000))).toHaveLength(20);
  });

  it("with equal keys in different maps, or keys of different types, is read", () => {
    expect(parseText("a: {x: 1}\nb: {x: 1}\n1: a\n'1': b")).toMatchObject({ ok: true });
  });
});

describe("a JSON document", () => {
  it("with a key twice is refused, with the place", () => {
    expect(messages('{"a": 1,\n "b": [{"x": 1, "x": 2}]}')).toEqual(["line 2, column 17: the key `x` occurs twice"]);
  });

  it("that is broken is refused with the place, and is not read as YAML", () => {
    expect(messages('\ufeff{\n "a": 1,\n "a": 2,\n}')).toEqual(["line 4, column 1: unexpected `}` in JSON"]);
    expect(messages('{"a": "x\n"}')).toEqual(["line 1, column 9: unexpected `\\n` in JSON"]);
    expect(messages('{"a": [1')).toEqual(["line 1, column 9: the JSON ends too early"]);
  });

  it("that begins with a byte order mark is read, and so is YAML that begins with a brace", () => {
    expect(parseText('\ufeff{"a": 1}')).toEqual({ ok: true, value: { a: 1 } });
    expect(parseText("{a: 1, b: [x, y]}")).toEqual({ ok: true, value: { a: 1, b: ["x", "y"] } });
  });
});

describe("a document that is nested too deeply", () => {
  const opened = (open: string, close: string) => `${open.repeat(20_000)}1${close.repeat(20_000)}`;
  const problems = (text: string) => {
    const parsed = parseDocument(text);
    return parsed.ok ? [] : parsed.errors.map(({ message }) => message);
  };

  it("is refused as JSON, also in the wrappers of a TrustGraph configuration", () => {
    for (const wrapper of ["config", "values", "rows", "tools"])
      expect(problems(opened(`{"${wrapper}":`, "}"))).toEqual(["nested deeper than 64 levels"]);
  });

  it("is refused as YAML in the words of the product, with the place", () => {
    for (const text of [`a: ${opened("[", "]")}`, opened("- ", ""), opened("{config: ", "}")])
      expect(problems(text)).toEqual([expect.stringMatching(/^line 1, column \d+: nested too deeply$/)]);
  });
});
