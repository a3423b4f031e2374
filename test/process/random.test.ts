import { expect, test } from "vitest";
import { takeRandomBytes } from "@/lib/process/random";

test("no two takes share bytes, also across several fillings of the pool", () => {
  const taken = Array.from({ length: 1_000 }, () => takeRandomBytes(32));
  expect(new Set(taken.map((bytes) => Buffer.from(bytes).toString("hex"))).size).toBe(1_000);
  expect(taken.some((bytes) => bytes.every((byte) => byte === 0))).toBe(false);
});

test("a take keeps its bytes when later ones are taken", () => {
  const first = takeRandomBytes(10);
  const copy = [...first];
  for (let n = 0; n < 1_000; n += 1) takeRandomBytes(10);
  expect([...first]).toEqual(copy);
});

test("refuses more than a whole pool", () => {
  expect(() => takeRandomBytes(4_097)).toThrow(RangeError);
});
