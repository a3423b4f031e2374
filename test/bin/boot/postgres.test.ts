import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it, vi } from "vitest";
import { Client } from "pg";
import { claimDataDir } from "@/bin/boot/instance.mjs";
import { runningPostgres, startPostgres } from "@/bin/boot/postgres.mjs";
import { deployMigrations } from "@/bin/migrations";
import { command } from "@/test/support/command";

const dataDir = mkdtempSync(join(tmpdir(), "postgres-"));
chmodSync(dataDir, 0o711);
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function answer(url: string, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return [await client.query(sql)].flat().at(-1)?.rows[0];
  } finally {
    await client.end();
  }
}

/** The login that is connected, whether it is privileged, the roles it can take on, and the objects it owns. */
const LOGIN = `select session_user::text as login, rolsuper or rolcreaterole or rolcreatedb or rolbypassrls as powers,
  (select string_agg(roleid::regrole::text, ' ') from pg_auth_members where member = r.oid) as roles,
  (select count(*) from pg_class where relowner = r.oid) as owned
  from pg_roles r where rolname = session_user`;

describe("the embedded Postgres", () => {
  it("starts after its parent was killed, with what was committed", async () => {
    const source = pathToFileURL(resolve("bin/boot/postgres.mjs")).href;
    const script = `const { startPostgres } = await import(${JSON.stringify(source)});
      const { url } = await startPostgres({ dataDir: ${JSON.stringify(dataDir)} });
      console.log(url); setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [output] = (await once(parent.stdout, "data")) as [Buffer];
    await answer(output.toString().trim(), "create schema apart; create table apart.kept as select 42 as value");
    parent.kill("SIGKILL");
    await once(parent, "exit");

    const again = await startPostgres({ dataDir });
    try {
      expect(await answer(again.url, "select value from apart.kept")).toEqual({ value: 42 });
    } finally {
      await again.stop();
    }
  });

  it("keeps its password in a file that only the owner can read, and refuses connections without it", async () => {
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

  it("gives gateway and app a login that owns nothing and has no other role", async () => {
    const postgres = await startPostgres({ dataDir, throwaway: true });
    try {
      await deployMigrations(postgres.url);
      expect(await answer(postgres.appUrl, LOGIN)).toEqual({
        login: "quartermaster_login",
        powers: false,
        roles: "quartermaster_app",
        owned: "0",
      });
      expect(await answer(postgres.appUrl, "select count(*)::int as calls from execution")).toEqual({ calls: 0 });
      for (const sql of [
        "reset role; delete from execution",
        "set role quartermaster",
        "set session authorization quartermaster",
        "alter role quartermaster_login superuser",
        "grant quartermaster to quartermaster_login",
        "update audit_event set actor = 'x'",
        "drop table execution",
        "create table own (id int)",
        "copy (select 1) to program 'true'",
      ])
        await expect(answer(postgres.appUrl, sql)).rejects.toMatchObject({ code: "42501" });
    } finally {
      await postgres.stop();
    }
  });

  it("makes that login in a data folder of an older version", async () => {
    const file = join(dataDir, "postgres.json");
    const before = await startPostgres({ dataDir, throwaway: true });
    await answer(before.url, "revoke quartermaster_app from quartermaster_login; drop role quartermaster_login");
    const { appPassword: _, ...older } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    writeFileSync(file, JSON.stringify(older));
    // The command line may look while the older version still runs.
    expect(runningPostgres(dataDir)).toEqual({ url: before.url, appUrl: before.url });
    await before.stop();

    const after = await startPostgres({ dataDir, throwaway: true });
    try {
      expect(runningPostgres(dataDir)).toEqual({ url: after.url, appUrl: after.appUrl });
      expect(await answer(after.url, "select value from apart.kept")).toEqual({ value: 42 });
      expect(await answer(after.appUrl, LOGIN)).toMatchObject({ login: "quartermaster_login", powers: false });
    } finally {
      await after.stop();
    }
  });
});

it("begins no empty database beside the login of one whose files are elsewhere", async () => {
  const moved = mkdtempSync(join(tmpdir(), "postgres-"));
  chmodSync(moved, 0o711);
  try {
    const secret = readFileSync(join(dataDir, "postgres.json"));
    writeFileSync(join(moved, "postgres.json"), secret, { mode: 0o600 });
    await expect(startPostgres({ dataDir: moved, throwaway: true })).rejects.toThrow("whose files are not in");
    expect(readFileSync(join(moved, "postgres.json"))).toEqual(secret);
  } finally {
    rmSync(moved, { recursive: true, force: true });
  }
});

describe("a command that runs the embedded Postgres", () => {
  it("shares it with no other command or start, and ends it on Ctrl-C", async () => {
    const before = await startPostgres({ dataDir, throwaway: true });
    // The command reads seals, and so does not end by itself.
    await answer(
      before.url,
      "alter table seal rename to kept; create view seal as select kept.* from pg_sleep(600) left join kept on true",
    );
    await before.stop();

    const running = spawn(process.execPath, ["bin/quartermaster.mjs", "verify"], {
      env: { NODE_ENV: "production", PATH: process.env["PATH"], DATA_DIR: dataDir },
    });
    try {
      await vi.waitFor(() => expect(runningPostgres(dataDir)).not.toBeNull(), 30_000);
      expect(await command(["verify"], { DATA_DIR: dataDir })).toMatchObject({
        code: 2,
        error: expect.stringContaining(`A command uses the database in ${dataDir} (pid ${running.pid}).`),
      });
      expect(() => claimDataDir(dataDir)).toThrow(`(pid ${running.pid}). Wait until it has ended.`);
    } finally {
      running.kill("SIGINT");
      await once(running, "exit");
    }
    expect(runningPostgres(dataDir)).toBeNull();
    claimDataDir(dataDir)();
  }, 60_000);
});
