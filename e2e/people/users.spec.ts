import { expect, hydrated, open, signIn, test } from "@/e2e/support/fixtures";

// An administrator adds someone; that person changes the password they were given.

test("a new user's password is shown once, signs in, and is changed by its owner", async ({
  admin,
  browser,
  server,
}) => {
  await open(admin, "/admin/users/new");
  await admin.getByLabel("Name", { exact: true }).fill("grace");
  await admin.getByLabel("E-mail").fill("grace@navy.example");
  await admin.getByRole("button", { name: "Create user" }).click();
  const dialog = admin.getByRole("dialog", { name: "Password of grace" });
  const given = (await dialog.getByRole("code").textContent()) ?? "";
  await dialog.getByRole("checkbox").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(admin).toHaveURL(/\/admin\/users\/grace/);

  const context = await browser.newContext({ baseURL: server.baseUrl });
  const grace = await context.newPage();
  await signIn(grace, "grace@navy.example", given);
  await hydrated(grace);
  await grace.getByRole("button", { name: "Account: grace" }).click();
  await grace.getByRole("menuitem", { name: /Change password/ }).click();
  const change = grace.getByRole("dialog", { name: "Change password" });
  await change.getByLabel("Current password").fill(given);
  await change.getByLabel("New password").fill("amazing grace at sea");
  await change.getByRole("button", { name: "Change password" }).click();
  await expect(grace.getByText("Password changed")).toBeVisible();
  await open(grace, "/admin/policies");
  await expect(grace.getByRole("heading", { level: 1 })).toBeVisible();

  await open(admin, "/admin/users/grace");
  await admin.getByRole("button", { name: "Set new password…" }).click();
  await admin.getByRole("dialog").getByRole("button", { name: "Set new password" }).click();
  const again = (await dialog.getByRole("code").textContent()) ?? "";
  await expect(dialog.getByText("Give it to grace")).toBeVisible();
  await dialog.getByRole("checkbox").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await grace.reload();
  await expect(grace).toHaveURL(/\/sign-in/);
  await signIn(grace, "grace@navy.example", again);
  await context.close();
});
