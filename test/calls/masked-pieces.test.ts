import * as fc from "fast-check";
import { expect, it, vi } from "vitest";
import { REDACTED } from "@/lib/audit/record/redact";
import { maskedPieces, maskResult, maskWords } from "@/lib/calls/credentials/mask";
import { cpuMs } from "@/test/support/cpu-time";

/** A text in pieces that break anywhere. */
function inPieces(text: string, breaks: readonly number[]): string[] {
  const at = [...new Set(breaks.map((one) => one % (text.length + 1)))].toSorted((a, b) => a - b);
  return [...at, text.length].map((end, index) => text.slice(index === 0 ? 0 : at[index - 1], end));
}

const secret = fc.string({ unit: fc.constantFrom("a", "b", "+", '"'), minLength: 3, maxLength: 9 });

it("a text in pieces is masked like the whole text, wherever it is split", () => {
  fc.assert(
    fc.property(
      secret,
      fc.array(fc.oneof(fc.constant(null), fc.string({ maxLength: 12 })), { maxLength: 8 }),
      fc.array(fc.nat(200)),
      (hidden, parts, breaks) => {
        const text = parts.map((part) => part ?? hidden).join("|");
        const pieces = maskedPieces([hidden]);
        const masked = [...inPieces(text, breaks).map((piece) => pieces.push(piece)), pieces.end()].join("");
        expect(masked).not.toContain(hidden);
        expect(masked).toBe(maskWords(text, [hidden]));
      },
    ),
    { seed: 29, numRuns: 2_000 },
  );
});

it("a secret that repeats itself is masked at each of its places, and nothing else is", () => {
  const letters = (minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom("a", "a", "a", "b"), minLength, maxLength });
  fc.assert(
    fc.property(letters(14, 40), fc.array(fc.option(letters(0, 60)), { maxLength: 20 }), (hidden, parts) => {
      const text = parts.map((part) => part ?? hidden).join("");
      expect(maskWords(text, [hidden])).toBe(text.replaceAll(hidden, REDACTED));
    }),
    { seed: 31, numRuns: 2_000 },
  );
});

it("a token and an answer that repeat themselves do not hold this process", () => {
  const token = `${"a".repeat(8_000)}b${"a".repeat(8_000)}`;
  const output = "a".repeat(1024 * 1024);
  expect(cpuMs(() => maskResult({ success: true, output }, [token]))).toBeLessThan(500);
  expect(cpuMs(() => maskedPieces([token]).push(output))).toBeLessThan(250);
  expect(maskResult({ success: true, output: output + token }, [token]).output).toBe(output + REDACTED);
});

it("a token that repeats itself does not hold this process, in however many pieces the text comes", () => {
  const pieces = maskedPieces([`${"a".repeat(15_000)}b`]);
  pieces.push("a".repeat(15_000));
  const push = () => Array.from({ length: 5_000 }, () => pieces.push("a")).join("");
  expect(cpuMs(() => expect(push()).toBe("a".repeat(5_000)))).toBeLessThan(1_000);
});

it("the end of a masked secret does not count as the beginning of the next", () => {
  const pieces = maskedPieces(["abcab"]);
  const masked = [..."abcabcabx"].map((letter) => pieces.push(letter));
  expect(masked).toEqual(["", "", "", "", REDACTED, "c", "", "", "abx"]);
});

it("of two secrets with the same beginning, the longer one is masked whole", () => {
  const pieces = maskedPieces(["abc", "abcdef"]);
  const masked = [..."x abcdef y abc z"].map((letter) => pieces.push(letter)).join("") + pieces.end();
  expect(masked).not.toMatch(/abc|def/);
  expect(masked).toBe(maskWords("x abcdef y abc z", ["abc", "abcdef"]));
});

it("without secrets nothing is masked", () => {
  const pieces = maskedPieces([]);
  expect([pieces.push("a"), pieces.push("bc"), pieces.end()]).toEqual(["a", "bc", ""]);
});

it("no piece is searched again for each secret in it", () => {
  const searches = (count: number) => {
    const pieces = maskedPieces(["a-secret-of-some-length"]);
    using indexOf = vi.spyOn(String.prototype, "indexOf");
    pieces.push("a-secret-of-some-length ".repeat(count));
    return indexOf.mock.calls.length;
  };
  expect(searches(1_001) - searches(1)).toBeLessThan(2_000);
});
