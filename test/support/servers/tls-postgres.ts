import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { startPostgres } from "@/bin/boot/postgres.mjs";
import { createCertificates } from "@/test/support/servers/certificates";

/** A Postgres as a cloud provider runs it: only TLS connections, with a certificate of the provider's own authority. */
export interface TlsPostgres {
  /** Without `sslmode`; the certificate is of 127.0.0.1 alone. */
  readonly url: string;
  /** The authority's certificate, and another's that signed nothing here. */
  readonly authority: string;
  readonly stranger: string;
  stop(): Promise<void>;
}

/** Starts one on a free port. */
export async function startTlsPostgres(): Promise<TlsPostgres> {
  const dataDir = mkdtempSync(join(tmpdir(), `quartermaster-test-${process.pid}-tls-`));
  chmodSync(dataDir, 0o711);
  const postgres = await startPostgres({ dataDir, throwaway: true });
  const admin = new Client({ connectionString: postgres.url });
  await admin.connect();
  const { rows } = await admin.query<{ folder: string }>("select current_setting('data_directory') as folder");
  const [{ folder }] = rows as [{ folder: string }];
  createCertificates(dataDir);
  const { uid, gid } = statSync(folder);
  const put = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    chownSync(join(folder, name), uid, gid);
  };
  for (const name of ["server.key", "server.crt"]) put(name, readFileSync(join(dataDir, name), "utf8"));
  put("pg_hba.conf", "hostssl all all 127.0.0.1/32 scram-sha-256\n");
  for (const setting of ["ssl_cert_file = 'server.crt'", "ssl_key_file = 'server.key'", "ssl = on"])
    await admin.query(`alter system set ${setting}`);
  await admin.query("select pg_reload_conf()");
  await admin.end();
  return {
    url: postgres.url,
    authority: join(dataDir, "authority.crt"),
    stranger: join(dataDir, "stranger.crt"),
    stop: async () => {
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
