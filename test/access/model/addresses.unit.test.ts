import { describe, expect, test } from "vitest";
import ipaddr from "ipaddr.js";
import { isInRange, networkOf, parseAddress, parseRange } from "@/lib/access/model/addresses";

/** Sixteen zero bytes, with other values at the given indexes. */
const bytes = (at: Readonly<Record<number, number>>) => Array.from({ length: 16 }, (_, n) => at[n] ?? 0);

test.each<[string, readonly number[]]>([
  ["0.0.0.0", [0, 0, 0, 0]],
  ["255.255.255.255", [255, 255, 255, 255]],
  ["10.20.30.4", [10, 20, 30, 4]],
  ["::", bytes({})],
  ["::1", bytes({ 15: 1 })],
  ["1::", bytes({ 1: 1 })],
  ["12:345::aBcD", bytes({ 1: 0x12, 2: 0x03, 3: 0x45, 14: 0xab, 15: 0xcd })],
  ["1:2:3:4:5:6:7:8", bytes({ 1: 1, 3: 2, 5: 3, 7: 4, 9: 5, 11: 6, 13: 7, 15: 8 })],
  ["1:2:3:4:5:6:7::", bytes({ 1: 1, 3: 2, 5: 3, 7: 4, 9: 5, 11: 6, 13: 7 })],
  ["::2:3:4:5:6:7:8", bytes({ 3: 2, 5: 3, 7: 4, 9: 5, 11: 6, 13: 7, 15: 8 })],
  ["1:2:3:4:5:6:7.8.9.10", bytes({ 1: 1, 3: 2, 5: 3, 7: 4, 9: 5, 11: 6, 12: 7, 13: 8, 14: 9, 15: 10 })],
  ["64:ff9b::192.0.2.1", bytes({ 1: 0x64, 2: 0xff, 3: 0x9b, 12: 192, 14: 2, 15: 1 })],
  ["::10.0.0.1", bytes({ 12: 10, 15: 1 })],
  ["::ffff:10.0.0.1", [10, 0, 0, 1]],
  ["::FFFF:a00:1", [10, 0, 0, 1]],
  ["0000:0000:0000:0000:0000:ffff:255.255.255.255", [255, 255, 255, 255]],
  ["1::ffff:a00:1", bytes({ 1: 1, 10: 0xff, 11: 0xff, 12: 10, 15: 1 })],
  ["::1:ffff:a00:1", bytes({ 9: 1, 10: 0xff, 11: 0xff, 12: 10, 15: 1 })],
  ["::ff00:a00:1", bytes({ 10: 0xff, 12: 10, 15: 1 })],
  ["::ff:a00:1", bytes({ 11: 0xff, 12: 10, 15: 1 })],
])("%s is read as its bytes, one that is IPv4-mapped as IPv4", (text, address) =>
  expect(parseAddress(text)?.toByteArray()).toEqual(address),
);

test.each([
  "",
  "1.2.3",
  "1.2.3.4.5",
  "1.2.3.256",
  "1.2.3.04",
  "00.2.3.4",
  "1.2.3.1000",
  "1.2.3.",
  "1.2.3.x",
  "1.2.3.-1",
  "1.2.3.4 ",
  ":",
  ":::",
  "1:2:3:4:5:6:7",
  "1:2:3:4:5:6:7:8:9",
  "1:2:3:4:5:6:7:8::",
  "1:2:3:4::5:6:7:8",
  "::1::2",
  "1::2::",
  "12345::",
  "g::",
  "::g",
  "1:",
  ":1",
  "::1%eth0",
  "1.2.3.4::",
  "1:2.3.4.5::",
  "::1.2.3.4:5",
  "1:2:3:4:5:6:7:1.2.3.4",
  "::1.2.3",
  "::1.2.3.256",
  "0000:0000:0000:0000:0000:ffff:255.255.255.255:",
  `${"0".repeat(5)}::1`,
])("%j is no address", (text) => expect(parseAddress(text)).toBeNull());

test.each([
  "10",
  "10.1",
  "10.1.2",
  "0x0a.1.2.3",
  "0xa010203",
  "010.1.2.3",
  "::010.1.2.3",
  "::ffff:010.1.2.3",
  "::ffff:0x0a.1.2.3",
  "::ffff:10.1",
  "fe80::1%1",
  "::ffff:10.1.2.3%eth0",
  "1::2:",
  "1:2:3:4:5:6:7:",
  "::1:2:3:4:5:6:",
])("%j is no address, although the library reads it or something like it", (text) =>
  expect(parseAddress(text)).toBeNull(),
);

test.each([
  "10.0.0.0",
  "10.0.0.0/",
  "/8",
  "10.0.0.0/33",
  "10.0.0.0/08",
  "10.0.0.0/ 8",
  "10.0.0.0/8/8",
  "10.0.0.0/a",
  "10.0.0.0/1000",
  "10.0.0/8",
  "::/129",
  "::/-1",
  "::/",
  "g::/8",
])("%j is no range", (text) => expect(parseRange(text)).toBeNull());

test("a range of IPv4-mapped addresses is an IPv4 range, a wider one is not", () => {
  const read = (text: string) => {
    const range = parseRange(text);
    return [range?.address.toByteArray(), range?.bits];
  };
  expect(read("::ffff:10.0.0.0/104")).toEqual([[10, 0, 0, 0], 8]);
  expect(read("::ffff:10.0.0.0/96")).toEqual([[10, 0, 0, 0], 0]);
  expect(read("::ffff:0:0/95")).toEqual([bytes({ 10: 0xff, 11: 0xff }), 95]);
  expect(read("::1/128")).toEqual([bytes({ 15: 1 }), 128]);
});

describe.each(["170.85.240.15", "aa55:f00f:55aa:ff00:1234:5678:9abc:def0"])("the ranges of %s", (text) => {
  const bytesOf = parseAddress(text)?.toByteArray() ?? [];

  test("contain addresses that differ only after the prefix", () => {
    for (let bits = 0; bits <= bytesOf.length * 8; bits += 1) {
      const range = parseRange(`${text}/${bits}`);
      if (range === null) throw new Error(`${bits} bits are refused`);
      const held = Array.from({ length: bytesOf.length * 8 }, (_, flipped) =>
        isInRange(
          ipaddr.fromByteArray(
            bytesOf.map((byte, at) => (at === flipped >> 3 ? byte ^ (0x80 >> (flipped & 7)) : byte)),
          ),
          range,
        ),
      );
      expect(held).toEqual(held.map((_, flipped) => flipped >= bits));
      expect(isInRange(ipaddr.fromByteArray(bytesOf), range)).toBe(true);
    }
  });

  test("never contain an address of the other family", () => {
    const range = parseRange(`${text}/0`);
    expect(isInRange(ipaddr.fromByteArray(bytesOf.length === 4 ? bytes({}) : [0, 0, 0, 0]), range!)).toBe(false);
  });
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::", "2001:db8:1:2::/64"],
  ["fe80::1%eth0", "fe80::1%eth0"],
  ["unknown", "unknown"],
])("%s is counted as %s", (address, counted) => expect(networkOf(address)).toBe(counted));
