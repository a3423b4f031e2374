import { askAdmin } from "@/e2e/support/admin-api";
import { addToChangeSet, expect, open, test } from "@/e2e/support/fixtures";
import type { ServerUnderTest } from "@/e2e/support/server";
import type { z } from "zod";
import type { policyInput } from "@/lib/resources/policy";

// The change set: edits of several rows that are saved in one revision.

const matchers = [{ claim: "team", operator: "equals" as const, value: "nobody-real" }];

const OWN_API = {
  openapi: "3.1.0",
  info: { title: "Own", version: "1" },
  servers: [{ url: "https://own.example.com" }],
  paths: { "/own": { get: { operationId: "own", responses: {} } } },
};

/** Saves a policy as another person does. */
async function saveMeanwhile(server: ServerUnderTest, policy: z.input<typeof policyInput>): Promise<void> {
  const path = `policies/${policy.name}`;
  const { revision } = await askAdmin<{ revision: number }>(server, "GET", path);
  await askAdmin(server, "PUT", path, policy, { "if-match": `"${revision}"` });
}

test("edits of several rows are saved in one revision", async ({ admin, server, removeAfterwards }) => {
  removeAfterwards("policies/e2e-old", "policies/e2e-next", "groups/e2e-both");
  await askAdmin(server, "POST", "policies", { name: "e2e-old", matchers, groups: ["tickets"] });
  await open(admin, "/admin/groups/new");
  await admin.getByLabel("Name", { exact: true }).fill("e2e-both");
  await admin.getByLabel("Description").fill("For the next policy.");
  await addToChangeSet(admin);
  await expect(admin).toHaveURL(/\/admin\/groups$/);

  await open(admin, "/admin/policies/e2e-old");
  await admin.getByLabel("Description").fill("Grants both.");
  await addToChangeSet(admin);
  await expect(admin.getByText("This form shows the edit in your change set")).toBeVisible();
  await expect(admin.getByRole("button", { name: "Add to change set" })).toBeHidden();
  const bar = admin.getByRole("region", { name: "Unsaved changes" });
  await expect(bar).toContainText("1 change in the change set");
  await expect(bar.getByRole("button", { name: "Remove from change set" })).toBeVisible();
  // Another person's change of another field stays.
  expect(await askAdmin(server, "GET", "policies/e2e-old")).toMatchObject({ description: "", active: true });
  await saveMeanwhile(server, { name: "e2e-old", matchers, groups: ["tickets"], active: false });

  const { items: before } = await askAdmin<{ items: { number: number }[] }>(server, "GET", "revisions?limit=1");
  await admin.getByRole("link", { name: "Change set: 2 edits" }).click();
  const panel = admin.getByRole("tabpanel", { name: "Change set" });
  await expect(panel).toContainText("description: “Grants both.”");
  await expect(panel).toContainText("1 to create, 1 to change, 0 to delete");
  await panel.getByRole("button", { name: "Save 2 changes" }).click();
  await expect(admin.getByRole("tab", { name: "Revisions" })).toHaveAttribute("aria-selected", "true");
  await expect(admin.getByRole("link", { name: /Change set:/ })).toBeHidden();
  const { items: after } = await askAdmin<{ items: { number: number }[] }>(server, "GET", "revisions?limit=1");
  expect(after[0]?.number).toBe((before[0]?.number ?? 0) + 1);
  expect(await askAdmin(server, "GET", "policies/e2e-old")).toMatchObject({
    description: "Grants both.",
    active: false,
  });
  expect(await askAdmin(server, "GET", "groups/e2e-both")).toMatchObject({ description: "For the next policy." });
});

test("an edit of a field that somebody changed meanwhile says so, and is edited again", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  removeAfterwards("policies/e2e-contested");
  await askAdmin(server, "POST", "policies", { name: "e2e-contested", matchers, groups: ["tickets"] });
  await open(admin, "/admin/policies/e2e-contested");
  await admin.getByLabel("Description").fill("mine");
  await addToChangeSet(admin);
  await expect(admin.getByText("This form shows the edit in your change set")).toBeVisible();
  await saveMeanwhile(server, { name: "e2e-contested", matchers, groups: ["tickets"], description: "theirs" });
  await open(admin, "/admin/configuration?tab=change-set");
  const panel = admin.getByRole("tabpanel", { name: "Change set" });
  await expect(panel.getByRole("alert")).toContainText("saving replaces the new value of description");
  await panel.getByRole("link", { name: "Edit access policy e2e-contested" }).click();
  await expect(admin.getByLabel("Description")).toHaveValue("mine");
  // An edit of another field keeps the warning.
  await admin.getByRole("switch", { name: "Active" }).click();
  await addToChangeSet(admin);
  await admin.getByRole("link", { name: "Change set: 1 edit" }).click();
  await expect(panel.getByRole("alert")).toContainText("saving replaces the new value of description");
  await panel.getByRole("link", { name: "Edit access policy e2e-contested" }).click();
  await admin.getByLabel("Description").fill("ours");
  await addToChangeSet(admin);
  await admin.getByRole("link", { name: "Change set: 1 edit" }).click();
  await expect(panel).toContainText("“theirs” → “ours”");
  await expect(panel.getByRole("alert")).toBeHidden();
  await panel.getByRole("button", { name: "Remove all" }).click();
  await expect(panel).toContainText("No edits");
  await admin.getByRole("button", { name: "Undo" }).click();

  await panel.getByRole("link", { name: "Edit access policy e2e-contested" }).click();
  // Typing the stored values again leaves the edit, so the form offers to remove it.
  await admin.getByLabel("Description").fill("theirs");
  await admin.getByRole("switch", { name: "Active" }).click();
  await admin.getByRole("button", { name: "Remove edit" }).click();
  await expect(admin.getByRole("region", { name: "Unsaved changes" })).toBeHidden();
  await expect(admin.getByRole("link", { name: /Change set:/ })).toBeHidden();
  await admin.getByRole("button", { name: "Undo" }).click();
  await admin.getByRole("link", { name: "Change set: 1 edit" }).click();
  await panel.getByRole("link", { name: "Edit access policy e2e-contested" }).click();
  await admin.getByRole("button", { name: "Remove from change set" }).click();
  await expect(admin.getByLabel("Description")).toHaveValue("theirs");
  await expect(admin.getByRole("link", { name: /Change set:/ })).toBeHidden();
});

test.describe("an edit whose row was deleted meanwhile", () => {
  test.use({ expectedError: /400 \(Bad Request\)/ });

  test("is not saved; it kept what an earlier edit changed", async ({ admin, server, removeAfterwards }) => {
    removeAfterwards("policies/e2e-gone");
    await askAdmin(server, "POST", "policies", { name: "e2e-gone", effect: "deny", matchers, groups: ["tickets"] });
    await open(admin, "/admin/policies/e2e-gone");
    await admin.getByLabel("Description").fill("first");
    await addToChangeSet(admin);
    await open(admin, "/admin/policies/e2e-gone");
    await admin.getByRole("switch", { name: "Active" }).click();
    await addToChangeSet(admin);
    await admin.getByRole("link", { name: "Change set: 1 edit" }).click();
    const panel = admin.getByRole("tabpanel", { name: "Change set" });
    await expect(panel).toContainText("description: “first”");
    await expect(panel).toContainText("active: on → off");
    const { revision } = await askAdmin<{ revision: number }>(server, "GET", "policies/e2e-gone");
    await askAdmin(server, "DELETE", "policies/e2e-gone", undefined, { "if-match": `"${revision}"` });
    await open(admin, "/admin/configuration?tab=change-set");
    await expect(panel.getByRole("alert")).toContainText("nothing stored has this name, so the row is new");
    await expect(panel.getByRole("button", { name: /^Save/ })).toBeHidden();
    await panel.getByRole("button", { name: "Remove access policy e2e-gone" }).click();
  });
});

test("an answer to a save that arrives on another page leads nowhere", async ({ admin, server, removeAfterwards }) => {
  removeAfterwards("policies/e2e-left");
  await askAdmin(server, "POST", "policies", { name: "e2e-left", matchers, groups: ["tickets"] });
  await open(admin, "/admin/policies/e2e-left");
  await admin.getByLabel("Description").fill("mine");
  await addToChangeSet(admin);
  await admin.getByRole("link", { name: "Change set: 1 edit" }).click();
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await admin.route(/\/api\/admin\/config\?mode=/, (route) => held.then(() => route.continue()));
  await admin.getByRole("button", { name: "Save 1 change" }).click();
  await admin.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Access policies" }).click();
  const search = admin.getByRole("searchbox", { name: "Filter access policies" });
  await search.fill("e2e");
  answer();
  await expect(admin.getByText("Configuration applied")).toBeVisible();
  await expect(admin.getByRole("link", { name: /Change set:/ })).toBeHidden();
  await expect(search).toBeFocused();
  await expect(admin).toHaveURL(/\/admin\/policies\?q=e2e$/);
});

test("discarding a draft says that it removed the edit only if it did", async ({ admin, server, removeAfterwards }) => {
  removeAfterwards("policies/e2e-twice");
  await askAdmin(server, "POST", "policies", { name: "e2e-twice", matchers, groups: ["tickets"] });
  await open(admin, "/admin/policies/e2e-twice");
  await admin.getByLabel("Description").fill("mine");
  await addToChangeSet(admin);
  await expect(admin.getByText("This form shows the edit in your change set")).toBeVisible();
  const other = await admin.context().newPage();
  await open(other, "/admin/configuration?tab=change-set");
  await other.getByRole("button", { name: "Save 1 change" }).click();
  await expect(other.getByText("Configuration applied")).toBeVisible();
  await other.close();
  await expect(admin.getByText("This form shows the edit in your change set")).toBeHidden();
  await admin.getByRole("button", { name: "Discard" }).click();
  await expect(admin.getByRole("button", { name: "Discard" })).toBeHidden();
  await expect(admin.getByText("Removed access policy e2e-twice")).toHaveCount(0);
});

test.describe("a save whose answer is lost", () => {
  test.use({ expectedError: /Failed to load resource/ });

  test("may have saved; the next edits have alerts of their own", async ({ admin, server, removeAfterwards }) => {
    removeAfterwards("policies/e2e-lost");
    await askAdmin(server, "POST", "policies", { name: "e2e-lost", matchers, groups: ["tickets"] });
    await open(admin, "/admin/groups/new");
    await admin.getByLabel("Name", { exact: true }).fill("e2e-lost-group");
    await addToChangeSet(admin);
    await open(admin, "/admin/policies/e2e-lost");
    await admin.getByLabel("Description").fill("mine");
    await addToChangeSet(admin);
    await admin.getByRole("link", { name: "Change set: 2 edits" }).click();
    const panel = admin.getByRole("tabpanel", { name: "Change set" });
    await admin.route(/\/api\/admin\/config\?mode=/, (route) => route.abort());
    await panel.getByRole("button", { name: "Save 2 changes" }).click();
    await expect(panel.getByRole("alert")).toContainText("This may be saved.");
    await panel.getByRole("button", { name: "Remove tool group e2e-lost-group" }).click();
    await expect(panel.getByRole("button", { name: "Save 1 change" })).toBeEnabled();
    await expect(panel.getByRole("alert")).toHaveCount(0);
    // Until its plan arrives, a row that is put back is not compared with the plan of the others.
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    await admin.route(/\/api\/admin\/config\?dryRun=/, (route) => held.then(() => route.continue()));
    await admin.getByRole("button", { name: "Undo" }).click();
    await expect(panel.getByRole("button", { name: "Remove tool group e2e-lost-group" })).toBeVisible();
    await expect(panel.getByRole("button", { name: "Save 1 change" })).toBeDisabled();
    await expect(panel.getByRole("alert")).toHaveCount(0);
    answer();
    await expect(panel.getByRole("button", { name: "Save 2 changes" })).toBeEnabled();
    await panel.getByRole("button", { name: "Remove all" }).click();
  });
});

test.describe("a plan that is outdated at its save", () => {
  test.use({ expectedError: /409 \(Conflict\)/ });

  test("is made again, and its impact too", async ({ admin, server, removeAfterwards }) => {
    removeAfterwards("policies/e2e-outdated");
    await askAdmin(server, "POST", "policies", { name: "e2e-outdated", matchers, groups: ["tickets"] });
    await open(admin, "/admin/policies/e2e-outdated");
    await admin.getByLabel("Description").fill("mine");
    await addToChangeSet(admin);
    await admin.getByRole("link", { name: "Change set: 1 edit" }).click();
    const panel = admin.getByRole("tabpanel", { name: "Change set" });
    const impact = panel.getByRole("region", { name: "Impact of the document" });
    await expect(impact).toHaveAttribute("aria-busy", "false");
    await expect(impact).toContainText(/caller/);
    await saveMeanwhile(server, { name: "e2e-outdated", matchers, groups: ["tickets"], active: false });
    const measured = admin.waitForResponse("**/api/admin/impact");
    await panel.getByRole("button", { name: "Save 1 change" }).click();
    await expect(panel.getByRole("alert")).toContainText("Read the new plan, then save.");
    expect((await measured).ok()).toBe(true);
    await panel.getByRole("button", { name: "Remove all" }).click();
  });
});

test("a new row is edited under another name, and is in pickers at once", async ({ admin }) => {
  await open(admin, "/admin/groups/new");
  await admin.getByLabel("Name", { exact: true }).fill("e2e-staged");
  await addToChangeSet(admin);
  await open(admin, "/admin/policies/new");
  await admin.getByRole("combobox", { name: "Groups" }).fill("e2e-sta");
  await expect(admin.getByRole("option", { name: /e2e-staged/ })).toContainText("In your change set");
  // An import saves at once, so it creates the group.
  await open(admin, "/admin/sources");
  await admin.getByRole("button", { name: "Import OpenAPI" }).click();
  const dialog = admin.getByRole("dialog", { name: "Import an OpenAPI document" });
  await dialog.getByLabel("Name", { exact: true }).fill("e2e-beside");
  await dialog.getByText("From a file or text").click();
  await dialog.getByRole("textbox", { name: "Text" }).fill(JSON.stringify(OWN_API));
  await dialog.getByRole("button", { name: "Read document" }).click();
  await dialog.getByLabel("Add to groups").fill("e2e-staged");
  await dialog.getByLabel("Add to groups").press("Enter");
  await expect(dialog.getByText("The import creates e2e-staged.")).toBeVisible();
  await open(admin, "/admin/configuration?tab=change-set");
  const panel = admin.getByRole("tabpanel", { name: "Change set" });
  await panel.getByRole("link", { name: "Edit tool group e2e-staged" }).click();
  await admin.getByLabel("Name", { exact: true }).fill("e2e-renamed");
  await addToChangeSet(admin);
  await admin.getByRole("link", { name: "Change set: 1 edit" }).click();
  await expect(panel).toContainText("e2e-renamed");
  await panel.getByRole("button", { name: "Remove all" }).click();
});

test("a renamed row is saved alone", async ({ admin, server, removeAfterwards }) => {
  removeAfterwards("policies/e2e-renamed");
  await askAdmin(server, "POST", "policies", { name: "e2e-renamed", matchers, groups: ["tickets"] });
  await open(admin, "/admin/policies/e2e-renamed");
  await admin.getByLabel("Name", { exact: true }).fill("e2e-other");
  await expect(admin.getByRole("button", { name: "Review and save…" })).toBeVisible();
  await expect(admin.getByRole("button", { name: "Add to change set" })).toBeHidden();
  await admin.getByRole("button", { name: "Discard" }).click();
});

test("the release of a deprecated tool is saved alone", async ({ admin, server, removeAfterwards }) => {
  removeAfterwards("sources/e2e-retired", "tools/e2e-retired:read");
  await askAdmin(server, "POST", "sources", { name: "e2e-retired", kind: "script" });
  const tool = {
    id: "e2e-retired:read",
    source: "e2e-retired",
    operation: "read",
    name: "read",
    description: "Reads.",
  };
  await askAdmin(server, "POST", "tools", {
    ...tool,
    inputSchema: {},
    status: "deprecated",
    run: { kind: "script", code: "export default () => 1;" },
  });
  await open(admin, "/admin/tools/e2e-retired%3Aread?tab=settings");
  await admin.getByRole("combobox", { name: "Status" }).click();
  await admin.getByRole("option", { name: "Active" }).click();
  await admin.getByRole("button", { name: "Add to change set" }).click();
  await expect(admin.getByRole("region", { name: "Notifications" })).toContainText("Save this change with");
  await expect(admin.getByRole("link", { name: /^Change set/ })).toHaveCount(0);
  await admin.getByRole("button", { name: "Discard" }).click();
});
