import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { loadSecrets } from "@/bin/secrets.mjs";

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
    expect(() => loadSecrets(dataDir)).toThrow(/is not JSON: restore it/);
  });
});
