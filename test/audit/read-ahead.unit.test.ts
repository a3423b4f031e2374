import { expect, test } from "vitest";
import { readAhead } from "@/lib/store/db/read-ahead";

const LAST = 4;

/** Pages 0 to `LAST`; `read` notes what was wanted. */
function pages(read: number[]) {
  return async (cursor: string | null) => {
    const number = cursor === null ? 0 : Number(cursor);
    read.push(number);
    return { number, nextCursor: number === LAST ? null : String(number + 1) };
  };
}

test("pages come in their order, one is read ahead", async () => {
  const read: number[] = [];
  const seen: number[] = [];
  for await (const { number } of readAhead(pages(read))) {
    seen.push(number);
    expect(read.length).toBe(Math.min(number + 2, LAST + 1));
  }
  expect(seen).toEqual([0, 1, 2, 3, 4]);
});

test("an error is thrown after the pages before it", async () => {
  const seen: number[] = [];
  const failing = async (cursor: string | null) => {
    if (cursor === "2") throw new Error("lost");
    return pages([])(cursor);
  };
  const work = (async () => {
    for await (const { number } of readAhead(failing)) seen.push(number);
  })();
  await expect(work).rejects.toThrow("lost");
  expect(seen).toEqual([0, 1]);
});

test("a reader who leaves causes no unhandled rejection", async () => {
  const failing = async (cursor: string | null) => {
    if (cursor !== null) throw new Error("lost");
    return pages([])(null);
  };
  for await (const { number } of readAhead(failing)) {
    expect(number).toBe(0);
    break;
  }
  await new Promise((done) => setImmediate(done));
});
