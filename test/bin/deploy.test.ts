import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const guide = readFileSync("docs/deploy.md", "utf8");

test("the guide to deployment names every variable that is read, and none that is not", () => {
  const read = [...readFileSync("lib/env.ts", "utf8").matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name);
  // Read by the launcher, by setup and by libraries, not by lib/env.ts.
  const besides = ["HOST", "PORT", "ADMIN_EMAIL", "NEXT_TELEMETRY_DISABLED"];
  const named = [...guide.matchAll(/^\| (`[A-Z_`, ]+`) \|/gm)].flatMap(([, names = ""]) =>
    [...names.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name),
  );
  expect(named.toSorted()).toEqual([...read, ...besides].toSorted());
});

test("the README links to the guide", () => {
  expect(readFileSync("README.md", "utf8")).toContain("](docs/deploy.md)");
});
