import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { install, needsInstall } from "@/bin/boot/install.mjs";
import { run } from "@/bin/boot/run.mjs";

// A clone with one package to serve and one to develop. Both are archives in the folder, so npm needs no registry.

const root = mkdtempSync(join(tmpdir(), "install-"));
const has = (name: string) => existsSync(join(root, "node_modules", name));

async function packed(name: string): Promise<string> {
  mkdirSync(join(root, "package"), { recursive: true });
  writeFileSync(join(root, "package/package.json"), JSON.stringify({ name, version: "1.0.0" }));
  await run("tar", ["-czf", `${name}.tgz`, "package/package.json"], { cwd: root });
  return `file:${name}.tgz`;
}

beforeAll(async () => {
  const [dependencies, devDependencies] = [{ served: await packed("served") }, { linted: await packed("linted") }];
  writeFileSync(
    join(root, "package.json"),
    JSON.stringify({ name: "clone", version: "1.0.0", dependencies, devDependencies }),
  );
  await run("npm", ["install", "--package-lock-only", "--offline", "--ignore-scripts"], { cwd: root });
});
afterAll(() => rmSync(root, { recursive: true }));

describe("packages", () => {
  it("that serving needs are installed without the development packages", async () => {
    expect(needsInstall(root, "serving")).toBe(true);
    await install(root, "serving", "--offline");
    expect([has("served"), has("linted")]).toEqual([true, false]);
    expect([needsInstall(root, "serving"), needsInstall(root, "all")]).toEqual([false, true]);
  });

  it("for development are added by what needs them", async () => {
    await install(root, "all", "--offline");
    expect([needsInstall(root, "all"), has("served"), has("linted")]).toEqual([false, true, true]);
  });

  it("for development stay where they are installed", async () => {
    rmSync(join(root, "node_modules/served"), { recursive: true });
    await install(root, "serving", "--offline");
    expect([has("served"), has("linted")]).toEqual([true, true]);
  });

  it("are installed again when npm was killed while it noted them", () => {
    writeFileSync(join(root, "node_modules/.package-lock.json"), '{"name": "clone", "packa');
    expect(needsInstall(root, "serving")).toBe(true);
  });
});
