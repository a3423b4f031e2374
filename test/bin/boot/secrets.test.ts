import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { loadSecrets } from "@/bin/boot/secrets.mjs";

const dataDir = mkdtempSync(join(tmpdir(), "secrets-"));
const file = join(dataDir, "secrets.json");
afterAll(() => rmSync(dataDir, { recursive: true }));
beforeEach(() => {
  vi.stubEnv("NEXTAUTH_SECRET", undefined);
  vi.stubEnv("MASTER_KEY", undefined);
});

describe("secrets", () => {
  it("are made once, in a file that only the owner may read", () => {
    const made = loadSecrets(dataDir);
    expect(Buffer.from(made.MASTER_KEY, "base64")).toHaveLength(32);
    expect(made.NEXTAUTH_SECRET.length).toBeGreaterThanOrEqual(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(loadSecrets(dataDir)).toEqual(made);
  });

  it("are those of the first of several starts at once: what one seals, all can open", async () => {
    const folder = mkdtempSync(join(tmpdir(), "secrets-at-once-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    // All read the missing file before the first one writes.
    const program = `
      import fs from "node:fs";
      import { syncBuiltinESMExports } from "node:module";
      const { existsSync } = fs;
      fs.existsSync = (file) => {
        if (existsSync(file)) return true;
        fs.existsSync = existsSync;
        syncBuiltinESMExports();
        fs.writeFileSync(process.argv[1] + "/looked-" + process.pid, "");
        const looked = () => fs.readdirSync(process.argv[1]).filter((name) => name.startsWith("looked-")).length;
        while (looked() < 3) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
        return false;
      };
      syncBuiltinESMExports();
      const { loadSecrets } = await import(process.argv[2]);
      process.stdout.write(loadSecrets(process.argv[1]).MASTER_KEY);`;
    const secrets = new URL("../../../bin/boot/secrets.mjs", import.meta.url).href;
    const start = () =>
      promisify(execFile)(process.execPath, ["--input-type=module", "-e", program, folder, secrets], {
        env: { PATH: process.env["PATH"], NODE_ENV: "test" },
      });
    const keys = (await Promise.all([start(), start(), start()])).map(({ stdout }) => stdout);
    expect(new Set(keys).size).toBe(1);
    expect(loadSecrets(folder).MASTER_KEY).toBe(keys[0]);
  });

  it("of the environment win, and do not replace the kept ones", () => {
    const kept = loadSecrets(dataDir);
    vi.stubEnv("MASTER_KEY", "mine");
    expect(loadSecrets(dataDir)).toEqual({ ...kept, MASTER_KEY: "mine" });
    vi.stubEnv("MASTER_KEY", undefined);
    expect(loadSecrets(dataDir)).toEqual(kept);
  });

  it.each(["MASTER_KEY_PREVIOUS", "NEXTAUTH_SECRET_PREVIOUS"] as const)(
    "hand on %s of the file or the environment, and none that is not there",
    (previous) => {
      const kept = loadSecrets(dataDir);
      expect(kept).not.toHaveProperty(previous);
      writeFileSync(file, JSON.stringify({ ...kept, [previous]: "older" }));
      expect(loadSecrets(dataDir)).toEqual({ ...kept, [previous]: "older" });
      vi.stubEnv(previous, "oldest");
      expect(loadSecrets(dataDir)[previous]).toBe("oldest");
      vi.stubEnv(previous, undefined);
      writeFileSync(file, JSON.stringify(kept));
    },
  );

  it("in a damaged file stop the start with a sentence, rather than being replaced", () => {
    writeFileSync(file, "{");
    expect(() => loadSecrets(dataDir)).toThrow(/is not JSON\. Restore it/);
  });
});
