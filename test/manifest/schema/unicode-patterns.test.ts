import { RE2JS } from "re2js";
import { expect, it } from "vitest";
import { inUnicode, withUnicodePatterns } from "@/lib/manifest/schema/unicode-patterns";

it.each([
  ["^[\\-\\:]+$", "^[\\-:]+$"],
  ["^\\@[\\w-.]+\\-x$", "^@[\\w\\-.]+-x$"],
  ["^{a}$", "^\\{a\\}$"],
  ["a]", "a\\]"],
  ["^[a-z]{2,3}\\/\\.\\d$", "^[a-z]{2,3}\\/\\.\\d$"],
  ["^\\p{L}{1,9}\\_$", "^\\p{L}{1,9}_$"],
])("the pattern %s is spelt %s, and matches the same", (pattern, spelling) => {
  expect(inUnicode(pattern)).toBe(spelling);
  const [ours, theirs] = [RE2JS.compile(RE2JS.translateRegExp(pattern)), new RegExp(spelling, "u")];
  const texts = ["-", ":", "@a-x", "@a.b-x", "{a}", "a]", "ab/.1", "abc/.1", "ä_", ".", "w", ""];
  for (const text of texts) expect([text, theirs.test(text)]).toEqual([text, ours.test(text)]);
});

it.each(["(?i)^a$", "(?P<year>\\d+)", "^a\\z", "[[:alpha:]]x\\Q"])(
  "the pattern %s has no spelling for the u mode",
  (pattern) => {
    expect(inUnicode(pattern)).toBeNull();
  },
);

it.each(["^[[:alpha:]]+$", "^[^[:space:]]+$", "^[[:alnum:]_-]{1,5}$", "^[[:^digit:][]$"])(
  "the pattern %s is left out, because JavaScript would read its class in another way",
  (pattern) => {
    expect(RE2JS.compile(RE2JS.translateRegExp(pattern)).test("x")).toBe(true);
    expect(inUnicode(pattern)).toBeNull();
    expect(withUnicodePatterns({ properties: { a: { type: "string", pattern } } })).toEqual({
      properties: { a: { type: "string" } },
    });
  },
);

it("a schema keeps valid patterns, and accepts more where one is removed", () => {
  expect(
    withUnicodePatterns({
      properties: { a: { pattern: "[\\:]" }, pattern: { pattern: "(?i)x" } },
      patternProperties: { "(?i)y": {}, "[\\:]": {} },
      additionalProperties: false,
      oneOf: [{ required: ["a"] }, { pattern: "a\\z" }],
      enum: [{ pattern: "[\\:]" }],
    }),
  ).toEqual({
    properties: { a: { pattern: "[:]" }, pattern: {} },
    patternProperties: { "[:]": {} },
    anyOf: [{ required: ["a"] }, {}],
    enum: [{ pattern: "[\\:]" }],
  });
  expect(withUnicodePatterns({ patternProperties: { "^\\:a": { type: "string" }, "^:a": { maxLength: 3 } } })).toEqual({
    patternProperties: { "^:a": { allOf: [{ type: "string" }, { maxLength: 3 }] } },
  });
  const plain = { properties: { a: { pattern: "^a$" } } };
  expect(withUnicodePatterns(plain)).toBe(plain);
});
