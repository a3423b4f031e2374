import { expect, hydrated, signIn, test } from "@/e2e/fixtures";

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

test("after signing in the administrator stands in Preview as agent", async ({ page, server }) => {
  await signIn(page, server.adminEmail, server.adminPassword);
  await page.goto("/");
  await expect(page).toHaveURL(/\/admin\/preview/);
  await expect(page.getByRole("heading", { level: 1, name: "Preview as agent" })).toBeVisible();
});
