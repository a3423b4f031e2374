import { Client } from "pg";
import { askAdmin, callAsBot } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";

// A policy that grants more than its callers use: find it, keep a tool, open a smaller grant and save it.

test("a smaller grant is found, reviewed with its calls, and saved", async ({ admin, afterwards, server }) => {
  test.setTimeout(90_000);
  const call = { tool_id: "builtin:calculate", arguments: { expression: "1 + 1" } };
  await callAsBot(server, call);
  await callAsBot(server, call);
  const database = new Client({ connectionString: server.databaseUrl });
  await database.connect();
  // Rules that were changed within the window are not judged.
  for (const table of ["policy", "tool"])
    await database.query(`update ${table} set "updatedAt" = now() - interval '100 days'`);
  await database.end();

  await expect(async () => {
    const { items } = await askAdmin<{ items: readonly { unused: number }[] }>(server, "GET", "rightsizing");
    expect(items[0]?.unused).toBeGreaterThan(0);
  }).toPass({ timeout: 60_000 });
  const { items: revisions } = await askAdmin<{ items: { number: number }[] }>(server, "GET", "revisions?limit=1");
  // Later journeys expect the demo's policies.
  afterwards(() => askAdmin(server, "POST", `revisions/${revisions[0]?.number}/restore`));
  await open(admin, "/admin/rightsizing");
  await admin.getByText("30 days", { exact: true }).click();
  await expect(admin).toHaveURL(/days=30$/);
  const filter = admin.getByLabel("Filter policies by name");
  await filter.fill("e2e-nowhere");
  await expect(admin.getByRole("main")).toContainText("No policy with counted calls has “e2e-nowhere” in its name.");
  await filter.fill("");
  const row = admin.getByRole("table", { name: "Policies" }).getByRole("row").nth(1);
  const policy = (await row.getByRole("link").textContent()) ?? "";
  await row.getByRole("link").click();
  await expect(admin.getByRole("heading", { name: policy })).toBeVisible();
  await expect(admin).toHaveURL(/days=30$/);
  const grants = admin.getByRole("region", { name: "Smaller grants" });
  await expect(grants).toContainText(/Keeps [\d,]+ of [\d,]+ calls?/);

  const tools = admin.getByRole("table", { name: "Tools of the policy" });
  const unused = tools.getByRole("row", { name: /unused/ }).first();
  const tool = (await unused.getByRole("link").textContent()) ?? "";
  await unused.getByRole("button", { name: "Keep tool" }).click();
  await admin.getByLabel("Reason").fill("Needed at the end of the year");
  await admin.getByRole("dialog").getByRole("button", { name: "Keep tool" }).click();
  await expect(tools.getByRole("row", { name: tool })).toContainText("kept: Needed at the end of the year");

  await grants
    .getByRole("listitem")
    .filter({ hasText: "Grant only a new group" })
    .getByRole("button", { name: "Open draft" })
    .click();
  const draft = admin.getByRole("dialog", { name: "Draft of a smaller grant" });
  await expect(draft).toContainText(`creates the group ${policy}-used`);
  // The demo's assertions request the group that this grant replaces.
  await expect(draft.getByRole("alert").filter({ hasText: /assertions? would fail:/ })).toBeVisible();
  await draft.getByRole("button", { name: "Save anyway" }).click();
  await expect(draft).toHaveCount(0);
  const saved = await askAdmin<{ groups: string[] }>(server, "GET", `policies/${policy}`);
  expect(saved.groups).toEqual([`${policy}-used`]);

  await open(admin, `/admin/policies/${policy}`);
  await expect(admin.getByText(/\d+ tools granted, \d+ used in 90 days\./)).toBeVisible();
});
