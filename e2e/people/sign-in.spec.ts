import type { Page } from "@playwright/test";
import { callAsBot } from "@/e2e/support/admin-api";
import { expect, hydrated, open, signIn, test } from "@/e2e/support/fixtures";

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

test.describe("a sign-in that the server cannot check", () => {
  test.use({ expectedError: /status of 503/ });

  test("says so in the server's words", async ({ page, server }) => {
    const detail = "The store cannot be reached; try again shortly.";
    await page.route("**/api/auth/callback/credentials", (route) =>
      route.fulfill({ status: 503, contentType: "application/problem+json", body: JSON.stringify({ detail }) }),
    );
    await page.goto("/sign-in");
    await fill(page, server.adminEmail, server.adminPassword);
    await expect(page.getByRole("alert").filter({ hasText: detail })).toBeVisible();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(/\/admin\/overview/);
  });
});

test("every page except sign-in requires a session", async ({ page }) => {
  for (const path of ["/", "/admin", "/admin/preview", "/admin/tools", "/admin/executions"]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/sign-in/);
  }
});

test("after signing in, the administrator sees the overview", async ({ page, server }) => {
  // Before the first call, the first steps stand there.
  await callAsBot(server, { tool_id: "builtin:calculate", arguments: { expression: "1 + 1" } });
  await signIn(page, server.adminEmail, server.adminPassword);
  for (const path of ["/", "/admin"]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/admin\/overview/);
    await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  }
});

test("after signing in, a person reaches the requested page with its filters", async ({ page, server }) => {
  await open(page, "/admin/policies?q=refunds");
  await expect(page).toHaveURL(/\/sign-in/);
  await fill(page, "editor@example.com", server.password);
  await expect(page).toHaveURL(/\/admin\/policies/);
  await expect(page.getByRole("link", { name: "small-refunds", exact: true })).toBeVisible();
});

test("signing out waits for pending requests and ends the session in this browser", async ({ page, server }) => {
  await signIn(page, "leaver@example.com", server.password);
  const steps: string[] = [];
  let answerNow = () => {};
  const pressed = new Promise<void>((resolve) => (answerNow = resolve));
  await page.route(/\/api\/admin\/executions$/, async (route) => {
    await pressed;
    const response = await route.fetch();
    steps.push("answered");
    await route.fulfill({ response });
  });
  page.on("request", (request) => request.url().endsWith("/api/auth/signout") && steps.push("signed out"));
  const asked = page.waitForRequest(/\/api\/admin\/executions$/);
  await open(page, "/admin/executions");
  await asked;
  await signOut(page);
  answerNow();
  await expect(page).toHaveURL(/\/sign-in$/);
  expect(steps).toEqual(["answered", "signed out"]);
  await page.goto("/admin/executions");
  await expect(page).toHaveURL(/\/sign-in/);
});

test("signing out asks before unsaved changes are left", async ({ page, server }) => {
  await signIn(page, "leaver@example.com", server.password);
  await open(page, "/admin/policies/small-refunds");
  await page.getByLabel("Description").fill("half a thought");
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await signOut(page);
  await question.getByRole("button", { name: "Stay" }).click();
  await expect(page.getByLabel("Description")).toHaveValue("half a thought");
  await signOut(page);
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
});

test.describe("after five wrong passwords", () => {
  test.use({ expectedError: /status of (401|429)/ });

  test("an account must wait, and the page says so", async ({ page }) => {
    await open(page, "/sign-in");
    const alert = page.getByRole("alert").filter({ hasText: /\w/ });
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      await Promise.all([
        page.waitForResponse((answer) => answer.url().includes("callback/credentials")),
        fill(page, "impatient@example.com", `guess ${attempt}`),
      ]);
      await expect(alert).toContainText(attempt <= 5 ? "password is wrong" : "Too many attempts");
    }
  });
});

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Account/ }).click();
  const item = page.getByRole("menuitem", { name: "Sign out" });
  await item.click();
  await expect(item).toBeHidden();
}

async function fill(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}
