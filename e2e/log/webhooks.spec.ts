import { askAdmin } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";
import { isSignedWith, startReceiver, status } from "@/test/support/servers/receiver";

// A webhook is created, tested, fails, and gets its messages again.

test("a webhook is created with its secret shown once, tested, and gets missed messages again", async ({
  admin,
  server,
}) => {
  const receiver = await startReceiver(server.upstreamPort);
  try {
    await open(admin, "/admin/webhooks/new");
    await admin.getByLabel("Name").fill("e2e-hook");
    await admin.getByLabel("URL").fill(receiver.url);
    await admin.getByRole("checkbox", { name: /A call waits for an approval/ }).check();
    await admin.getByRole("button", { name: "Create" }).click();
    const dialog = admin.getByRole("dialog", { name: "Signing secret of webhook e2e-hook" });
    const secret = (await dialog.locator("code").textContent()) ?? "";
    expect(secret).toMatch(/^whsec_/);
    await dialog.getByRole("checkbox").check();
    await dialog.getByRole("button", { name: "Done" }).click();

    receiver.answers.push(status(500));
    await open(admin, "/admin/webhooks/e2e-hook?tab=deliveries");
    await expect(admin.getByText("No deliveries yet")).toBeVisible();
    await admin.getByRole("button", { name: "Send test" }).click();
    await expect(admin.getByText("Test message queued")).toBeVisible();
    const row = admin.getByRole("row", { name: /webhook\.test/ });
    await admin.getByRole("button", { name: "View delivery" }).click();
    await expect(admin).toHaveURL(/\/admin\/deliveries\/.+/);
    await admin.goBack();
    await expect(row).toContainText("The receiver answered 500.", { timeout: 15_000 });
    expect(receiver.received.every((message) => isSignedWith(message, secret))).toBe(true);

    await row.getByRole("link", { name: "webhook.test" }).click();
    const tries = admin.getByRole("region", { name: "Attempts" });
    await expect(tries.getByRole("listitem")).toHaveCount(1);
    await admin.getByRole("button", { name: "Send again" }).click();
    await expect(admin.getByRole("main").getByText("delivered", { exact: true })).toBeVisible({ timeout: 15_000 });
    await expect(tries.getByRole("listitem").first()).toContainText("thank you");
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    await expect(admin.getByText(secret)).toHaveCount(0);

    await open(admin, "/admin/deliveries?webhook=e2e-hook");
    await expect(admin.getByRole("row", { name: /webhook\.test/ })).toContainText("delivered");
  } finally {
    await receiver.close();
  }
});

test("an auditor reads webhooks and deliveries, and can send nothing", async ({ auditor, server }) => {
  const url = `http://127.0.0.1:${server.upstreamPort}/nobody`;
  await askAdmin(server, "POST", "webhooks", { name: "e2e-read", url, events: ["audit.alarm"] });
  await askAdmin(server, "POST", "webhooks/e2e-read/test");
  await open(auditor, "/admin/webhooks/e2e-read?tab=deliveries");
  await expect(auditor.getByRole("row", { name: /webhook\.test/ })).toBeVisible();
  await expect(auditor.getByRole("button", { name: "Send test" })).toHaveCount(0);
});
