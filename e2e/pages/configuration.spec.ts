import { askAdmin } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";

// The configuration as a document: out, in by a plan, compared, and back.

const ADDED = `apiVersion: quartermaster/v1
groups:
  - name: e2e-imported
    description: Came with a document.
    include: [{ tool: "support:add_note" }]
`;

test("a document is planned, applied exactly so, compared and taken back", async ({ admin, server }) => {
  await open(admin, "/admin/configuration?tab=import");
  await admin.getByLabel("Document", { exact: true }).fill(ADDED);
  await admin.getByText("Adds and changes only").click();
  await admin.getByRole("button", { name: "Plan", exact: true }).click();
  const plan = admin.getByRole("region", { name: "Plan" });
  await expect(plan).toContainText("creates the tool group e2e-imported");
  await expect(plan).toContainText("1 to create, 0 to change, 0 to delete");
  await plan.getByRole("button", { name: "Show the raw diff" }).click();
  await expect(plan.getByRole("region", { name: "Raw diff" })).toContainText("+  - name: e2e-imported");
  await admin.getByRole("button", { name: "Apply 1 change" }).click();
  await expect(admin.getByRole("tab", { name: "Revisions" })).toHaveAttribute("aria-selected", "true");
  expect(await askAdmin(server, "GET", "groups/e2e-imported")).toMatchObject({ description: "Came with a document." });

  const rows = admin.getByRole("table", { name: "Revisions" }).getByRole("row");
  const newest = rows.filter({ hasText: "configuration document" }).first();
  const { items } = await askAdmin<{ items: { number: number }[] }>(server, "GET", "revisions?limit=2");
  const [applied, before] = items;
  await newest.getByRole("button", { name: /^Changes/ }).click();
  await expect(admin).toHaveURL(new RegExp(`from=${before?.number}&to=${applied?.number}`));
  await expect(admin.getByText("e2e-imported").first()).toBeVisible();
  await expect(admin.getByRole("button", { name: `Restore revision ${before?.number}…` })).toBeVisible();
  await admin.getByRole("button", { name: "All revisions" }).click();

  await admin.getByRole("button", { name: `Restore revision ${before?.number}` }).click();
  const dialog = admin.getByRole("dialog", { name: `Restore revision ${before?.number}` });
  await expect(dialog).toContainText("e2e-imported");
  await dialog.getByRole("button", { name: "Restore", exact: true }).click();
  await expect(admin.getByText(`Restored revision ${before?.number}`, { exact: true })).toBeVisible();
  const groups = await askAdmin<{ total: number }>(server, "GET", "groups?q=e2e-imported");
  expect(groups.total).toBe(0);
});

test("a restore waits for the differences to a revision that was saved meanwhile", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  removeAfterwards("groups/e2e-first", "groups/e2e-meanwhile");
  await askAdmin(server, "POST", "groups", { name: "e2e-first" });
  const { items } = await askAdmin<{ items: { number: number }[] }>(server, "GET", "revisions?limit=2");
  await open(admin, "/admin/configuration?tab=revisions");
  await admin.getByRole("button", { name: `Restore revision ${items[1]?.number}` }).click();
  const restore = admin.getByRole("dialog").getByRole("button", { name: "Restore", exact: true });
  await expect(restore).toBeEnabled();
  await askAdmin(server, "POST", "groups", { name: "e2e-meanwhile" });
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await admin.route("**/api/admin/revisions/*/diff/*", (route) => held.then(() => route.continue()));
  const asked = admin.waitForRequest(/\/diff\//);
  const measured = admin.waitForRequest("**/api/admin/impact");
  // The list reads the new revision when the person comes back to the window.
  await admin.clock.setFixedTime(Date.now() + 11_000);
  await admin.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
  await asked;
  await measured;
  await expect(restore).toBeDisabled();
  answer();
  await expect(admin.getByRole("dialog")).toContainText("e2e-meanwhile");
  await expect(restore).toBeEnabled();
});

test("a document with unknown names is refused before anything is saved", async ({ admin, server }) => {
  await open(admin, "/admin/configuration?tab=import");
  await admin
    .getByLabel("Document", { exact: true })
    .fill("apiVersion: quartermaster/v1\npolicies: [{ name: e2e-lost, everyone: true, groups: [e2e-nowhere] }]");
  await admin.getByText("Adds and changes only").click();
  await admin.getByRole("button", { name: "Plan", exact: true }).click();
  await expect(admin.getByRole("alert").filter({ hasText: "This would be refused" })).toContainText("e2e-nowhere");
  await expect(admin.getByRole("button", { name: /^Apply/ })).toHaveCount(0);
  expect(await askAdmin(server, "GET", "policies?q=e2e-lost")).toMatchObject({ total: 0 });
});

test("importing an export changes nothing", async ({ admin }) => {
  await open(admin, "/admin/configuration?tab=export");
  await expect(admin.getByRole("region", { name: "Configuration document" })).toContainText("quartermaster/v1");
  const download = admin.waitForEvent("download");
  await admin.getByRole("button", { name: "Download" }).click();
  const file = await (await download).path();
  await admin.getByRole("tab", { name: "Import" }).click();
  await admin.getByLabel("Document file").setInputFiles(file);
  await admin.getByRole("button", { name: "Plan", exact: true }).click();
  await expect(admin.getByRole("region", { name: "Plan" })).toContainText("Nothing to change");
});
