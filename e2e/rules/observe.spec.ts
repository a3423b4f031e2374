import { askAdmin, callAsBot } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";

// A policy that is observed first: its page says which calls it would have refused, and then it is enforced.

const CALL = { tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } };

test("an observed deny names the call that it would have refused, and refuses it once enforced", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  removeAfterwards("policies/e2e-watched");
  await open(admin, "/admin/policies/new");
  await admin.getByLabel("Name", { exact: true }).fill("e2e-watched");
  await admin.getByRole("group", { name: "Effect" }).getByText("Deny", { exact: true }).click();
  await admin.getByRole("group", { name: "Mode" }).getByText("Observe", { exact: true }).click();
  await admin.getByRole("group", { name: "Callers" }).getByText("Everyone", { exact: true }).click();
  await admin.getByRole("combobox", { name: "Groups" }).fill("every");
  await admin.getByRole("option", { name: "Every group (*)" }).click();
  await expect(admin.getByRole("status", { name: "What this policy does" })).toContainText("Observed: no effect yet");
  await admin.getByRole("button", { name: "Create access policy" }).click();
  await expect(admin.getByText("Created access policy e2e-watched")).toBeVisible();
  const ran = await callAsBot<{ status: string; call_id: string }>(server, CALL);
  expect(ran).toMatchObject({ status: "succeeded" });
  // The call is counted within a second, after its answer.
  await expect
    .poll(() => askAdmin(server, "GET", "observations?kind=policy&rule=e2e-watched"))
    .toMatchObject({ calls: 1, refused: 1 });

  await open(admin, "/admin/policies/e2e-watched");
  const note = admin.getByRole("region", { name: "What this rule would change" });
  await expect(note).toContainText("it would have refused 1 of 1 call");
  await note.getByText("Calls", { exact: true }).click();
  await expect(note).toContainText("would be refused");
  await note.getByRole("link", { name: CALL.tool_id }).click();
  await expect(admin).toHaveURL(new RegExp(ran.call_id));

  await open(admin, "/admin/policies/e2e-watched");
  // The note above the form moves it, so nothing is clicked before.
  await expect(note).toBeVisible();
  await admin.getByRole("group", { name: "Mode" }).getByText("Enforce", { exact: true }).click();
  await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
  await admin.getByRole("dialog").getByRole("button", { name: /^Save/ }).click();
  await expect(admin.getByText("Saved access policy e2e-watched")).toBeVisible();
  expect(await callAsBot(server, CALL)).toMatchObject({ status: "denied" });
});
