import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "@/bin/boot/run.mjs";
import { expect, test } from "@/e2e/support/fixtures";
import { startOwnServer } from "@/e2e/support/own-server";
import { freePort } from "@/test/support/servers/free-port";

/** The user `nobody` of every Linux. */
const NOBODY = 65_534;

/** Serves as under `docker run --read-only`: no file is writable, and the user owns none. */
async function servesReadOnly(folder: string, env: Readonly<Record<string, string>>): Promise<void> {
  for (const path of ["", ...(readdirSync(folder, { recursive: true }) as string[])])
    chmodSync(join(folder, path), 0o555);
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const server = spawn(process.execPath, ["server.js", "--hostname", "127.0.0.1", "--port", String(port)], {
    cwd: folder,
    env: { ...env, NODE_ENV: "production", NEXTAUTH_URL: baseUrl, DATA_DIR: folder, TMPDIR: folder, HOME: folder },
    stdio: ["ignore", "pipe", "pipe"],
    ...user,
  });
  let output = "";
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (text) => (output += String(text)));
  try {
    const asked = (path: string) =>
      fetch(baseUrl + path).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(() => asked("/api/ready"), { timeout: 60_000 }).toBe(200);
    // Agents are served before people are.
    await expect.poll(() => asked("/sign-in"), { timeout: 60_000 }).toBe(200);
    for (const path of ["/sign-in", "/docs", "/api/auth/csrf", "/icon.svg"])
      expect([path, await asked(path)]).toEqual([path, 200]);
    expect(output).not.toMatch(/EACCES|EROFS|EPERM/);
  } finally {
    server.kill("SIGTERM");
    await once(server, "exit");
  }
}

test("what `npm run pack` leaves serves from a folder where nothing else is, and brings its migrations", async () => {
  test.setTimeout(240_000);
  await run(process.execPath, ["scripts/pack.mjs"], { cwd: process.cwd() });
  const folder = mkdtempSync(join(tmpdir(), "quartermaster-e2e-pack-"));
  // The same copy as in the Dockerfile.
  cpSync(".next/standalone", folder, { recursive: true, verbatimSymlinks: true });
  const server = await startOwnServer(["--empty"], folder);
  try {
    const asked = async (path: string) => (await fetch(`${server.baseUrl}${path}`)).status;
    const readiness = async () => (await (await fetch(`${server.baseUrl}/api/ready`)).json()) as { app?: string };
    await expect.poll(async () => (await readiness()).app, { timeout: 60_000 }).toBe("ready");
    expect([await asked("/api/ready"), await asked("/sign-in"), await asked("/mcp")]).toEqual([200, 200, 401]);
    const migrate = run(process.execPath, ["dist/migrate.mjs", "deploy"], { cwd: folder, env: server.env });
    expect(await migrate).toBe("The database is up to date.\n");
    await servesReadOnly(folder, server.env);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
