import { expect, it } from "vitest";
import type { Json } from "@/lib/access/model/configuration";
import { redact, redactText, storedName, storedSentence } from "@/lib/audit/record/redact";
import { auditText } from "@/lib/store/audit/audit-events";
import { fittingJson } from "@/lib/store/log/executions-sql";

// Several layers replace text that Postgres refuses. Each is tested alone, because the others would hide its fault.

/** NUL, and both halves of a surrogate pair alone. */
const UNFIT = "a\0b\uD800c\uDC00d";
const FIT = "a\uFFFDb\uFFFDc\uFFFDd";
const inJson = (text: string): Json => ({ list: [text], [text]: { text } });

it.each<[string, (text: string) => unknown, unknown]>([
  ["the redaction of a text", (text) => redactText(text, []), FIT],
  ["the redaction of a value, in names and values", (text) => redact(inJson(text)), inJson(FIT)],
  ["a name", storedName, FIT],
  ["a sentence", (text) => storedSentence(text, []), FIT],
  ["a text of the audit trail", auditText, FIT],
  [
    "a row of the log, in names and values",
    (text) => JSON.parse(fittingJson({ row: inJson(text) })),
    { row: inJson(FIT) },
  ],
])("%s replaces characters that Postgres refuses", (_layer, stored, expected) => {
  expect(stored(UNFIT)).toEqual(expected);
});

it.each<[string, (text: string) => string, number]>([
  ["a name", storedName, 200],
  ["a sentence", (text) => storedSentence(text, []), 500],
])("%s that is cut ends with a mark and no half character", (_layer, stored, most) => {
  expect(stored("x".repeat(most + 1))).toBe(`${"x".repeat(most - 1)}…`);
  expect(stored("\u{1F600}".repeat(most))).toMatch(/^\u{1F600}+…$/u);
});

it("a text of the audit trail that is cut is the shortest that shows that it was", () => {
  const [short, long] = [auditText("x".repeat(100)), auditText("x".repeat(10_000))];
  expect(short).toBe("x".repeat(100));
  expect(long).toMatch(/^x+…$/);
  expect(auditText(long)).toBe(long);
});
