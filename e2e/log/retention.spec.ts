import { callAsBot } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";

test("a subject's bodies are erased after a count and a typed name, and the call names the person", async ({
  admin,
  server,
}) => {
  const { call_id: id } = await callAsBot<{ call_id: string }>(server, {
    tool_id: "builtin:calculate",
    arguments: { expression: "40 + 2" },
  });
  await open(admin, `/admin/executions/${id}`);
  await expect(admin.getByText("40 + 2").first()).toBeVisible();
  // The decision is computed from the claims, which the erasure takes away.
  await expect(admin.getByText("As decided under revision")).toBeVisible();
  await admin.getByRole("button", { name: "Erase arguments and results of this subject…" }).click();
  const dialog = admin.getByRole("dialog");
  await expect(dialog.getByText(/arguments? (or|and) results? of .+ calls?$/)).toBeVisible();
  const erase = dialog.getByRole("button", { name: "Erase permanently" });
  await expect(erase).toBeDisabled();
  const name = (await dialog.getByRole("heading").innerText()).replace(/^Erase arguments and results of (.+)\?$/, "$1");
  await dialog.getByRole("textbox").fill(name.slice(1));
  await expect(erase).toBeDisabled();
  await dialog.getByRole("textbox").fill(name);
  await erase.click();
  await expect(admin.getByText(/The arguments and the result of this call were erased .* by /)).toBeVisible();
  await expect(admin.getByText("40 + 2")).toHaveCount(0);
  await open(admin, "/admin/changes?resource=erasures");
  await expect(admin.getByRole("row", { name: /erasure of bodies/ }).first()).toBeVisible();
  await open(admin, "/admin/executions/verify");
  await admin.getByRole("button", { name: "Verify now" }).click();
  await expect(admin.getByRole("heading", { name: "The log is intact" })).toBeVisible();
});

test("the log's months show their stored rows, and the settings the retention", async ({ admin }) => {
  await open(admin, "/admin/executions/verify");
  const months = admin.getByRole("table", { name: "Months of the log" });
  await expect(months.getByRole("row", { name: new RegExp(new Date().toISOString().slice(0, 7)) })).toContainText(
    "current month",
  );
  await open(admin, "/admin/settings");
  await expect(admin.getByRole("textbox", { name: "Months to keep" })).toHaveValue("14");
});

test("an auditor reads the months, and erases nothing", async ({ auditor, server }) => {
  const { call_id: id } = await callAsBot<{ call_id: string }>(server, {
    tool_id: "builtin:calculate",
    arguments: { expression: "1 + 41" },
  });
  await open(auditor, `/admin/executions/${id}`);
  await expect(auditor.getByText("1 + 41").first()).toBeVisible();
  await expect(auditor.getByRole("button", { name: /Erase/ })).toHaveCount(0);
  await open(auditor, "/admin/executions/verify");
  await expect(auditor.getByRole("table", { name: "Months of the log" })).toBeVisible();
});
