import { askAdmin } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";
import { requirePrograms, startProgram } from "@/test/interop/programs";

// Clients of others, each a process that knows only the address of `/mcp` and its registered id: a person signs in and
// consents in the browser, and the client lists the agent's tools and calls one.

// The pages that the clients show after the sign-in have no icon.
test.use({ visitsOpenId: true, expectedError: /status of 404/ });

const CLIENT = "real-clients";

test.beforeAll(async ({ server }) => {
  test.setTimeout(300_000);
  await requirePrograms();
  // The port of a loopback address is free (RFC 8252, 7.3).
  const redirectUris = ["http://127.0.0.1/oauth/callback"];
  await askAdmin(server, "POST", "clients", { name: CLIENT, description: "Clients of others", redirectUris });
});

for (const program of ["sdk-1-oauth", "mcp-remote", "inspector"])
  test(`${program} signs in, lists and calls`, async ({ admin, server }) => {
    test.slow();
    const args = [`${server.baseUrl}/mcp`, CLIENT, String(server.openIdPort)];
    const { said, ended } = startProgram(`clients/${program}.mjs`, args);
    const address = await said(/http:\/\/127\.0\.0\.1:\d+\/oauth\/authorize\?[^\s"]+/);
    await admin.goto(address);
    await expect(admin.getByRole("heading", { name: "Connect a client" })).toBeVisible();
    await admin.getByLabel("Acts as the agent").click();
    await admin.getByRole("option", { name: "support-bot" }).click();
    await admin.getByRole("button", { name: "Connect client" }).click();
    await admin.waitForURL(/\/oauth\/callback\?/);
    const { code, stdout, stderr } = await ended;
    expect(code, stderr).toBe(0);
    const { names, result } = JSON.parse(stdout) as { names: string[]; result: unknown };
    expect(names).toContain("calculate");
    expect(JSON.stringify(result)).toMatch(/\bvalue\b.{1,6}42\b/);
    await open(admin, "/admin/connections");
    await admin
      .getByRole("button", { name: new RegExp(`^End .*${CLIENT}`) })
      .first()
      .click();
    await admin.getByRole("dialog").getByRole("button", { name: "End connection" }).click();
    await expect(admin.getByText("No client is connected")).toBeVisible();
  });
