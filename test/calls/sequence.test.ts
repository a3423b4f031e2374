import { afterEach, expect, it, vi } from "vitest";
import { forwardChunks } from "@/lib/calls/runners/http-chunks";
import { sequenceReader } from "@/lib/calls/runners/sequence";

afterEach(() => void vi.restoreAllMocks());

it("a line of JSON that arrives in many pieces is searched at most once", () => {
  const reader = sequenceReader("application/jsonl");
  const piece = "1".repeat(100);
  const pieces = ['[1]\n"', ...Array.from({ length: 1_000 }, () => piece), '"\n{"a":', '"é"}\n\n7'];
  const split = vi.spyOn(String.prototype, "split");
  const items = pieces.flatMap((text) => reader?.push(text) ?? []);
  const searched = split.mock.contexts.reduce<number>((sum, text) => sum + String(text).length, 0);
  vi.restoreAllMocks();
  expect(searched).toBeLessThanOrEqual(pieces.join("").length);
  expect(items).toEqual([[1], piece.repeat(1_000), { a: "é" }]);
  expect(reader?.end()).toEqual([7]);
});

it("a line of too many values is not parsed while it arrives", () => {
  const forwarded: unknown[] = [];
  const headers = { "content-type": "application/x-ndjson" };
  const listener = forwardChunks(
    (chunk) => void forwarded.push(chunk),
    () => [],
  )({ status: 200, headers });
  listener?.onChunk(Buffer.from('{"a":1}\n['));
  const parse = vi.spyOn(JSON, "parse");
  for (let piece = 0; piece < 10; piece += 1) listener?.onChunk(Buffer.from("1,".repeat(25_000)));
  listener?.onChunk(Buffer.from("1]\n"));
  expect(parse).not.toHaveBeenCalled();
  expect(forwarded).toEqual([[{ a: 1 }]]);
});
