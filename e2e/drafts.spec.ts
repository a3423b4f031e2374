import { askAdmin } from "@/e2e/admin-api";
import { expect, open, test } from "@/e2e/fixtures";

// What is not saved yet: seen by what it would do, and left alone once it is saved.

test("a draft rests while it is saved: nothing is asked of the name that it is taking", async ({ admin, server }) => {
  const asked: string[] = [];
  let saving = false;
  let saved = () => {};
  const held = new Promise<void>((resolve) => (saved = resolve));
  await admin.route(/\/api\/admin\/personas$/, async (route) => {
    saving = true;
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
  });
  admin.on("request", (request) => {
    if (saving && /\/impact$|dryRun/.test(request.url())) asked.push(request.url());
  });
  await open(admin, "/admin/personas/new");
  await admin.getByLabel("Name", { exact: true }).fill("e2e-resting");
  await admin.getByRole("button", { name: "Create persona" }).click();
  await expect.poll(() => saving).toBe(true);
  // As long as a draft is waited for, and longer: whatever was about to be asked has been.
  await admin.evaluate(() => new Promise((resolve) => setTimeout(resolve, 700)));
  saved();
  await expect(admin).toHaveURL(/\/admin\/personas\/e2e-resting$/);
  expect(asked).toEqual([]);
  await askAdmin(server, "DELETE", "personas/e2e-resting");
});

test("an edit is previewed before it is saved, as one caller, beside the rules in force", async ({ admin, server }) => {
  await open(admin, "/admin/policies/small-refunds");
  await admin.getByRole("radiogroup", { name: "Effect" }).getByText("Deny").click();
  await admin.getByRole("button", { name: "Preview with this draft" }).click();
  const drawer = admin.getByRole("dialog", { name: "Preview with this draft" });
  await drawer.getByRole("combobox", { name: "Persona" }).fill("first-line");
  await admin.getByRole("option", { name: /first-line/ }).click();
  const lost = drawer.getByRole("listbox", { name: "Lost tools" });
  await lost.getByRole("option", { name: /refund_order/ }).click();
  const explained = drawer.getByRole("complementary", { name: "Explanation" });
  await explained.getByText("In force").click();
  await expect(explained).toContainText("small-refunds");
  await admin.keyboard.press("Escape");
  await expect(admin.getByRole("region", { name: "Unsaved changes" })).toContainText("1 change");
  expect(await askAdmin(server, "GET", "policies/small-refunds")).toMatchObject({ effect: "allow" });
});

test("a document says whose tools it alters before it is applied", async ({ admin, server }) => {
  await open(admin, "/admin/configuration?tab=import");
  await admin
    .getByLabel("Document", { exact: true })
    .fill(
      "apiVersion: quartermaster/v1\npolicies:\n  - { name: e2e-stop, effect: deny, everyone: true, groups: ['*'] }",
    );
  await admin.getByText("Adds and changes only").click();
  await admin.getByRole("button", { name: "Plan", exact: true }).click();
  const plan = admin.getByRole("region", { name: "Plan" });
  await expect(plan).toContainText("creates the access policy e2e-stop");
  await expect(plan.getByRole("region", { name: "Impact of the document" })).toContainText("first-line");
  expect(await askAdmin(server, "GET", "policies?q=e2e-stop")).toMatchObject({ total: 0 });
});

test("an assertion is given in the words of the preview, with JSON as the other face of it", async ({
  admin,
  server,
}) => {
  await open(admin, "/admin/assertions/new");
  await admin.getByLabel("Name", { exact: true }).fill("e2e given");
  const inputs = admin.getByRole("form", { name: "Inputs" });
  await inputs.getByLabel("Claims").fill("{ no json");
  await expect(inputs.getByLabel("Claims")).toHaveAttribute("aria-invalid", "true");
  await inputs.getByLabel("Claims").fill('{ "team": "support" }');
  await inputs.getByRole("combobox", { name: "State machine" }).fill("ticket-desk");
  await admin.getByRole("option", { name: "ticket-desk" }).click();
  await admin.getByRole("radiogroup", { name: "Edit the request as" }).getByText("JSON").click();
  const json = admin.getByRole("textbox", { name: "Request" });
  await expect(json).toHaveValue(/"team": "support"[^]*"machine": "ticket-desk"/);
  await json.fill((await json.inputValue()).replace('"support"', '"sales"'));
  await admin.getByRole("radiogroup", { name: "Edit the request as" }).getByText("Inputs").click();
  await expect(inputs.getByLabel("Claims")).toHaveValue(/"sales"/);
  await admin.getByRole("button", { name: "Create assertion" }).click();
  await expect
    .poll(() => askAdmin(server, "GET", "assertions?q=e2e"))
    .toMatchObject({
      items: [{ given: { claims: { team: "sales" }, machine: "ticket-desk", persona: null, group: null } }],
    });
  await askAdmin(server, "DELETE", "assertions/e2e%20given");
});
