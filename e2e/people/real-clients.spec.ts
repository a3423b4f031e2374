import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allowRegistration, askAdmin } from "@/e2e/support/admin-api";
import { expect, open, test as journey } from "@/e2e/support/fixtures";
import { withServer } from "@/e2e/support/server";
import { requirePrograms, startProgram } from "@/test/interop/programs";
import { createCertificates } from "@/test/support/servers/certificates";
import { serve } from "@/test/support/servers/serve";
import { readScrape } from "@/test/support/prometheus-text";

// Clients of others, each a process that knows only the address of `/mcp` and how it identifies itself. A person signs in
// and consents in the browser. The client lists, calls and refreshes, and asks to sign in again once the person has ended it.

/** A server that trusts the certificate authority of the host of client documents. */
const test = journey.extend<object, { readonly certificates: string }>({
  certificates: [
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), "quartermaster-e2e-certificates-"));
      createCertificates(folder);
      await use(folder);
      rmSync(folder, { recursive: true });
    },
    { scope: "worker" },
  ],
  server: [
    ({ certificates }, use) => withServer(use, { NODE_EXTRA_CA_CERTS: join(certificates, "authority.crt") }),
    { scope: "worker", timeout: 120_000 },
  ],
});

// The pages that the clients show after the sign-in have no icon, and their servers stop at once.
test.use({ visitsOpenId: true, expectedError: /status of 404|ERR_CONNECTION_REFUSED/ });

/** The port of a loopback address is free (RFC 8252, 7.3). */
const REDIRECT_URIS = ["http://127.0.0.1/oauth/callback"];
const NAME = "Test client";
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\/oauth\/authorize\?[^\s"]+/;

test.beforeAll(async ({ server }) => {
  test.setTimeout(300_000);
  await requirePrograms();
  await askAdmin(server, "POST", "clients", { name: "registered", description: NAME, redirectUris: REDIRECT_URIS });
  await allowRegistration(server);
});

for (const program of ["sdk-1-oauth", "sdk-2-oauth", "mcp-remote", "inspector"])
  for (const identity of ["registered id", "client document", "registration"] as const)
    test(`${program} by its ${identity}: sign in, list, call, refresh, end`, async ({
      admin,
      server,
      certificates,
    }) => {
      test.slow();
      const [cert, key] = ["server.crt", "server.key"].map((name) => readFileSync(join(certificates, name)));
      const host = await serve(
        async ({ url }) => Response.json({ client_id: url, client_name: NAME, redirect_uris: REDIRECT_URIS }),
        server.issuerPort,
        { cert: cert as Buffer, key: key as Buffer },
      );
      const ids = { "registered id": "registered", "client document": `${host.origin}/client.json`, registration: "" };
      const args = [`${server.baseUrl}/mcp`, ids[identity], String(server.openIdPort)];
      const { waitForOutput, proceed, stop } = startProgram(`clients/${program}.mjs`, args);
      const refreshes = async () =>
        readScrape(await (await fetch(`${server.baseUrl}/api/metrics`)).text()).value("agent_oauth_grants_total", {
          grant: "refresh_token",
        });
      const before = await refreshes();
      try {
        await admin.goto(await waitForOutput(ADDRESS));
        await expect(admin.getByRole("heading", { name: "Connect a client" })).toBeVisible();
        await admin.getByLabel("Acts as the agent").click();
        await admin.getByRole("option", { name: "support-bot" }).click();
        await admin.getByRole("button", { name: "Connect client" }).click();
        await admin.waitForURL(/\/oauth\/callback\?/);
        const printed = await waitForOutput(/\{"names".*\}/);
        const { names, refreshed, result } = JSON.parse(printed) as Record<string, string[]>;
        expect(names).toContain("calculate");
        expect(JSON.stringify(result)).toMatch(/\bvalue\b.{1,6}42\b/);
        expect(refreshed).toEqual(names);
        expect(await refreshes()).toBeGreaterThan(before);
        const { items } = await askAdmin<{ items: { client: string }[] }>(server, "GET", "connections");
        expect(items).toMatchObject([
          { client: ids[identity] === "" ? expect.stringMatching(/^urn:uuid:/) : ids[identity] },
        ]);
        await open(admin, "/admin/connections");
        await admin.getByRole("button", { name: /^End / }).click();
        await admin.getByRole("dialog").getByRole("button", { name: "End connection" }).click();
        await expect(admin.getByText("No client is connected")).toBeVisible();
        proceed();
        await waitForOutput(ADDRESS);
      } finally {
        await stop();
        await host.close();
      }
    });
