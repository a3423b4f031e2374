import { askAdmin, callAsBot } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";

// Labels and flow rules: written in the browser, previewed, enforced on a real call, and cleared by a person.

test("a rule hides a tool from a caller that read a label, until a person clears it", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  removeAfterwards("flows/e2e-guard");
  await open(admin, "/admin/labels/new");
  await admin.getByLabel("Name", { exact: true }).fill("e2e-untrusted");
  await admin.getByLabel("Minutes held").fill("60");
  await admin.getByRole("button", { name: "Create label" }).click();
  await expect(admin.getByText("Created label e2e-untrusted")).toBeVisible();

  await open(admin, "/admin/tools/support:search_knowledge?tab=flow");
  await admin.getByRole("tab", { name: "Flow" }).click();
  await admin.getByRole("combobox", { name: "Raises labels" }).fill("e2e-untrusted");
  await admin.getByRole("option", { name: "e2e-untrusted" }).click();
  await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
  await admin.getByRole("dialog").getByRole("button", { name: "Save changes" }).click();
  await expect(admin.getByText("Saved tool support:search_knowledge")).toBeVisible();

  await open(admin, "/admin/flows/new");
  await admin.getByLabel("Name", { exact: true }).fill("e2e-guard");
  await admin.getByRole("combobox", { name: "Labels" }).fill("e2e-untrusted");
  await admin.getByRole("option", { name: "e2e-untrusted" }).click();
  const restriction = admin.getByRole("listitem", { name: "Restriction 1" });
  await restriction.getByRole("combobox", { name: "Restrict" }).click();
  await admin.getByRole("option", { name: "One tool" }).click();
  await restriction.getByLabel("Tool", { exact: true }).fill("builtin:calculate");
  await admin.getByRole("button", { name: "Create flow rule" }).click();
  await expect(admin.getByText("Created flow rule e2e-guard")).toBeVisible();

  await open(admin, "/admin/preview?agent=support-bot&labels=e2e-untrusted&tool=builtin:calculate");
  const explanation = admin.getByRole("complementary", { name: "Explanation" });
  await expect(explanation).toContainText("flow_restricted");
  await expect(explanation.getByRole("link", { name: "flow rule e2e-guard" }).first()).toBeVisible();

  const send = { tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } };
  expect(await callAsBot(server, send)).toMatchObject({ status: "succeeded" });
  await callAsBot(server, { tool_id: "support:search_knowledge", arguments: { query: "refund" } });
  const refused = await callAsBot<{ call_id: string; status: string }>(server, send);

  // Labels decide what a rule does, so its review shows past calls and claims nothing about callers without labels.
  await open(admin, "/admin/flows/e2e-guard");
  await admin.getByLabel("Description").fill("Stops sums.");
  await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
  const review = admin.getByRole("dialog");
  await expect(review.getByRole("region", { name: "Past calls" })).toBeVisible();
  await expect(review.getByText("None of the checked callers and recent calls is affected.")).toHaveCount(0);
  await review.getByRole("button", { name: "Save changes" }).click();
  await expect(admin.getByText("Saved flow rule e2e-guard")).toBeVisible();

  expect(refused).toMatchObject({ status: "denied" });

  await open(admin, `/admin/executions/${refused.call_id}`);
  const raised = admin.getByRole("list", { name: "Held labels" }).first();
  await expect(raised).toContainText("e2e-untrusted, raised by support:search_knowledge");
  await expect(admin.getByRole("link", { name: "e2e-guard", exact: true })).toHaveCount(2);
  await open(admin, `/admin/denials/${refused.call_id}`);
  const cause = admin.getByRole("region", { name: "Cause" });
  await expect(cause).toContainText("Hidden by a flow rule");
  await expect(cause.getByRole("link", { name: "flow rule e2e-guard" })).toBeVisible();
  await expect(cause.getByRole("button", { name: "Clear e2e-untrusted" })).toBeVisible();
  await open(admin, "/admin/agents/support-bot");
  await expect(admin.getByRole("region", { name: "Labels" })).toContainText("e2e-untrusted");
  await expect(admin.getByRole("button", { name: "Clear e2e-untrusted" })).toBeVisible();

  await open(admin, "/admin/labels/e2e-untrusted?tab=held");
  await admin.getByRole("tab", { name: "Held by" }).click();
  const holders = admin.getByRole("table", { name: "Holders" });
  await expect(holders).toContainText("support:search_knowledge");
  const { items } = await askAdmin<{ items: { subject: string }[] }>(server, "GET", "labels/e2e-untrusted/held");
  await holders.getByRole("button", { name: `Clear for ${items[0]?.subject ?? ""}` }).click();
  const dialog = admin.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Clear label" })).toBeDisabled();
  await dialog.getByLabel("Reason").fill("The text was checked by hand");
  await dialog.getByRole("button", { name: "Clear label" }).click();
  await expect(admin.getByText("No caller holds this label.")).toBeVisible();
  expect(await callAsBot(server, send)).toMatchObject({ status: "succeeded" });
});
