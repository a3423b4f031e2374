import { askAdmin } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";

const NAME = "e2e-audited";

test("an auditor finds a change among audit events, filters, and follows it to before and after", async ({
  admin,
  auditor,
  server,
}) => {
  await askAdmin(server, "POST", "personas", { name: NAME, description: "New.", capabilities: [], sampleClaims: {} });
  await open(auditor, "/admin/audit");
  await expect(auditor.getByRole("heading", { name: "Audit trail" })).toBeVisible();
  await open(auditor, `/admin/audit?target=${NAME}`);
  await auditor.getByRole("row").nth(1).getByRole("link").first().press("Enter");
  const dialog = auditor.getByRole("dialog");
  await expect(dialog.getByText("created persona").first()).toBeVisible();
  await dialog.getByRole("link", { name: "Before and after" }).click();
  await expect(auditor).toHaveURL(/\/admin\/changes\/\d+$/);

  await open(auditor, "/admin/audit?kind=change");
  await expect(auditor.getByRole("row").nth(1)).toContainText("change");
  await auditor.getByRole("button", { name: /Export/ }).click();
  await expect(auditor.getByRole("dialog")).toContainText("CSV");
  await askAdmin(server, "DELETE", `personas/${NAME}`);
  await open(admin, `/admin/audit?target=${NAME}`);
  await expect(admin.getByRole("row").nth(1)).toContainText("deleted persona");
});

test("the audit trail is not in an editor's navigation", async ({ editor }) => {
  await open(editor, "/admin/changes");
  await expect(editor.getByRole("link", { name: "Audit trail" })).toHaveCount(0);
});
