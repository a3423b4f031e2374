import { allowRegistration, askAdmin } from "@/e2e/support/admin-api";
import { expect, hydrated, test } from "@/e2e/support/fixtures";
import { requirePrograms, startProgram } from "@/test/interop/programs";

// The Inspector's web page, which knows only the address of `/mcp` and registers itself. The page and its own server run as
// their authors ship them.

const LAUNCHER = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";

test.beforeAll(async ({ server }) => {
  test.setTimeout(300_000);
  await requirePrograms();
  await allowRegistration(server);
});

test("the Inspector's web page: sign in, consent, list, call, end", async ({ browser, server }) => {
  test.slow();
  const { waitForOutput, stop } = startProgram(
    LAUNCHER,
    ["--web", "--server-url", `${server.baseUrl}/mcp`, "--transport", "http"],
    {
      CLIENT_PORT: String(server.openIdPort),
      MCP_SANDBOX_PORT: String(server.issuerPort),
      MCP_AUTO_OPEN_ENABLED: "false",
      MCP_INSPECTOR_SECRET_STORE: "file",
    },
  );
  // Nobody is signed in. The Inspector's page asks other hosts for fonts, which is no complaint about ours.
  const context = await browser.newContext();
  const page = await context.newPage();
  const connect = () => page.getByRole("switch", { name: /^Connect or disconnect/ }).click({ force: true });
  try {
    const address = await waitForOutput(/http:\/\/127\.0\.0\.1:\d+\/?\?MCP_INSPECTOR_API_TOKEN=\w+/);
    await page.goto(address);
    await connect();

    await expect(page).toHaveURL(/\/sign-in\?/);
    await hydrated(page);
    await page.getByLabel("E-mail").fill(server.adminEmail);
    await page.getByLabel("Password").fill(server.adminPassword);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Connect a client" })).toBeVisible();
    await page.getByLabel("Acts as the agent").click();
    await page.getByRole("option", { name: "support-bot" }).click();
    await page.getByRole("button", { name: "Connect client" }).click();

    await expect(page.getByText("Connected", { exact: true })).toBeVisible();
    await page.getByText("Tools", { exact: true }).first().click();
    await page.getByText("calculate", { exact: true }).first().click();
    await page.getByLabel(/^expression/i).fill("6 * 7");
    await page.getByRole("button", { name: /^Execute/ }).click();
    await expect(page.getByText(/"value": 42/).first()).toBeVisible();

    const { items } = await askAdmin<{ items: { id: string; client: string }[] }>(server, "GET", "connections");
    expect(items).toMatchObject([{ client: expect.stringMatching(/^urn:uuid:/) }]);
    await askAdmin(server, "DELETE", `connections/${items[0]?.id}`);
    await page.goto(address);
    await connect();
    await expect(page.getByRole("heading", { name: "Connect a client" })).toBeVisible();
  } finally {
    await context.close();
    await stop();
  }
});
