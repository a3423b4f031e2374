import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { removeFormer } from "@/bin/boot/build.mjs";

const dist = mkdtempSync(join(tmpdir(), "dist-"));
afterAll(() => rmSync(dist, { recursive: true }));

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);

/** A build that writes `outputs`, on a day. @returns the chunks that stay */
function build(day: number, outputs: readonly string[]): string[] {
  const now = START + day * DAY;
  for (const name of outputs) {
    writeFileSync(join(dist, name), "");
    utimesSync(join(dist, name), new Date(now), new Date(now));
  }
  removeFormer(dist, outputs, now);
  return readdirSync(dist).filter((name) => name.startsWith("chunk"));
}

it("chunks stay for a day after the build that replaced them, however old they are", () => {
  expect(build(0, ["server.mjs", "chunk-a.mjs", "chunk-s.mjs"])).toEqual(["chunk-a.mjs", "chunk-s.mjs"]);
  // A gateway of the first build has run for 30 days.
  expect(build(30, ["server.mjs", "chunk-b.mjs", "chunk-s.mjs"])).toContain("chunk-a.mjs");
  expect(build(30.5, ["server.mjs", "chunk-c.mjs", "chunk-s.mjs"])).toEqual(
    ["a", "b", "c", "s"].map((name) => `chunk-${name}.mjs`),
  );
  expect(build(31.2, ["server.mjs", "chunk-d.mjs", "chunk-s.mjs"])).toEqual(
    ["b", "c", "d", "s"].map((name) => `chunk-${name}.mjs`),
  );
});
