import { askAdmin } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";

const NAME = "e2e-undone";
const PERSONA = { name: NAME, description: "As it was.", capabilities: ["files.read"], sampleClaims: {} };

test("a change is undone as a draft: its changed fields, or the deleted row", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  removeAfterwards(`personas/${NAME}`);
  await askAdmin(server, "POST", "personas", PERSONA);
  const change = async (input: object) => {
    const { revision } = await askAdmin<{ revision: number }>(server, "GET", `personas/${NAME}`);
    await askAdmin(server, "PUT", `personas/${NAME}`, input, { "if-match": `"${revision}"` });
  };
  const mistaken = { ...PERSONA, description: "Changed by mistake." };
  await change(mistaken);
  await change({ ...mistaken, capabilities: ["files.read", "files.write"] });
  await open(admin, `/admin/changes?resource=personas&id=${NAME}`);
  await admin.getByRole("row").nth(2).getByRole("link").first().press("Enter");
  await admin.getByRole("dialog").getByText("Raw values").click();
  const compared = admin.getByRole("dialog").getByRole("table", { name: "Before and after" });
  await expect(compared.getByRole("row").filter({ hasText: "As it was." })).toContainText(
    /removed:.*added:.*Changed by mistake\./,
  );
  await admin.getByRole("dialog").getByRole("button", { name: "Undo this change…" }).press("Enter");
  const review = admin.getByRole("dialog", { name: `Undo the change of ${NAME}` });
  await expect(review).toContainText("description: “Changed by mistake.” → “As it was.”");
  await review.getByRole("button", { name: "Edit first" }).click();
  await expect(admin.getByLabel("Description")).toHaveValue("As it was.");
  await expect(admin.getByLabel("Description")).toBeFocused();
  await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
  await review.getByRole("button", { name: "Undo the change" }).click();
  await expect(admin.getByText(`Undid the change of persona ${NAME}`)).toBeVisible();
  await expect(admin).toHaveURL(/\/admin\/changes\?/);
  expect(await askAdmin(server, "GET", `personas/${NAME}`)).toMatchObject({
    description: "As it was.",
    capabilities: ["files.read", "files.write"],
  });

  // The second change stands, so only the first one is undone.
  for (const [row, undone] of [
    [3, 1],
    [2, 0],
  ] as const) {
    await open(admin, `/admin/changes?resource=personas&id=${NAME}`);
    await admin.getByRole("row").nth(row).getByRole("link").first().press("Enter");
    const panel = admin.getByRole("dialog");
    await expect(panel.getByRole("button", { name: "Undo this change…" })).toHaveCount(1 - undone);
    await expect(panel.getByText("Undone: the object has the former values again")).toHaveCount(undone);
  }

  // From another page, because the open page of a deleted row asks for the row again.
  await open(admin, "/admin/personas");
  await askAdmin(server, "DELETE", `personas/${NAME}`);
  await open(admin, `/admin/changes?resource=personas&id=${NAME}`);
  await admin.getByRole("row").nth(1).getByRole("link").first().press("Enter");
  await admin.getByRole("dialog").getByRole("button", { name: "Undo this change…" }).press("Enter");
  await expect(admin.getByLabel("Name", { exact: true })).toHaveValue(NAME);
  await admin.getByRole("button", { name: "Create persona" }).click();
  await expect(admin).toHaveURL(new RegExp(`/admin/personas/${NAME}$`));
});

test("an undo starts from the stored row, not from the one that its page showed before", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  const name = "e2e-switched";
  removeAfterwards(`policies/${name}`);
  await askAdmin(server, "POST", "policies", { name, effect: "deny", groups: ["support-read"], everyone: true });
  await open(admin, `/admin/policies/${name}`);
  await expect(admin.getByRole("heading", { level: 1, name })).toBeVisible();
  const menu = admin.getByRole("navigation", { name: "Main" });
  await menu.getByRole("link", { name: "Access policies" }).click();
  await admin.getByRole("row").filter({ hasText: name }).getByRole("switch").click();
  await admin.getByRole("dialog").getByRole("button", { name: "Deactivate" }).click();
  await expect(admin.getByText(`${name} is inactive`)).toBeVisible();
  await menu.getByRole("link", { name: "Changes" }).click();
  // The list before has a row of this name, too.
  await expect(admin.getByRole("heading", { level: 1, name: "Changes" })).toBeVisible();
  await admin.getByRole("row").filter({ hasText: name }).first().getByRole("link").first().press("Enter");
  await admin.getByRole("dialog").getByRole("button", { name: "Undo this change…" }).press("Enter");
  await expect(admin.getByRole("dialog", { name: `Undo the change of ${name}` })).toContainText("active: off → on");
});

test("the undo of a fixed finding names the finding that it brings back", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  removeAfterwards("policies/e2e-wide");
  const policy = {
    name: "e2e-wide",
    matchers: [{ claim: "team", operator: "equals", value: "support" }],
    groups: ["*"],
  };
  const { revision } = await askAdmin<{ revision: number }>(server, "POST", "policies", policy);
  const fixed = { ...policy, groups: ["support-read"] };
  await askAdmin(server, "PUT", "policies/e2e-wide", fixed, { "if-match": `"${revision}"` });
  await open(admin, "/admin/changes?resource=policies&id=e2e-wide");
  await admin.getByRole("row").nth(1).getByRole("link").first().press("Enter");
  await admin.getByRole("dialog").getByRole("button", { name: "Undo this change…" }).press("Enter");
  const review = admin.getByRole("dialog", { name: "Undo the change of e2e-wide" });
  const findings = review.getByRole("region", { name: /^This brings back \d+ findings?$/ });
  await expect(findings).toContainText("e2e-wide grants every tool");
});

test("an undone change of a tool opens in the part and at the field that it changed", async ({ admin, server }) => {
  const path = "tools/support%3Alist_orders";
  const {
    revision,
    createdAt: _c,
    updatedAt: _u,
    definitionHash: _h,
    ...tool
  } = await askAdmin<Record<string, unknown> & { revision: number; limits: object }>(server, "GET", path);
  await askAdmin(
    server,
    "PUT",
    path,
    { ...tool, limits: { ...tool.limits, rate: { points: 7, seconds: 60 } } },
    { "if-match": `"${revision}"` },
  );
  const { items } = await askAdmin<{ items: { id: string }[] }>(server, "GET", "changes?limit=1");
  await open(admin, `/admin/changes/${items[0]?.id}`);
  await admin.getByRole("button", { name: "Undo this change…" }).click();
  await admin.getByRole("dialog").getByRole("button", { name: "Edit first" }).click();
  await expect(admin.getByRole("tab", { name: "Limits" })).toHaveAttribute("aria-selected", "true");
  const limit = admin.locator("[data-field='limits.rate'] :focus");
  await expect(limit).toHaveAccessibleName("Limit the call rate");
  await expect(limit).not.toBeChecked();
  await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
  await admin.getByRole("dialog").getByRole("button", { name: "Undo the change" }).click();
  await expect(admin).toHaveURL(/\/admin\/changes\?resource=tools/);
});

test("the page of a creation says how to undo it, and offers the revision before it", async ({ admin, server }) => {
  const name = "e2e-created";
  await askAdmin(server, "POST", "groups", { name });
  const { items } = await askAdmin<{ items: { id: string; revision: number }[] }>(server, "GET", "changes?limit=1");
  await open(admin, `/admin/changes/${items[0]?.id}`);
  await expect(admin.getByText("To undo this, open the object and delete it")).toBeVisible();
  const before = Number(items[0]?.revision) - 1;
  await admin.getByRole("button", { name: `Restore revision ${before}…` }).click();
  const dialog = admin.getByRole("dialog", { name: `Restore revision ${before}` });
  await expect(dialog.getByRole("note")).toContainText(`deletes 1 object created since then: tool group ${name}`);
  await dialog.getByRole("button", { name: "Restore", exact: true }).click();
  await expect(admin.getByText(/^Restored revision/)).toBeVisible();
  await expect(admin).toHaveURL(/\/admin\/configuration$/);
  await expect(askAdmin(server, "GET", `groups/${name}`)).rejects.toThrow("404");
});

test("an auditor reads changes and cannot undo them", async ({ auditor }) => {
  await open(auditor, "/admin/changes?resource=policies");
  await auditor.getByRole("row").nth(1).getByRole("link").first().press("Enter");
  await expect(auditor.getByRole("dialog").getByText("Revision", { exact: true })).toBeVisible();
  await expect(auditor.getByRole("button", { name: "Undo this change…" })).toHaveCount(0);
});

test("what a created row states is read as sentences, with its JSON one click away", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  removeAfterwards("policies/e2e-told");
  const row = {
    name: "e2e-told",
    matchers: [{ claim: "team", operator: "equals", value: "told" }],
    groups: ["tickets"],
  };
  await askAdmin(server, "POST", "policies", row);
  const { items } = await askAdmin<{ items: { id: string }[] }>(server, "GET", "changes?resource=policies&id=e2e-told");
  await open(admin, `/admin/changes/${items[0]?.id}`);
  const change = admin.getByRole("region", { name: "Change", exact: true });
  await expect(change).toContainText("conditions: team equals “told”");
  const json = change.getByRole("region", { name: "after" });
  await expect(json).toBeHidden();
  await change.getByText("Raw values", { exact: true }).click();
  await expect(json).toContainText('"e2e-told"');
});
