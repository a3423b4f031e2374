import { askAdmin } from "@/e2e/support/admin-api";
import { countClicks } from "@/e2e/support/clicks";
import { expect, open, test } from "@/e2e/support/fixtures";

// What people do when they look after agents, each with the most clicks that it may take.

const AGENT = "e2e-task-agent";

test.beforeEach(({ server }) => askAdmin(server, "POST", "agents", { name: AGENT }));
test.afterEach(({ server }) => askAdmin(server, "DELETE", `agents/${AGENT}`));

test("a hidden tool is explained in 2 clicks", async ({ admin }) => {
  const clicks = await countClicks(admin);
  await open(admin, "/admin/overview");
  await admin.keyboard.press("Control+k");
  await admin.keyboard.type("support:refund_order");
  await admin.getByRole("option", { name: /support:refund_order/ }).click();
  await admin.getByRole("tab", { name: "Access" }).click();
  const caller = admin.getByRole("row").filter({ hasText: "contractor" });
  await expect(caller).toContainText("hidden");
  await expect(caller).toContainText("contractors-move-no-money");
  expect(await clicks()).toBe(2);
});

test("an agent is stopped in 2 clicks", async ({ admin, server }) => {
  const clicks = await countClicks(admin);
  await open(admin, `/admin/agents?q=${AGENT}`);
  await admin.getByRole("switch", { name: `${AGENT} enabled` }).click();
  const dialog = admin.getByRole("dialog", { name: `Disable ${AGENT}` });
  await dialog.getByLabel("Reason").fill("It repeats itself.");
  await dialog.getByRole("button", { name: "Disable" }).click();
  await expect(admin.getByText(`${AGENT} is off`)).toBeVisible();
  expect(await askAdmin(server, "GET", `agents/${AGENT}`)).toMatchObject({ enabled: false });
  expect(await clicks()).toBe(2);
});
