import * as fc from "fast-check";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { afterEach, describe, expect, it, vi } from "vitest";
import { deliverMessages } from "@/lib/calls/mcp/delivered";
import { forwardChunks } from "@/lib/calls/runners/http-chunks";
import { toRunAnswer } from "@/lib/calls/runners/http-answer";
import { eventParser } from "@/lib/calls/runners/event-parser";

const seed = 20_261_128;
const headers = { "content-type": "text/event-stream" };

afterEach(() => void vi.restoreAllMocks());

/** The characters that searches read, and the parts that are cut out, while `work` runs. */
async function costOf(work: () => unknown): Promise<{ searched: number; cut: number }> {
  const search = vi.spyOn(String.prototype, "indexOf");
  const slice = vi.spyOn(String.prototype, "slice");
  await work();
  const searched = search.mock.results.reduce((sum, { value }, at) => {
    const length = String(search.mock.contexts[at]).length;
    return sum + (value === -1 ? length : Number(value)) - (search.mock.calls[at]?.[1] ?? 0);
  }, 0);
  const cut = slice.mock.calls.length;
  vi.restoreAllMocks();
  return { searched, cut };
}

const LINES = 4_000;
const texts = [
  ["one carriage return before thousands of empty lines", `:\r${"\n".repeat(LINES)}`],
  ["nothing but carriage returns", "\r".repeat(LINES)],
  ["thousands of lines without a known field", "a\n".repeat(LINES)],
  ["thousands of lines with a number that is none", "retry: x\r\n".repeat(LINES)],
] as const;

describe.each(texts)("an event stream of %s takes time linear in its length", (_, text) => {
  const bytes = new TextEncoder().encode(text);
  const readers: [string, () => unknown][] = [
    ["as the answer of an HTTP tool", () => toRunAnswer({ status: 200, headers, body: bytes, ms: 1 })],
    [
      "as the streamed answer of an HTTP tool",
      () =>
        forwardChunks(
          () => {},
          () => [],
        )({ status: 200, headers })?.onChunk(bytes),
    ],
    [
      "as the answer of an MCP server",
      () =>
        deliverMessages(
          { status: 200, headers, body: onePiece(bytes), discard: () => {} },
          { id: 1, onMessage: () => {} },
        ),
    ],
  ];

  it.each(readers)("%s", async (_reader, read) => {
    const { searched, cut } = await costOf(read);
    expect(searched).toBeLessThan(10 * text.length);
    expect(cut).toBeLessThan(100);
  });
});

async function* onePiece(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield bytes;
}

function eventsOf(pieces: readonly string[], feedOf: typeof eventParser): unknown[] {
  const all: unknown[] = [];
  const onEvent = ({ data, event, id }: EventSourceMessage) => void all.push({ data, event, id });
  const feed = feedOf({ onEvent, onRetry: (ms) => void all.push({ ms }) });
  for (const piece of pieces) feed(piece);
  return all;
}

describe("the events of a text", () => {
  it("are the same for every kind of line end, and however the text is cut into pieces", () => {
    const line = fc.constantFrom(
      "data: a",
      "data",
      "data:b\u2028x",
      "event: e",
      "id: 1",
      "id",
      "retry: 7",
      "retry: x",
      ": c",
      "a",
      "",
    );
    const lines = fc.array(fc.tuple(line, fc.constantFrom("\n", "\r", "\r\n")), { maxLength: 20 });
    fc.assert(
      fc.property(lines, fc.array(fc.nat(8), { maxLength: 30 }), (all, sizes) => {
        let rest = all.map(([words, end]) => words + end).join("");
        const pieces = sizes.map((size) => {
          const piece = rest.slice(0, size);
          rest = rest.slice(size);
          return piece;
        });
        const plain = all
          .filter(([words, end], at) => !(words === "" && end === "\n" && all[at - 1]?.[1] === "\r"))
          .map(([words]) => `${words}\n`);
        expect(eventsOf([...pieces, rest], eventParser)).toEqual(eventsOf(plain, (of) => createParser(of).feed));
      }),
      { seed, numRuns: 1_000 },
    );
  });

  it("come as soon as the carriage return that ends them", () => {
    expect(eventsOf(["data: a\rdata: b\r\r"], eventParser)).toEqual([
      { data: "a\nb", event: undefined, id: undefined },
    ]);
  });
});
