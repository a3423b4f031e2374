import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { deployMigrations } from "@/bin/migrations";
import { bulkDb, closeDatabase, db, listen, logRowsOf } from "@/lib/store/db/database";
import { Prisma } from "@/lib/store/generated/client";
import { hasOpenssl } from "@/test/support/servers/certificates";
import { startTlsPostgres, type TlsPostgres } from "@/test/support/servers/tls-postgres";

// A managed PostgreSQL as docs/deploy.md has it: sslmode=verify-full, and a provider's own authority by sslrootcert.

describe.skipIf(!hasOpenssl())("a PostgreSQL that lets nobody in but by TLS, with an authority of its own", () => {
  let server: TlsPostgres;
  const urlWith = (query: string) => `${server.url}?${query}`;

  beforeAll(async () => {
    server = await startTlsPostgres();
    // Test files share their process, and work of an earlier file may have opened a connection to its database again.
    await closeDatabase();
    process.env["DATABASE_URL"] = urlWith(`sslmode=verify-full&sslrootcert=${server.authority}`);
  });
  afterAll(async () => {
    await closeDatabase();
    await server.stop();
  });

  it("is refused where it cannot be verified: no TLS, no authority, another's, another name", async () => {
    const refused = async (url: string) => deployMigrations(url).catch((error: Error) => error.message);
    const verified = `sslmode=verify-full&sslrootcert=${server.authority}`;
    expect(await refused(server.url)).toMatch(/no encryption/);
    expect(await refused(urlWith("sslmode=verify-full"))).toMatch(/certificate/);
    expect(await refused(urlWith(`sslmode=verify-full&sslrootcert=${server.stranger}`))).toMatch(/certificate/);
    expect(await refused(urlWith(verified).replace("127.0.0.1", "localhost"))).toMatch(/altnames/);
  });

  it("is migrated, and every connection of the app is encrypted and verified", async () => {
    await deployMigrations(process.env["DATABASE_URL"] ?? "");
    await Promise.all([db().$queryRaw`select 1`, bulkDb().$queryRaw`select 1`]);
    await logRowsOf(Prisma.sql`select 1`);
    const heard: unknown[] = [];
    const stop = listen("tls", (notice) => heard.push(notice));
    await vi.waitFor(async () => {
      await db().$executeRaw`select pg_notify('tls', 'told')`;
      expect(heard).toContain("told");
    });
    stop();
    // Not by the app's own role, which is not shown what others do.
    const owner = new Client({ connectionString: process.env["DATABASE_URL"], application_name: "a test" });
    await owner.connect();
    const { rows } = await owner.query(
      `select distinct application_name as name, ssl from pg_stat_activity join pg_stat_ssl using (pid)
       where application_name like 'quartermaster%' order by 1`,
    );
    await owner.end();
    expect(rows).toEqual(
      ["quartermaster", "quartermaster log", "quartermaster-listen"].map((name) => ({
        name,
        ssl: true,
      })),
    );
  });
});
