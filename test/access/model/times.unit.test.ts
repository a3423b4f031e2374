import { describe, expect, test } from "vitest";
import { moveTime, parseDuration, parseTime } from "@/lib/access/model/times";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

// RFC 3339, § 5.6.
test.each<[string, number]>([
  ["1970-01-01T00:00:00Z", 0],
  ["2026-03-31T12:34:56z", Date.UTC(2026, 2, 31, 12, 34, 56)],
  ["2026-12-31t23:59:59Z", Date.UTC(2026, 11, 31, 23, 59, 59)],
  ["2026-01-01T00:00:60Z", Date.UTC(2026, 0, 1, 0, 1, 0)],
  ["2026-01-01T00:00:00.5Z", Date.UTC(2026, 0, 1, 0, 0, 0, 500)],
  ["2026-01-01T00:00:00.0625Z", Date.UTC(2026, 0, 1) + 62.5],
  ["2026-01-01T00:00:00+23:59", Date.UTC(2026, 0, 1) - 23 * HOUR - 59 * MINUTE],
  ["2026-01-01T00:00:00-01:30", Date.UTC(2026, 0, 1) + HOUR + 30 * MINUTE],
  ["2026-01-01T00:00:00-00:00", Date.UTC(2026, 0, 1)],
  ["2000-02-29T00:00:00Z", Date.UTC(2000, 1, 29)],
  ["0099-12-31T00:00:00Z", Date.parse("0099-12-31T00:00:00Z")],
  ["0000-01-01T00:00:00Z", Date.parse("0000-01-01T00:00:00Z")],
])("%s is read as its instant", (text, time) => expect(parseTime(text)).toBe(time));

test("each month ends with its last day", () => {
  const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  const text = (month: number, day: number) =>
    `2026-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}T00:00:00Z`;
  for (const [month, length] of lengths.entries()) {
    expect(parseTime(text(month + 1, length))).toBe(Date.UTC(2026, month, length));
    expect(parseTime(text(month + 1, length + 1))).toBeNull();
  }
});

test.each([
  "2026-00-01T00:00:00Z",
  "2026-01-00T00:00:00Z",
  "1900-02-29T00:00:00Z",
  "2026-01-01T00:60:00Z",
  "2026-01-01T00:00:61Z",
  "2026-01-01T00:00:00+24:00",
  "2026-01-01T00:00:00-00:60",
  "2026-01-01T00:00:00.Z",
  "2026-01-01T00:00:00.xZ",
  "2026-01-01T00:00:00 01:00",
  "2026-01-01T00:00:00+1:00",
  "2026-01-01T00:00:00+01:0",
  "2026-01-01T00:00:00+xx:00",
  "2026-01-01T00:00:00+00:xx",
  "2026-01-01T00:00:00+0000",
  "2026-01-01T00:00:00ZZ",
  " 2026-01-01T00:00:00Z",
  "2026-01-01 00:00:00Z",
  "12026-01-01T00:00:00Z",
  "026-01-01T00:00:00Z",
  "2026-1-01T00:00:00Z",
  "2026-01-1T00:00:00Z",
  "2026-01-01T0:00:00Z",
  "2026-01-01T00:0:00Z",
  "2026-01-01T00:00:0Z",
  "xxxx-01-01T00:00:00Z",
  "2026-xx-01T00:00:00Z",
  "2026-01-xxT00:00:00Z",
  "2026-01-01Txx:00:00Z",
  "2026-01-01T00:xx:00Z",
  "2026-01-01T00:00:xxZ",
])("%j is no time", (text) => expect(parseTime(text)).toBeNull());

// ISO 8601, without a sign.
test.each<[string, number, number]>([
  ["P2Y", 24, 0],
  ["P3M", 3, 0],
  ["P2Y3M", 27, 0],
  ["P12W", 0, 84 * DAY],
  ["P45D", 0, 45 * DAY],
  ["P1W2D", 0, 9 * DAY],
  ["PT36H", 0, 36 * HOUR],
  ["PT90M", 0, 90 * MINUTE],
  ["PT15S", 0, 15_000],
  ["PT1.25S", 0, 1_250],
  ["PT1,25S", 0, 1_250],
  ["PT0.123456789S", 0, 123.456789],
  ["P1Y2M3W4DT5H6M7.5S", 14, 25 * DAY + 5 * HOUR + 6 * MINUTE + 7_500],
  ["P999999Y", 999_999 * 12, 0],
  ["P999999M999999W999999D", 999_999, 999_999 * 8 * DAY],
  ["PT999999999H", 0, 999_999_999 * HOUR],
  ["PT999999999M999999999S", 0, 999_999_999 * (MINUTE + 1_000)],
  ["PT0S", 0, 0],
])("%s is read as calendar months and milliseconds", (text, months, milliseconds) =>
  expect(parseDuration(text)).toEqual({ months, milliseconds }),
);

test.each([
  "",
  "P",
  "PT",
  "P1YT",
  "1D",
  " P1D",
  "P1D ",
  "xP1D",
  "P1Dx",
  "PxD",
  "PD",
  "PY",
  "PM",
  "PW",
  "PTH",
  "PTM",
  "PTS",
  "P1YM",
  "P1YW",
  "P1YD",
  "PT1HM",
  "PT1HS",
  "PxY",
  "PxM",
  "PxW",
  "PTxH",
  "PTxM",
  "PTxS",
  "P1M1Y",
  "P1D1W",
  "PT1S1M",
  "P1H",
  "PT1D",
  "P1.5D",
  "PT1.5M",
  "PT1.S",
  "PT.5S",
  "PT1.xS",
  "PT1;5S",
  "PT0.1234567890S",
  "P1000000D",
  "P1000000W",
  "P1000000M",
  "P1000000Y",
  "PT1000000000H",
  "PT1000000000M",
  "PT1000000000S",
  "P-1D",
  "-P1D",
  "p1d",
])("%j is no duration", (text) => expect(parseDuration(text)).toBeNull());

describe("a moved time", () => {
  const moved = (from: string, duration: string, sign: 1 | -1) =>
    new Date(moveTime(Date.parse(from), parseDuration(duration)!, sign)).toISOString();

  test.each<[string, string, 1 | -1, string]>([
    ["2026-01-15T01:02:03.004Z", "P1M", 1, "2026-02-15T01:02:03.004Z"],
    ["2026-12-15T00:00:00.000Z", "P1M", 1, "2027-01-15T00:00:00.000Z"],
    ["2026-01-15T00:00:00.000Z", "P1M", -1, "2025-12-15T00:00:00.000Z"],
    ["2026-01-15T00:00:00.000Z", "P13M", -1, "2024-12-15T00:00:00.000Z"],
    ["2026-11-30T23:00:00.000Z", "P3M", 1, "2027-02-28T23:00:00.000Z"],
    ["2026-05-31T23:00:00.000Z", "P3M", -1, "2026-02-28T23:00:00.000Z"],
    ["2026-03-15T12:00:00.000Z", "P1M1DT1H", -1, "2026-02-14T11:00:00.000Z"],
    ["2026-03-15T12:00:00.000Z", "PT36H", -1, "2026-03-14T00:00:00.000Z"],
    ["2026-03-15T12:00:00.000Z", "PT36H", 1, "2026-03-17T00:00:00.000Z"],
    ["0050-06-15T00:00:00.000Z", "P1M", 1, "0050-07-15T00:00:00.000Z"],
  ])("%s by %s, %i, keeps its time of day on the calendar's day", (from, duration, sign, to) =>
    expect(moved(from, duration, sign)).toBe(to),
  );
});
