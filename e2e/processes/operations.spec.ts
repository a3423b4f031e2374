import { askAdmin, callAsBot } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";
import type { ServerUnderTest } from "@/e2e/support/server";

// Operating an installation: the stop-all switch, settings, the history, the runs of agents.

const CALCULATE = { tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } };

interface Called {
  readonly status: string;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Opens a session as the demo's agent; answers its id. */
async function openSession(server: ServerUnderTest, body: Record<string, unknown>): Promise<string> {
  const response = await fetch(`${server.baseUrl}/api/agents/sessions`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return ((await response.json()) as { session_id: string }).session_id;
}

test("a pause stops calls and tells agents why, every page says so, and Resume lets them through", async ({
  admin,
  server,
}) => {
  await open(admin, "/admin/policies");
  await admin.getByRole("button", { name: "Pause calls", exact: true }).click();
  const dialog = admin.getByRole("dialog", { name: "Pause calls" });
  await dialog.getByText("One source", { exact: true }).click();
  await expect(dialog.getByRole("button", { name: "Pause calls", exact: true })).toBeDisabled();
  await dialog.getByRole("combobox", { name: "Source" }).fill("builtin");
  await admin.getByRole("option", { name: "builtin" }).click();
  await expect(dialog.getByRole("status")).toContainText("disappear from every list");
  const stop = dialog.getByRole("button", { name: "Pause calls of the source builtin" });
  await stop.click();
  await expect(dialog.getByText("Enter the reason")).toBeVisible();
  await dialog.getByLabel("Reason").fill("A calculator gone mad.");
  await stop.click();
  const banner = admin.getByRole("region", { name: "Paused" });
  await expect(banner).toContainText("Calls of the source builtin are paused");
  await expect(banner).toContainText("A calculator gone mad.");

  const refused = await callAsBot<Called>(server, CALCULATE);
  expect([refused.status, refused.error?.code]).toEqual(["denied", "paused"]);
  expect(refused.error?.message).toContain("A calculator gone mad.");

  await open(admin, "/admin/executions");
  await expect(banner).toContainText(server.adminEmail);
  await banner.getByRole("button", { name: "Resume calls of the source builtin" }).click();
  await expect(banner).toHaveCount(0);
  await expect.poll(async () => (await callAsBot<Called>(server, CALCULATE)).status).toBe("succeeded");
});

test.describe("when the server cannot be reached", () => {
  // The browser notes the request that fails.
  test.use({ expectedError: /net::ERR_FAILED/ });

  test("the undo of a Resume is sent once, and says that nothing is paused again", async ({
    admin,
    removeAfterwards,
    server,
  }) => {
    removeAfterwards("pause?scope=all");
    await askAdmin(server, "PUT", "pause", { scope: "all", reason: "An incident." });
    await open(admin, "/admin/groups");
    let sent = 0;
    await admin.route("**/api/admin/pause", (route) => {
      if (route.request().method() !== "PUT") return route.continue();
      sent++;
      return route.abort();
    });
    await admin
      .getByRole("region", { name: "Paused" })
      .getByRole("button", { name: /^Resume/ })
      .click();
    await admin.getByRole("button", { name: "Undo" }).dblclick();
    const notes = admin.getByRole("region", { name: "Notifications" });
    await expect(notes.getByText("Nothing was paused again")).toBeVisible();
    await expect(notes.getByText("Resumed all calls")).toHaveCount(0);
    expect(sent).toBe(1);
  });
});

test("everything can be stopped at once; a role that may not resume only sees the pause, in two lines on a phone", async ({
  editor,
  removeAfterwards,
  server,
}) => {
  removeAfterwards("pause?scope=all");
  const reason = `An incident. ${"The provider found that a key of ours was used from an unknown address. ".repeat(3)}`;
  await askAdmin(server, "PUT", "pause", { scope: "all", reason });
  await open(editor, "/admin/groups");
  const banner = editor.getByRole("region", { name: "Paused" });
  await expect(banner).toContainText("All calls are paused");
  await expect(banner.getByRole("button")).toHaveCount(0);
  await expect(editor.getByRole("button", { name: "Pause calls" })).toHaveCount(0);
  expect((await callAsBot<Called>(server, CALCULATE)).error?.message).toContain("An incident.");
  await editor.setViewportSize({ width: 390, height: 844 });
  await expect(banner).toContainText("An incident.");
  // Two lines of text, and the space around them.
  expect((await banner.boundingBox())?.height).toBeLessThanOrEqual(2 * 20 + 20);
});

test("a setting is reviewed and saved, and the history says who changed it from what to what", async ({
  admin,
  server,
}) => {
  await open(admin, "/admin/settings");
  const hours = admin.getByLabel("Session lifetime (hours)");
  await hours.fill("0");
  await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
  await expect(admin.getByRole("button", { name: "Session hours" })).toBeVisible();
  await hours.fill("36");
  await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
  const review = admin.getByRole("dialog", { name: "Review changes to settings" });
  await expect(review).toContainText("session hours: 24 → 36");
  await review.getByRole("button", { name: "Save changes" }).click();
  await expect(admin.getByText("Saved settings")).toBeVisible();

  await open(admin, "/admin/changes");
  await admin.getByRole("combobox", { name: "Kind" }).click();
  await admin.getByRole("option", { name: "settings" }).click();
  await expect(admin).toHaveURL(/resource=settings/);
  const row = admin.getByRole("table", { name: "Changes" }).getByRole("row").nth(1);
  await expect(row).toContainText("session hours: 24 → 36");
  await expect(row).toContainText(server.adminEmail);
  await row.getByRole("link").click();
  await expect(admin.getByRole("heading", { name: "Settings changed", level: 1 })).toBeVisible();
  await expect(admin.getByText("session hours: 24 → 36")).toBeVisible();
  await admin.getByText("Raw values").click();
  await expect(admin.getByRole("table", { name: "Before and after" })).toContainText('"sessionHours": 36');
  await expect(admin.getByRole("link", { name: "All changes of this revision" })).toBeVisible();
});

test("text that is no number holds back the review until it is corrected, and Discard removes it", async ({
  admin,
}) => {
  await open(admin, "/admin/settings");
  const hours = admin.getByLabel("Session lifetime (hours)");
  const stored = await hours.inputValue();
  const minutes = admin.getByLabel("Time to answer (minutes)");
  const storedMinutes = await minutes.inputValue();
  await hours.fill("a day");
  await minutes.fill("7");
  await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
  await expect(admin.getByRole("button", { name: "Session hours" })).toBeVisible();
  await expect(admin.getByRole("button", { name: "Review and save…", exact: true })).toBeEnabled();
  await hours.fill("48");
  await expect(admin.getByRole("button", { name: "Session hours" })).toHaveCount(0);
  await expect(admin.getByRole("dialog")).toHaveCount(0);
  await hours.fill("a day");
  await admin.getByRole("button", { name: "Discard" }).click();
  await expect(minutes).toHaveValue(storedMinutes);
  await expect(hours).toHaveValue(stored);
});

test.describe("when someone else saves first", () => {
  // The browser notes the refused save.
  test.use({ expectedError: /409/ });

  test("another person's setting is shown next to the draft, and none is lost", async ({
    admin,
    afterwards,
    server,
  }) => {
    await open(admin, "/admin/intents");
    await admin.getByLabel("High", { exact: true }).fill("0.9");
    const { version, ...settings } = await askAdmin<{ version: number; openStart: boolean }>(server, "GET", "settings");
    afterwards(async () => {
      const now = await askAdmin<{ version: number }>(server, "GET", "settings");
      await askAdmin(server, "PUT", "settings", settings, { "if-match": `"${now.version}"` });
    });
    const theirs = { ...settings, openStart: !settings.openStart };
    await askAdmin(server, "PUT", "settings", theirs, { "if-match": `"${version}"` });
    await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
    await admin
      .getByRole("dialog", { name: "This row was saved in the meantime" })
      .getByText("Use these versions")
      .click();
    await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
    const review = admin.getByRole("dialog", { name: "Review changes to routing" });
    await expect(review).toContainText("routing high: 0.8 → 0.9");
    await review.getByRole("button", { name: "Save changes" }).click();
    await expect(admin.getByText("Saved routing")).toBeVisible();
    expect(await askAdmin(server, "GET", "settings")).toMatchObject({
      openStart: theirs.openStart,
      routing: { high: 0.9 },
    });
  });
});

test("an auditor reads the settings, finds a session and reads its texts", async ({ auditor, server }) => {
  const id = await openSession(server, { group: ["*"], question: "Why was O-5001 late?" });
  await open(auditor, "/admin/settings");
  await expect(auditor.getByLabel("Session lifetime (hours)")).not.toBeEditable();
  await open(auditor, "/admin/sessions?agent=support-bot&live=true");
  await auditor.locator(`[data-row="${id}"]`).click();
  await expect(auditor.getByRole("heading", { name: "Session of support-bot", level: 1 })).toBeVisible();
  await expect(auditor.getByText("Why was O-5001 late?")).toBeVisible();
  await expect(auditor.getByRole("link", { name: "View calls" })).toBeVisible();
  // The session's calls come first, each with the change of state.
  const body = { tool_id: "support:lookup_customer", arguments: { query: "ada@example.com" }, session_id: id };
  await callAsBot(server, body);
  await auditor.reload();
  await expect(auditor.getByRole("main").getByRole("heading", { level: 2 }).first()).toHaveText("Last calls");
  await expect(auditor.getByRole("link", { name: "support:lookup_customer" }).first()).toBeVisible();
});

test("an editor sees a session's state, but not its texts", async ({ editor, server }) => {
  const id = await openSession(server, { group: ["*"], question: "Why was O-5002 late?" });
  await open(editor, `/admin/sessions/${id}`);
  await expect(editor.getByRole("link", { name: "support-bot" })).toBeVisible();
  await expect(editor.getByText("Question, history and metadata are visible")).toBeVisible();
  await expect(editor.getByText("Why was O-5002 late?")).toHaveCount(0);
});
