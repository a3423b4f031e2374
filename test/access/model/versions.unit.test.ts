import { expect, test } from "vitest";
import { compareVersions, parseVersion, type Version } from "@/lib/access/model/versions";

// semver.org 2.0.0, §§ 2 to 11.

function versionOf(text: string): Version {
  const version = parseVersion(text);
  if (version === null) throw new Error(`${text} is no version`);
  return version;
}

/** Oldest first. */
const ORDERED = [
  "0.0.0-0",
  "0.0.0",
  "0.0.9",
  "0.0.10",
  "0.9.0",
  "0.10.0",
  "1.0.0-1",
  "1.0.0-2",
  "1.0.0-10",
  "1.0.0-10.a",
  "1.0.0-99999999999999999998",
  "1.0.0-99999999999999999999",
  "1.0.0-1a",
  "1.0.0-A",
  "1.0.0-a-b",
  "1.0.0-a1",
  "1.0.0-alpha",
  "1.0.0-alpha.1",
  "1.0.0-alpha.1.0",
  "1.0.0-alpha.beta",
  "1.0.0-beta",
  "1.0.0-beta.2",
  "1.0.0-beta.11",
  "1.0.0-rc.1",
  "1.0.0",
  "1.0.1-a",
  "9.0.0",
  "10.0.0",
  "99999999999999999998.0.0",
  "99999999999999999999.0.0",
];

test("any two versions are in the order of precedence", () => {
  const signs = ORDERED.map((left) =>
    ORDERED.map((right) => Math.sign(compareVersions(versionOf(left), versionOf(right)))),
  );
  expect(signs).toEqual(ORDERED.map((_left, l) => ORDERED.map((_right, r) => Math.sign(l - r))));
});

test("build metadata does not change the order", () => {
  for (const text of ["1.0.0+5", "1.0.0+a.b-c", "1.0.0+0.1.a", "1.0.0+001"])
    expect(compareVersions(versionOf(text), versionOf("1.0.0"))).toBe(0);
  expect(versionOf("1.2.3-a1.b2+5")).toEqual({ core: ["1", "2", "3"], preRelease: ["a1", "b2"] });
});

test.each([
  "1",
  "1.2",
  "1.2.3.4",
  "v1.2.3",
  " 1.2.3",
  "1.2.3 ",
  "01.2.3",
  "1.02.3",
  "1.2.03",
  "a.2.3",
  "1.b.3",
  "1.2.c",
  "1.2.3-",
  "1.2.3-.",
  "1.2.3-a.",
  "1.2.3-.a",
  "1.2.3-a..b",
  "1.2.3-01",
  "1.2.3-a.01",
  "1.2.3-é",
  "1.2.3-a.é",
  "1.2.3-aé",
  "1.2.3-a.aé",
  "1.2.3-a_b",
  "1.2.3+",
  "1.2.3+a+b",
  "1.2.3+a.",
  "1.2.3+.a",
  "1.2.3+é",
  "1.2.3+a.é",
  "1x2.3",
  "1.2x3",
  "",
])("%j is no version", (text) => expect(parseVersion(text)).toBeNull());

test("a version may have 256 characters", () => {
  expect(parseVersion(`1.2.3-${"a".repeat(250)}`)?.preRelease).toEqual(["a".repeat(250)]);
  expect(parseVersion(`1.2.3-${"a".repeat(251)}`)).toBeNull();
});
