import type { Page } from "@playwright/test";
import { askAdmin, requireReview } from "@/e2e/support/admin-api";
import { addToChangeSet, expect, open, test } from "@/e2e/support/fixtures";
import type { ServerUnderTest } from "@/e2e/support/server";
import type { RequestRow } from "@/lib/contracts/changes/request";
import { startTrainTravel } from "@/test/support/servers/train-travel";

// Every way in a browser to widen something asks for the reason, saves nothing, and is in the inbox.

// The server answers 428 before the page asks for the reason, and the browser notes it.
test.use({ expectedError: /428 \(Precondition Required\)/ });

const NAME = "e2e-widened";
const POLICY = { name: NAME, everyone: true, groups: ["*"] };

test.beforeEach(({ removeAfterwards }) => removeAfterwards(`policies/${NAME}`));

/** States a reason in the dialog that asks for it, and expects the request that the change became. */
async function expectRequest(page: Page, server: ServerUnderTest, reason: string, target: string): Promise<void> {
  const dialog = page.getByRole("dialog").filter({ has: page.getByRole("button", { name: "Request review" }) });
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: "Request review" }).click();
  await expect(page.getByText(/^You made this request. Another person must answer it/)).toBeVisible();
  await expect(page.getByText(reason)).toBeVisible();
  const { items } = await askAdmin<{ items: RequestRow[] }>(server, "GET", "requests?kind=change&status=open");
  expect(items).toContainEqual(expect.objectContaining({ reason, target }));
  await open(page, "/admin/requests?kind=change");
  await expect(
    page
      .getByRole("row")
      .filter({ hasText: target.split("/")[1]! })
      .first(),
  ).toContainText("open");
}

test("an undo and a restore that widen ask for the reason and become requests", async ({
  admin,
  afterwards,
  server,
}) => {
  const { revision } = await askAdmin<{ revision: number }>(server, "POST", "policies", POLICY);
  const inactive = { ...POLICY, active: false };
  await askAdmin(server, "PUT", `policies/${NAME}`, inactive, { "if-match": `"${revision}"` });
  const isActive = async () => (await askAdmin(server, "GET", `policies/${NAME}`))["active"];
  afterwards(await requireReview(server, "widening"));
  await open(admin, `/admin/changes?resource=policies&id=${NAME}`);
  await admin.getByRole("row").nth(1).getByRole("link").first().press("Enter");
  await admin.getByRole("dialog").getByRole("button", { name: "Undo this change…" }).press("Enter");
  await expectRequest(admin, server, "Undone for the campaign.", `policies/${NAME}`);

  await open(admin, "/admin/configuration");
  await admin.getByRole("button", { name: `Restore revision ${revision}` }).click();
  await admin.getByRole("dialog").getByRole("button", { name: "Restore", exact: true }).click();
  await expectRequest(admin, server, "Restored for the campaign.", `policies/${NAME}`);
  expect(await isActive()).toBe(false);
});

test("a change set becomes one request, and is empty afterwards", async ({ admin, afterwards, server }) => {
  await askAdmin(server, "POST", "policies", { ...POLICY, active: false });
  afterwards(await requireReview(server, "widening"));
  await open(admin, `/admin/policies/${NAME}`);
  await admin.getByRole("switch", { name: "Active" }).click();
  await addToChangeSet(admin);
  await admin.getByRole("link", { name: "Change set: 1 edit" }).click();
  await admin.getByRole("button", { name: "Save 1 change" }).click();
  await expectRequest(admin, server, "Kept for the campaign.", `policies/${NAME}`);
  await expect(admin.getByRole("link", { name: /Change set/ })).toBeHidden();
  expect(await askAdmin(server, "GET", `policies/${NAME}`)).toMatchObject({ active: false });
});

test("a new webhook says that it is created switched off, and asks at once for the reason to switch it on", async ({
  admin,
  afterwards,
  removeAfterwards,
  server,
}) => {
  removeAfterwards(`webhooks/${NAME}`);
  afterwards(await requireReview(server, "widening"));
  await open(admin, "/admin/webhooks/new");
  await admin.getByLabel("Name").fill(NAME);
  await admin.getByLabel("URL").fill("https://example.com/hook");
  await admin.getByRole("checkbox").first().check();
  await admin.getByRole("button", { name: "Create webhook" }).click();
  const dialog = admin.getByRole("dialog");
  await expect(dialog.getByText(/is created switched off, because its secret is shown only once/)).toBeVisible();
  await dialog.getByRole("button", { name: "Save anyway" }).click();
  await dialog.getByRole("checkbox").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expectRequest(admin, server, "For the alarms.", `webhooks/${NAME}`);
  expect(await askAdmin(server, "GET", `webhooks/${NAME}`)).toMatchObject({ active: false });
  await open(admin, `/admin/webhooks/${NAME}`);
  await admin.getByRole("region", { name: "Open change requests" }).getByRole("link").click();
  await expect(admin.getByRole("region", { name: "Changes" })).toContainText("https://example.com/hook");
});

test("the undo of a switch that narrowed asks for the reason and becomes a request", async ({
  admin,
  afterwards,
  server,
}) => {
  await askAdmin(server, "POST", "policies", POLICY);
  afterwards(await requireReview(server, "widening"));
  await open(admin, `/admin/policies?q=${NAME}`);
  await admin.getByRole("switch", { name: `${NAME} active` }).click();
  await admin.getByRole("button", { name: "Undo", exact: true }).click();
  await expectRequest(admin, server, "Switched off by mistake.", `policies/${NAME}`);
  expect(await askAdmin(server, "GET", `policies/${NAME}`)).toMatchObject({ active: false });
});

test("the pages of the settings and of a secret show the open requests for them", async ({
  admin,
  afterwards,
  removeAfterwards,
  server,
}) => {
  removeAfterwards("secrets/e2e-waits");
  const value = { value: "a key", origins: ["https://example.com"] };
  await askAdmin(server, "PUT", "secrets/e2e-waits", value, { "if-match": '"0"' });
  afterwards(await requireReview(server, "all"));
  const { revision } = await askAdmin<{ revision: number }>(server, "GET", "secrets/e2e-waits");
  const { version, ...settings } = await askAdmin<{ version: number }>(server, "GET", "settings");
  await askAdmin(server, "PUT", "secrets/e2e-waits", value, { "if-match": `"${revision}"` });
  await askAdmin(server, "PUT", "settings", { ...settings, sessionHours: 36 }, { "if-match": `"${version}"` });
  for (const page of ["secrets/e2e-waits", "settings", "intents"]) {
    await open(admin, `/admin/${page}`);
    await expect(admin.getByRole("region", { name: "Open change requests" }).getByRole("link")).toBeVisible();
  }
});

test("an import and an accepted drift ask for the reason and become requests", async ({
  admin,
  afterwards,
  server,
}) => {
  const trains = await startTrainTravel(server.upstreamPort);
  afterwards(() => trains.close());
  const { id } = await askAdmin<{ id: string }>(server, "POST", "imports", {
    source: "e2e-ways",
    url: trains.documentUrl,
  });
  const status = async () => (await askAdmin(server, "GET", `imports/${id}`))["status"];
  await expect.poll(status, { timeout: 15_000 }).toBe("planned");
  await askAdmin(server, "POST", `imports/${id}/apply`, { operations: "all" });
  trains.edit(({ paths }) => {
    paths["/trips"]!["get"]!.description = "Trips, told otherwise.";
  });
  // Only what a caller gains waits for review.
  await askAdmin(server, "POST", "policies", POLICY);
  const changed = "e2e-ways:get-trips";
  const tool = () => askAdmin(server, "GET", `tools/${encodeURIComponent(changed)}`);
  afterwards(await requireReview(server, "widening"));
  await askAdmin(server, "POST", "sources/e2e-ways/sync");
  await expect.poll(async () => (await tool())["status"], { timeout: 20_000 }).toBe("quarantined");
  await open(admin, "/admin/drift?source=e2e-ways");
  await admin.getByRole("link", { name: changed, exact: true }).click();
  await admin.getByRole("article", { name: changed }).getByRole("button", { name: "Approve", exact: true }).click();
  await expectRequest(admin, server, "The new words are right.", `drift/${changed}`);
  expect(await tool()).toMatchObject({ status: "quarantined" });

  await open(admin, "/admin/sources");
  await admin.getByRole("button", { name: "Import OpenAPI" }).click();
  const dialog = admin.getByRole("dialog", { name: "Import an OpenAPI document" });
  await dialog.getByLabel("Name", { exact: true }).fill("e2e-waits");
  await dialog.getByLabel("URL", { exact: true }).fill(trains.documentUrl);
  await dialog.getByRole("button", { name: "Read document" }).click();
  await dialog.getByRole("button", { name: /^Import \d+ operations?/ }).click();
  await expectRequest(admin, server, "The timetable for support.", "sources/e2e-waits");
  await expect(askAdmin(server, "GET", "sources/e2e-waits")).rejects.toThrow("404");
});
