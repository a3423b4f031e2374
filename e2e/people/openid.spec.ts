import type { Page } from "@playwright/test";
import { expect, hydrated, open, test } from "@/e2e/support/fixtures";
import { startOpenIdProvider, type OpenIdTestProvider } from "@/test/support/servers/openid-provider";

// Signing in with the company's OpenID provider: a real one, on another origin, under the real page policy.

test.use({ visitsOpenId: true });

const SUBJECT = "248289761001";
const alert = (page: Page) => page.getByRole("alert").filter({ hasText: /\w/ });
const press = (page: Page) => page.getByRole("button", { name: "Continue with Acme" }).click();

test("while the provider is down, the page says so and the password still works", async ({ page }) => {
  await open(page, "/sign-in");
  await press(page);
  await expect(alert(page)).toContainText("does not respond");
  await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeEnabled();
});

test.describe("with the provider", () => {
  let acme: OpenIdTestProvider;
  test.beforeAll(async ({ server }) => {
    const redirectUri = `${server.baseUrl}/api/auth/callback/openid`;
    acme = await startOpenIdProvider({ redirectUri, port: server.openIdPort });
  });
  test.afterAll(() => acme.close());

  test("a person with a mapped group reaches the requested page, and an admin sees their user", async ({
    page,
    browser,
    server,
  }) => {
    acme.accounts.set(SUBJECT, {
      email: "editor@example.com",
      name: "Jane Doe",
      preferred_username: "jane",
      groups: ["qm-editors"],
    });
    await open(page, "/admin/policies?q=refunds");
    await signInAt(page, SUBJECT);
    await expect(page).toHaveURL(`${server.baseUrl}/admin/policies?q=refunds`);
    await hydrated(page);
    await page.getByRole("button", { name: "Account: Jane Doe" }).click();
    await expect(page.getByText("Role: editor")).toBeVisible();
    await expect(page.getByRole("menuitem", { name: "Sign out" })).toBeVisible();
    await expect(page.getByRole("menuitem", { name: /password/ })).toHaveCount(0);

    const { cookieName: name, cookies, baseUrl: url } = server;
    const context = await browser.newContext({ baseURL: url });
    await context.addCookies([{ name, value: cookies.admin, url }]);
    const admin = await context.newPage();
    await open(admin, "/admin/users");
    await expect(
      admin.getByRole("row").filter({ has: admin.getByRole("link", { name: "jane", exact: true }) }),
    ).toContainText("OpenID");
    // The password account of the same address is another person.
    await expect(
      admin.getByRole("row").filter({ has: admin.getByRole("link", { name: "editor", exact: true }) }),
    ).toContainText("password");
    await open(admin, "/admin/users/jane");
    await expect(admin.getByText(acme.issuer)).toBeVisible();
    await expect(admin.getByText(SUBJECT)).toBeVisible();
    await expect(admin.getByLabel("E-mail")).toBeDisabled();
    await expect(admin.getByRole("switch", { name: "Enabled" })).toBeEnabled();
    await context.close();
  });

  test("a person without a mapped group, and one who cancels, see the reason", async ({ page }) => {
    acme.accounts.set("visitor", { email: "visitor@example.com", groups: ["visitors"] });
    await open(page, "/sign-in");
    await signInAt(page, "visitor");
    await expect(alert(page)).toContainText("not in a group that can use Quartermaster");
    await page.context().clearCookies();
    await signInAt(page, "");
    await expect(alert(page)).toContainText("you cancelled");
  });
});

/** Through the button and the provider's own page. Its first answer may be remembered as missing for five seconds. */
async function signInAt(page: Page, account: string): Promise<void> {
  await hydrated(page);
  const theirs = page.getByRole("button", { name: "Sign in at Acme" });
  await expect(async () => {
    await press(page);
    await expect(theirs).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await page.getByLabel("Account").fill(account);
  await theirs.click();
}
