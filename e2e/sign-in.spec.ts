import type { Page } from "@playwright/test";
import { expect, hydrated, open, signIn, test } from "@/e2e/fixtures";

test.describe("a refused sign-in", () => {
  test.use({ expectedError: /status of 401/ });

  test("says the same for a wrong password and an unknown address", async ({ page, server }) => {
    const words: (string | null)[] = [];
    for (const email of [server.adminEmail, "nobody@localhost"]) {
      await page.goto("/sign-in");
      await hydrated(page);
      await page.getByLabel("E-mail").fill(email);
      await page.getByLabel("Password").fill("not the password");
      await page.getByRole("button", { name: "Sign in" }).click();
      words.push(await page.getByRole("alert").filter({ hasText: /\w/ }).textContent());
    }
    expect(words[0]).toBe(words[1]);
  });
});

test("every page but sign-in asks who is there", async ({ page }) => {
  for (const path of ["/", "/admin/preview", "/admin/tools", "/admin/executions"]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/sign-in/);
  }
});

test("after signing in the administrator stands at the overview", async ({ page, server }) => {
  await signIn(page, server.adminEmail, server.adminPassword);
  await page.goto("/");
  await expect(page).toHaveURL(/\/admin\/overview/);
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
});

test("whoever was on the way to a page arrives there, with its filters", async ({ page, server }) => {
  await open(page, "/admin/policies?q=refunds");
  await expect(page).toHaveURL(/\/sign-in/);
  await fill(page, "editor@example.com", server.password);
  await expect(page).toHaveURL(/\/admin\/policies/);
  await expect(page.getByRole("link", { name: "small-refunds", exact: true })).toBeVisible();
});

test("signing out ends the session in this browser", async ({ page, server }) => {
  await signIn(page, "leaver@example.com", server.password);
  await open(page, "/admin/executions");
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.goto("/admin/executions");
  await expect(page).toHaveURL(/\/sign-in/);
});

test.describe("after five wrong passwords", () => {
  test.use({ expectedError: /status of (401|429)/ });

  test("an account must wait, and is told so", async ({ page }) => {
    await open(page, "/sign-in");
    const alert = page.getByRole("alert").filter({ hasText: /\w/ });
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      await Promise.all([
        page.waitForResponse((answer) => answer.url().includes("callback/credentials")),
        fill(page, "impatient@example.com", `guess ${attempt}`),
      ]);
      await expect(alert).toContainText(attempt <= 5 ? "not right" : "Too many attempts");
    }
  });
});

async function fill(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}
