import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "@/bin/run.mjs";
import { expect, test } from "@/e2e/fixtures";
import { startOwnServer } from "@/e2e/own-server";

test("what `npm run pack` leaves serves from a folder where nothing else is, and brings its migrations", async () => {
  test.setTimeout(240_000);
  await run(process.execPath, ["bin/pack.mjs"], { cwd: process.cwd() });
  const folder = mkdtempSync(join(tmpdir(), "quartermaster-e2e-pack-"));
  // As the Dockerfile copies it.
  cpSync(".next/standalone", folder, { recursive: true, verbatimSymlinks: true });
  const server = await startOwnServer(["--empty"], folder);
  try {
    const asked = async (path: string) => (await fetch(`${server.baseUrl}${path}`)).status;
    expect([await asked("/api/ready"), await asked("/sign-in"), await asked("/mcp")]).toEqual([200, 200, 401]);
    const migrate = run(process.execPath, ["dist/migrate.mjs", "deploy"], { cwd: folder, env: server.env });
    expect(await migrate).toBe("The database is up to date.\n");
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
