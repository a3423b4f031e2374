import { askAdmin } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";

// What a page says of a row that is switched off, of a group that nobody is granted, and of a form before it is tried.

test("a disabled agent, an inactive policy and an inactive group say so, and how to switch them on", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  const rows = [
    ["agents", { name: "e2e-off", enabled: false, disabledReason: "It moved." }],
    ["groups", { name: "e2e-off", active: false }],
    ["policies", { name: "e2e-off", active: false, everyone: true, groups: ["e2e-off"] }],
  ] as const;
  for (const [list, row] of rows) {
    removeAfterwards(`${list}/${row.name}`);
    await askAdmin(server, "POST", list, row);
  }
  await open(admin, "/admin/agents/e2e-off");
  const disabled = admin.getByRole("note", { name: "Disabled" });
  await expect(disabled).toContainText("To let it call again, select Enable. Reason: It moved.");
  await admin.getByRole("button", { name: "Enable" }).click();
  await expect(disabled).toBeHidden();
  await open(admin, "/admin/policies/e2e-off");
  await expect(admin.getByRole("note", { name: "Inactive" })).toContainText("This policy grants nothing.");
  await open(admin, "/admin/groups/e2e-off");
  await expect(admin.getByRole("note", { name: "Inactive" })).toContainText("turn on Active below and save");
});

test("the page of an agent shows what the agent gains before it is enabled", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  removeAfterwards("agents/e2e-gains");
  const agent = { name: "e2e-gains", attributes: { team: "support" }, enabled: false, disabledReason: "It moved." };
  await askAdmin(server, "POST", "agents", agent);
  await open(admin, "/admin/agents/e2e-gains");
  await admin.getByRole("button", { name: "Enable" }).click();
  const review = admin.getByRole("dialog", { name: "Enable e2e-gains" });
  await expect(review).toContainText("e2e-gains");
  expect(await askAdmin(server, "GET", "agents/e2e-gains")).toMatchObject({ enabled: false });
  await review.getByRole("button", { name: "Enable" }).click();
  await expect(admin.getByRole("note", { name: "Disabled" })).toBeHidden();
  await expect(admin.getByText("e2e-gains is enabled")).toBeVisible();
});

test("a group that no policy grants says so, and begins the policy", async ({ admin, server, removeAfterwards }) => {
  removeAfterwards("groups/e2e-alone");
  await askAdmin(server, "POST", "groups", { name: "e2e-alone" });
  await open(admin, "/admin/groups/e2e-alone");
  const note = admin.getByRole("note", { name: "Not granted" });
  await expect(note).toContainText("No active policy grants this group yet");
  await note.getByRole("button", { name: "Write a policy that grants it" }).click();
  await expect(admin.getByRole("button", { name: "Remove e2e-alone" })).toBeVisible();
  await open(admin, "/admin/groups/refunds");
  await expect(admin.getByRole("region", { name: "Matching tools" })).toContainText("support:refund_order");
  await expect(note).toHaveCount(0);
});

test("an agent's form offers the attributes that policies read, also the entries of lists", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  removeAfterwards("policies/e2e-managers");
  const matchers = ["manager", "auditor"].map((value) => ({ claim: "e2e_roles", operator: "contains", value }));
  await askAdmin(server, "POST", "policies", { name: "e2e-managers", matchers, groups: ["refunds"] });
  const agent = { name: "e2e-lister", attributes: { e2e_roles: ["manager"] } };
  removeAfterwards("agents/e2e-lister");
  await askAdmin(server, "POST", "agents", agent);
  // A claim that is a list somewhere begins with "contains".
  await open(admin, "/admin/policies/new");
  await admin.getByRole("button", { name: "Add condition" }).click();
  const condition = admin.getByRole("listitem", { name: "Condition 1" });
  await condition.getByLabel("Claim path").fill("e2e_roles");
  await admin.getByRole("option", { name: /^e2e_roles/ }).click();
  await expect(condition.getByRole("combobox", { name: "Operator" })).toHaveText("contains");
  await expect(admin.getByRole("group", { name: "Effect" }).getByRole("link", { name: "tool" })).toBeVisible();
  await open(admin, "/admin/agents/new");
  for (const role of ["manager", "auditor"])
    await admin.getByRole("button", { name: `Add e2e_roles: ${role}` }).click();
  await expect(admin.getByRole("textbox", { name: "Attributes" })).toHaveValue(/\[\s*"manager",\s*"auditor"\s*\]/);
});

test("a form shows no error before a person types or saves, and unfinished JSON is not saved", async ({ admin }) => {
  await open(admin, "/admin/agents/new");
  await admin.getByRole("button", { name: "Add team: support" }).click();
  await expect(admin.getByRole("textbox", { name: "Attributes" })).toHaveValue(/"team": "support"/);
  await admin.getByLabel("Name", { exact: true }).fill("e2e-untried");
  await admin.getByRole("switch", { name: "Enabled" }).click();
  await expect(admin.getByLabel("Reason for disabling")).toBeVisible();
  const missing = admin.getByText("Enter the reason", { exact: true });
  await expect(missing).toHaveCount(0);
  await admin.getByRole("button", { name: "Create agent" }).click();
  await expect(missing.first()).toBeVisible();
  await admin.getByLabel("Reason for disabling").fill("Not yet.");
  await expect(missing).toHaveCount(0);
  await admin.getByRole("textbox", { name: "Attributes" }).fill('{ "team": ');
  await admin.getByRole("button", { name: "Create agent" }).click();
  await expect(admin.getByRole("textbox", { name: "Attributes" })).toHaveAttribute("aria-invalid", "true");
  await expect(admin).toHaveURL(/\/admin\/agents\/new$/);
  await admin.goto("about:blank");
});
