import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** A bundle's file and every part that it imports, as one text. */
function bundleOf(file: string, seen = new Set<string>()): string {
  if (seen.has(file)) return "";
  seen.add(file);
  const text = readFileSync(join("dist", file), "utf8");
  const parts = [...text.matchAll(/["']\.\/([\w-]+\.mjs)["']/g)].map(([, part = ""]) => bundleOf(part, seen));
  return [text, ...parts].join("\n");
}

test("the server's bundle keeps nothing where Next's build of the same modules would find it", () => {
  const bundle = bundleOf("server.mjs");
  expect(bundle).toContain("quartermasterSnapshot");
  expect(bundle.includes("globalThis")).toBe(false);
});
