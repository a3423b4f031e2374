import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPrograms, buildServer, generate } from "@/bin/build.mjs";
import { run } from "@/bin/run.mjs";
import { serve } from "@/bin/serve.mjs";
import type { Role } from "@/lib/resources/permissions";
import { freePort } from "@/test/support/free-port";
import { CLIENT } from "@/test/support/openid-provider";
import { copyTemplate, startThrowawayServer } from "@/test/support/throwaway-server";

/** What the fixtures need to know about the server under test; handed over in the environment. */
export interface ServerUnderTest {
  readonly baseUrl: string;
  readonly databaseUrl: string;
  readonly adminEmail: string;
  readonly adminPassword: string;
  readonly apiKey: string;
  /** A session cookie per role. The editor, the auditor and `leaver` are `<name>@example.com`, with this password. */
  readonly cookieName: string;
  readonly cookies: Readonly<Record<Role, string>>;
  /** The administrator's, of a session that has expired. */
  readonly endedCookie: string;
  readonly password: string;
  /** Loopback ports that outbound calls may reach: for a journey's own upstream and token issuer. */
  readonly upstreamPort: number;
  readonly issuerPort: number;
  /** Where the server expects the company's OpenID provider, for the journey that starts one. */
  readonly openIdPort: number;
}

/**
 * Before all journeys: the production build on a free port, with the demo configuration in a
 * database of its own. Afterwards everything is gone again.
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const root = process.cwd();
  await generate(root);
  await buildPrograms(root);
  await buildServer(root);
  const [port, upstreamPort, issuerPort] = [await freePort(), await freePort(), await freePort()];
  const openIdPort = await freePort();
  const dataDir = mkdtempSync(join(tmpdir(), "quartermaster-e2e-"));
  const postgres = await startThrowawayServer();
  const databaseUrl = await copyTemplate(postgres.url, postgres.template, `e2e_${process.pid}`);
  const baseUrl = `http://127.0.0.1:${port}`;
  const env = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    NEXTAUTH_URL: baseUrl,
    NEXTAUTH_SECRET: "browser-test-secret-that-is-long-enough",
    MASTER_KEY: Buffer.alloc(32, 9).toString("base64"),
    OUTBOUND_ALLOW: [upstreamPort, issuerPort, openIdPort].map((own) => `127.0.0.1:${own}`).join(),
    OIDC_ISSUER: `http://127.0.0.1:${openIdPort}`,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_NAME: "Acme",
    OIDC_EDITOR_GROUPS: "qm-editors",
    LOG_LEVEL: "error",
    NEXT_TELEMETRY_DISABLED: "1",
  };
  const output = await run(process.execPath, [join(root, "dist/setup.mjs"), "--json"], { cwd: root, env });
  const made = JSON.parse(output.trim().split("\n").at(-1) ?? "") as Record<
    "adminEmail" | "adminPassword" | "apiKey",
    string
  >;
  const password = "a journey's own password";
  const people = await run(
    process.execPath,
    ["--import", "tsx", join(root, "e2e/add-people.ts"), made.adminEmail, password],
    { cwd: root, env },
  );
  const sessions = JSON.parse(people) as Pick<ServerUnderTest, "cookieName" | "cookies" | "endedCookie">;
  const server = await serve({ root, host: "127.0.0.1", port, env });
  const facts: ServerUnderTest = {
    ...made,
    baseUrl,
    databaseUrl,
    ...sessions,
    password,
    upstreamPort,
    issuerPort,
    openIdPort,
  };
  process.env["SERVER_UNDER_TEST"] = JSON.stringify(facts);
  return async () => {
    await server.stop();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
