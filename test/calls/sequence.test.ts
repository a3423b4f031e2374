import { afterEach, expect, it, vi } from "vitest";
import { sequenceReader } from "@/lib/calls/runners/sequence";

afterEach(() => void vi.restoreAllMocks());

it("a line of JSON that arrives in many pieces is searched once", () => {
  const reader = sequenceReader("application/jsonl");
  const piece = "1".repeat(100);
  const pieces = ['[1]\n"', ...Array.from({ length: 1_000 }, () => piece), '"\n{"a":', '"é"}\n\n7'];
  const split = vi.spyOn(String.prototype, "split");
  const items = pieces.flatMap((text) => reader?.push(text) ?? []);
  const searched = split.mock.contexts.reduce<number>((sum, text) => sum + String(text).length, 0);
  vi.restoreAllMocks();
  expect(searched).toBe(pieces.join("").length);
  expect(items).toEqual([[1], piece.repeat(1_000), { a: "é" }]);
  expect(reader?.end()).toEqual([7]);
});
