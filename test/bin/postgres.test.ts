import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { Client } from "pg";
import { startPostgres } from "@/bin/postgres.mjs";

const dataDir = mkdtempSync(join(tmpdir(), "postgres-"));
chmodSync(dataDir, 0o711);
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function answer(url: string, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows[0];
  } finally {
    await client.end();
  }
}

describe("the embedded Postgres", () => {
  it("starts after its parent was killed, with what was committed", async () => {
    const source = pathToFileURL(resolve("bin/postgres.mjs")).href;
    const script = `const { startPostgres } = await import(${JSON.stringify(source)});
      const { url } = await startPostgres({ dataDir: ${JSON.stringify(dataDir)} });
      console.log(url); setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [output] = (await once(parent.stdout, "data")) as [Buffer];
    await answer(output.toString().trim(), "create table kept as select 42 as value");
    parent.kill("SIGKILL");
    await once(parent, "exit");

    const again = await startPostgres({ dataDir });
    try {
      expect(await answer(again.url, "select value from kept")).toEqual({ value: 42 });
    } finally {
      await again.stop();
    }
  });

  it("keeps its password in a file that only the owner may read, and lets nobody in without it", async () => {
    expect(statSync(join(dataDir, "postgres.json")).mode & 0o777).toBe(0o600);
    const postgres = await startPostgres({ dataDir, throwaway: true });
    try {
      const wrong = new URL(postgres.url);
      wrong.password = "guess";
      await expect(answer(wrong.href, "select 1")).rejects.toThrow(/password authentication failed/);
      expect(await answer(postgres.url, "show listen_addresses")).toEqual({ listen_addresses: "127.0.0.1" });
    } finally {
      await postgres.stop();
    }
  });
});
