import { describe, expect, it } from "vitest";
import { lineKind, patchOf } from "@/components/configuration/document-patch";

describe("the raw diff of two documents", () => {
  it("has the differing lines with three lines around them, and their positions", () => {
    const before = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join("");
    const patch = patchOf(before, before.replace("line 9", "line nine"));
    expect(patch?.slice(0, 2)).toEqual(["--- in-force", "+++ document"]);
    expect(patch?.[2]).toBe("@@ -7,7 +7,7 @@");
    expect(patch?.slice(5, 9)).toEqual([" line 8", "-line 9", "+line nine", " line 10"]);
    expect(patch).toHaveLength(3 + 8);
    expect(patch?.slice(2, 8).map(lineKind)).toEqual(["position", "same", "same", "same", "removed", "added"]);
  });

  it("is empty when only JSON's spaces, or line ends, differ", () => {
    expect(patchOf("a: 1\nb: 2\n", "a: 1\r\nb: 2")).toEqual([]);
    expect(patchOf('{\n  "a": [\n    1\n  ]\n}\n', '{"a":[1]}')).toEqual([]);
    expect(patchOf("a: 1\n", "{not: json")?.slice(3)).toEqual(["-a: 1", "+{not: json"]);
  });

  it("stops when texts differ too much, so that the page does not wait", () => {
    const noise = (seed: number) => Array.from({ length: 60_000 }, (_, at) => `${(at * seed) % 99_991}\n`).join("");
    expect(patchOf(noise(7919), noise(104_729))).toBeNull();
  });
});
