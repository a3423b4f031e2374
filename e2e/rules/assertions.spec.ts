import { askAdmin } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";

// A preview's result is saved as an assertion, and run.

test("a preview is saved as an assertion that holds, and runs with the others", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  await open(admin, "/admin/preview?persona=contractor&tab=hidden&tool=support%3Arefund_order");
  await admin.getByRole("button", { name: "Save as assertion" }).click();
  const dialog = admin.getByRole("dialog", { name: "Save as assertion" });
  await dialog.getByText("The selected tool is hidden").click();
  await expect(dialog.getByRole("region", { name: "Hidden" })).toHaveText("support:refund_order");
  const name = "e2e contractors do not refund";
  removeAfterwards(`assertions/${encodeURIComponent(name)}`);
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Save assertion" }).click();
  await expect(admin.getByText(`Created assertion ${name}`)).toBeVisible();
  await expect
    .poll(() => askAdmin(server, "GET", `assertions/${encodeURIComponent(name)}`))
    .toMatchObject({ given: { persona: "contractor" }, expect: { visible: [], hidden: ["support:refund_order"] } });

  await open(admin, "/admin/assertions");
  await expect(admin.getByRole("row", { name: new RegExp(name) })).toContainText("passed");
  const ran = admin.waitForResponse((response) => response.url().endsWith("/assertions/run"));
  await admin.getByRole("button", { name: "Run assertions" }).click();
  expect((await ran).status()).toBe(200);
});

test("one that would fail under the rules in force says so before it is saved", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  const name = "e2e-as-it-was";
  removeAfterwards(`groups/${name}`, `personas/${name}`, `policies/${name}`);
  await askAdmin(server, "POST", "groups", { name, description: "", include: [{ tool: "support:add_note" }] });
  await askAdmin(server, "POST", "personas", { name, sampleClaims: { e2e: name } });
  const matchers = [{ claim: "e2e", operator: "equals", value: name }];
  await askAdmin(server, "POST", "policies", { name, matchers, groups: [name] });
  const { items } = await askAdmin<{ items: { number: number }[] }>(server, "GET", "revisions");
  await askAdmin(server, "DELETE", `policies/${name}`);
  await open(admin, `/admin/preview?persona=${name}&revision=${items[0]?.number}`);
  await expect(admin.getByRole("listbox", { name: "Visible tools" })).toContainText("support:add_note");
  await admin.getByRole("button", { name: "Save as assertion" }).click();
  const dialog = admin.getByRole("dialog", { name: "Save as assertion" });
  await dialog.getByRole("button", { name: "Save assertion" }).click();
  await expect(dialog.getByRole("alert")).toContainText(/An assertion would fail:.*support:add_note should be visible/);
  await expect(dialog.getByRole("button", { name: "Save anyway" })).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
});
