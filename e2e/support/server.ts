import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPackable, buildPrograms, generate } from "@/bin/boot/build.mjs";
import { run } from "@/bin/boot/run.mjs";
import { serve } from "@/bin/boot/serve.mjs";
import type { Role } from "@/lib/resources/permissions";
import { freePort } from "@/test/support/servers/free-port";
import { CLIENT } from "@/test/support/servers/openid-provider";
import { copyTemplate, startThrowawayServer } from "@/test/support/servers/throwaway-server";

/** The facts about the server under test that fixtures need. */
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
  /** The administrator's, who signed in too long ago for a change without review. */
  readonly earlierCookie: string;
  readonly password: string;
  /** Loopback ports that outbound calls may reach: for a journey's own upstream and token issuer. */
  readonly upstreamPort: number;
  readonly issuerPort: number;
  /** The port at which the server expects the OpenID provider, for the journey that starts one. */
  readonly openIdPort: number;
}

/** The run's Postgres, and the databases that servers of the run copy: a migrated empty one, and the demo with its people. */
interface Prepared {
  readonly postgresUrl: string;
  /** Names of databases. */
  readonly empty: string;
  readonly demo: string;
  readonly facts: Omit<ServerUnderTest, "baseUrl" | "databaseUrl" | "upstreamPort" | "issuerPort" | "openIdPort">;
}

const root = process.cwd();
const DEMO = "e2e_demo";
/** Sessions that were made for one server are good at the others. */
const SECRETS = {
  NEXTAUTH_SECRET: "browser-test-secret-that-is-long-enough",
  MASTER_KEY: Buffer.alloc(32, 9).toString("base64"),
};

/** Before all journeys: the production build, and a database with the demo. Afterwards everything is gone again. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  await generate(root);
  await buildPrograms(root);
  await buildPackable(root);
  const postgres = await startThrowawayServer();
  const facts = await makeDemo(await copyTemplate(postgres.url, postgres.template, DEMO));
  const prepared: Prepared = { postgresUrl: postgres.url, empty: postgres.template, demo: DEMO, facts };
  process.env["PREPARED_FOR_JOURNEYS"] = JSON.stringify(prepared);
  return () => postgres.stop();
}

/** What `globalSetup` prepared, or `null` outside a run of Playwright. */
export function findPrepared(): Prepared | null {
  const given = process.env["PREPARED_FOR_JOURNEYS"];
  return given === undefined ? null : (JSON.parse(given) as Prepared);
}

async function makeDemo(databaseUrl: string): Promise<Prepared["facts"]> {
  const dataDir = mkdtempSync(join(tmpdir(), "quartermaster-e2e-"));
  const env = { ...SECRETS, DATABASE_URL: databaseUrl, DATA_DIR: dataDir, NEXTAUTH_URL: "http://127.0.0.1" };
  const output = await run(process.execPath, [join(root, "dist/setup.mjs"), "--json"], { cwd: root, env });
  const made = JSON.parse(output.trim().split("\n").at(-1) ?? "") as Record<
    "adminEmail" | "adminPassword" | "apiKey",
    string
  >;
  const password = "a journey's own password";
  const people = await run(
    process.execPath,
    ["--import", "tsx", join(root, "e2e/support/add-people.ts"), made.adminEmail, password],
    { cwd: root, env },
  );
  rmSync(dataDir, { recursive: true, force: true });
  const sessions = JSON.parse(people) as Pick<
    ServerUnderTest,
    "cookieName" | "cookies" | "endedCookie" | "earlierCookie"
  >;
  return { ...made, ...sessions, password };
}

/** Serves the build on free ports, with a copy of the demo, to `journeys` alone. `further`: more variables of its environment. */
export async function withServer(
  journeys: (server: ServerUnderTest) => Promise<void>,
  further: Readonly<Record<string, string>> = {},
): Promise<void> {
  const prepared = findPrepared();
  if (prepared === null) throw new Error("e2e/support/server.ts has not run: start the journeys with Playwright.");
  const { postgresUrl, demo, facts } = prepared;
  const ports = [await freePort(), await freePort(), await freePort(), await freePort()] as const;
  const [port, upstreamPort, issuerPort, openIdPort] = ports;
  const dataDir = mkdtempSync(join(tmpdir(), "quartermaster-e2e-"));
  const databaseUrl = await copyTemplate(postgresUrl, demo, `e2e_${process.pid}`);
  const baseUrl = `http://127.0.0.1:${port}`;
  const env = {
    ...SECRETS,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    NEXTAUTH_URL: baseUrl,
    OUTBOUND_ALLOW: [upstreamPort, issuerPort, openIdPort].map((own) => `127.0.0.1:${own}`).join(),
    OIDC_ISSUER: `http://127.0.0.1:${openIdPort}`,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_NAME: "Acme",
    OIDC_EDITOR_GROUPS: "qm-editors",
    LOG_LEVEL: "error",
    NEXT_TELEMETRY_DISABLED: "1",
    ...further,
  };
  // The browser and the other journeys would go first, and the app would wait for the processor.
  const server = await serve({ root, host: "127.0.0.1", port, env, nice: 0 });
  try {
    await journeys({ ...facts, baseUrl, databaseUrl, upstreamPort, issuerPort, openIdPort });
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
