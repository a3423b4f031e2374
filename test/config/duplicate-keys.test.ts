import { describe, expect, it } from "vitest";
import { parseText } from "@/lib/config/text";

const messages = (text: string) => {
  const parsed = parseText(text);
  return parsed.ok ? [] : parsed.errors.map(({ message }) => message);
};

describe("a YAML document", () => {
  it("with a key twice is refused, with the place, in blocks and in flows", () => {
    expect(messages("a: 1\nb: 2\na: 3")).toEqual(["line 3, column 1: Map keys must be unique: `a`"]);
    expect(messages("a:\n  x: 1\n  x: 2")).toEqual(["line 3, column 3: Map keys must be unique: `x`"]);
    expect(messages("a: {x: 1, x: 2}")).toEqual(["line 1, column 11: Map keys must be unique: `x`"]);
  });

  it("with many faults names the first of them", () => {
    expect(messages("a: 1\n".repeat(1_000))).toHaveLength(20);
  });

  it("with equal keys in different maps, or keys of different types, is read", () => {
    expect(parseText("a: {x: 1}\nb: {x: 1}\n1: a\n'1': b")).toMatchObject({ ok: true });
  });
});
