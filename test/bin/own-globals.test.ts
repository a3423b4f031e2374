import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the server's bundle keeps nothing where Next's build of the same modules would find it", () => {
  const bundle = readFileSync("dist/server.mjs", "utf8");
  expect(bundle).toContain("quartermasterSnapshot");
  expect(bundle).not.toContain("globalThis");
});
