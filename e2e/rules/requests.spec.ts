import { askAdmin, requireReview } from "@/e2e/support/admin-api";
import { expect, hydrated, open, signIn, test } from "@/e2e/support/fixtures";
import type { ServerUnderTest } from "@/e2e/support/server";
import type { HeldChange } from "@/lib/contracts/changes/request";

// The inbox: an agent that asks for a tool for some hours, and a change that waits for a second person.

const TOOL = "builtin:current_date_time";

async function asAgent<T>(
  server: ServerUnderTest,
  key: string,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(`${server.baseUrl}/api/agents/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as T;
}

test("an agent asks for a tool, a person grants it for an hour and ends it early", async ({ admin, server }) => {
  await askAdmin(server, "POST", "agents", { name: "e2e-asker" });
  const { key } = await askAdmin<{ key: string }>(server, "POST", "api-keys", {
    name: "e2e-asker",
    agent: "e2e-asker",
  });
  await askAdmin(server, "POST", "groups", { name: "e2e-clock", include: [{ tool: TOOL }] });
  await askAdmin(server, "POST", "policies", {
    name: "e2e-clock-on-request",
    effect: "request",
    maxHours: 8,
    matchers: [{ claim: "sub", operator: "equals", value: "e2e-asker" }],
    groups: ["e2e-clock"],
    arguments: [{ claim: "timezone", operator: "not_exists", value: null }],
  });
  const limit = "Only when timezone does not exist";
  const call = { tool_id: TOOL, arguments: {} };
  const refused = await asAgent<{ error: { code: string } }>(server, key, "POST", "tools/call", call);
  expect(refused.error.code).toBe("access_requestable");
  await asAgent(server, key, "POST", "access-requests", {
    tool_id: TOOL,
    hours: 4,
    reason: "The report needs the time.",
  });

  await open(admin, `/admin/preview?${new URLSearchParams({ agent: "e2e-asker", tool: TOOL })}`);
  const waiting = admin.getByRole("region", { name: "Open request" });
  await expect(waiting).toContainText("e2e-asker asked for this tool");
  await expect(waiting).not.toContainText("not enough");
  await waiting.getByRole("link", { name: "open the request" }).click();
  await expect(admin.getByRole("region", { name: "Access", exact: true })).toContainText("e2e-asker (API key)");

  // Where no call waits (another journey can have left one), the menu leads to the list in which something does.
  const calls = await askAdmin<{ items: { id: string }[] }>(server, "GET", "approvals?status=waiting");
  for (const { id } of calls.items) await askAdmin(server, "POST", `approvals/${id}/refuse`, { reason: "" });
  await open(admin, "/admin/tools");
  const menu = admin.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^Approvals/ });
  await expect(menu).toHaveAttribute("href", "/admin/requests?kind=access");
  await menu.click();
  const inbox = admin.getByRole("navigation", { name: "Inbox" });
  await expect(inbox.getByRole("link", { name: "Access" })).toHaveAttribute("aria-current", "page");
  const row = admin.getByRole("row", { name: /builtin:current_date_time for 4 h/ });
  await expect(row).toContainText("The report needs the time.");
  await row.click();
  await expect(admin.getByRole("region", { name: "Access", exact: true })).toContainText("e2e-asker (API key)");
  await expect(admin.getByRole("region", { name: "Access", exact: true })).toContainText(limit);
  await admin.getByRole("button", { name: "Grant access" }).click();
  const dialog = admin.getByRole("dialog", { name: "Grant access to builtin:current_date_time for e2e-asker" });
  await expect(dialog).toContainText(limit);
  await dialog.getByLabel("Hours").fill("5");
  await expect(dialog).toContainText("Enter 1 to 4 hours");
  await dialog.getByLabel("Hours").fill("1");
  await dialog.getByRole("button", { name: "Grant access" }).click();
  await expect(admin.getByText("Granted for 1 h")).toBeVisible();
  await expect(admin.getByText("granted", { exact: true })).toBeVisible();
  const ran = await asAgent<{ status: string }>(server, key, "POST", "tools/call", call);
  expect(ran.status).toBe("succeeded");
  const request = admin.url();
  await expect(admin.getByRole("heading", { name: TOOL, exact: true })).toBeVisible();
  for (const page of [`/admin/tools/${encodeURIComponent(TOOL)}?tab=access`, "/admin/agents/e2e-asker"]) {
    await open(admin, page);
    const granted = admin.getByRole("region", { name: "Temporary access grants" });
    await expect(granted).toContainText(/until \d/);
    await granted.getByRole("link", { name: "View request" }).click();
    await expect(admin).toHaveURL(new RegExp(new URL(request).pathname));
  }

  await admin.getByRole("button", { name: "End access" }).click();
  await admin.getByRole("dialog", { name: "End access" }).getByRole("button", { name: "End access" }).click();
  await expect(admin.getByText("Ended", { exact: true })).toBeVisible();
  await expect(admin.getByText("ended", { exact: true })).toBeVisible();
  const ended = await asAgent<{ error: { code: string } }>(server, key, "POST", "tools/call", call);
  expect(ended.error.code).toBe("access_requestable");
  await admin.getByRole("link", { name: "Every call under this grant" }).click();
  await expect(admin.locator("[data-row]")).toHaveCount(1);
});

test("an empty tab of the inbox says what appears there, and offers no filter to clear", async ({ editor }) => {
  await open(editor, "/admin/requests?asker=me");
  await expect(editor.getByRole("main")).toContainText("No requests yet");
  await expect(editor.getByRole("main")).toContainText("Your changes that need a review appear here");
  await expect(editor.getByRole("button", { name: "Clear filters" })).toHaveCount(0);
});

test("a widening waits, and another person sees its witness and approves it by key", async ({
  admin,
  afterwards,
  context,
  removeAfterwards,
  server,
}) => {
  // Impact counts the agents that called of late, so one must have.
  await askAdmin(server, "POST", "agents", { name: "e2e-reader" });
  const { key } = await askAdmin<{ key: string }>(server, "POST", "api-keys", {
    name: "e2e-reader",
    agent: "e2e-reader",
  });
  await asAgent(server, key, "GET", "tools");
  removeAfterwards("policies/e2e-readers");
  afterwards(await requireReview(server, "widening"));
  // An inactive policy grants nothing, so it is saved at once.
  await askAdmin(server, "POST", "policies", { name: "e2e-readers", everyone: true, groups: ["*"], active: false });
  await open(admin, "/admin/policies/e2e-readers");
  await admin.getByRole("switch", { name: "Active" }).click();
  await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
  const review = admin.getByRole("dialog");
  await expect(review.getByRole("region", { name: "Review by a second person" })).toContainText("would see");
  await review.getByLabel("Reason").fill("Readers need <b>every</b> tool.");
  await review.getByRole("button", { name: "Request review" }).click();
  await expect(admin.getByText("You made this request. Another person must answer it.")).toBeVisible();
  await expect(admin.getByText("Readers need <b>every</b> tool.")).toBeVisible();
  await expect(admin.getByRole("button", { name: "Withdraw" })).toBeVisible();
  expect(await askAdmin(server, "GET", "policies/e2e-readers")).toMatchObject({ active: false });

  await context.addCookies([{ name: server.cookieName, value: server.cookies.editor, url: server.baseUrl }]);
  await open(admin, "/admin/requests?kind=change");
  await admin.getByRole("row", { name: /e2e-readers/ }).click();
  await expect(admin.getByRole("heading", { name: "access policy e2e-readers" })).toBeVisible();
  await expect(admin.getByRole("region", { name: "Effect" })).toContainText("of access policy e2e-readers");
  const changes = admin.getByRole("region", { name: "Changes" });
  await expect(changes).toContainText("e2e-readers");
  await expect(changes.getByText("changes", { exact: true })).toBeVisible();
  await expect(admin.getByRole("region", { name: "Impact" })).toContainText(/gain/);
  await admin.keyboard.press("a");
  await admin
    .getByRole("dialog", { name: /^Approve/ })
    .getByLabel("Reason")
    .fill("Agreed.");
  await admin.keyboard.press("Control+Enter");
  await expect.poll(() => askAdmin(server, "GET", "policies/e2e-readers")).toMatchObject({ active: true });
  await expect(changes.getByText("changed", { exact: true })).toBeVisible();
});

test.describe("while changes wait", () => {
  // The server answers 428 before the page asks for the reason, and the browser notes it.
  test.use({ expectedError: /428 \(Precondition Required\)/ });

  test("a switch, a bulk change and a deletion ask for the reason when they would wait", async ({
    admin,
    afterwards,
    removeAfterwards,
    server,
  }) => {
    removeAfterwards("policies/e2e-switched", "policies/e2e-deny");
    await askAdmin(server, "POST", "policies", { name: "e2e-switched", everyone: true, groups: ["*"], active: false });
    await askAdmin(server, "POST", "policies", {
      name: "e2e-deny",
      everyone: true,
      groups: ["refunds"],
      effect: "deny",
    });
    afterwards(await requireReview(server, "all"));
    const asker = admin.getByText("You made this request. Another person must answer it.");
    await open(admin, "/admin/policies?q=e2e-switched");
    const turned = admin.getByRole("switch", { name: "e2e-switched active" });
    await turned.click();
    const dialog = admin.getByRole("dialog", { name: "Request review" });
    await expect(dialog).toContainText("would see");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(turned).not.toBeChecked();
    await expect(admin.locator("[data-toast]")).toHaveCount(0);
    await turned.click();
    await dialog.getByLabel("Reason").fill("Switched for the campaign.");
    await dialog.getByRole("button", { name: "Request review" }).click();
    await expect(asker).toBeVisible();
    await expect(admin.getByText("Switched for the campaign.")).toBeVisible();
    await expect(admin.locator("[data-toast]")).toHaveCount(1);
    expect(await askAdmin(server, "GET", "policies/e2e-switched")).toMatchObject({ active: false });

    await open(admin, "/admin/policies/e2e-deny");
    await admin.getByRole("button", { name: "More actions" }).click();
    await admin.getByRole("menuitem", { name: /Delete/ }).click();
    const deletion = admin.getByRole("dialog");
    await deletion.getByLabel("Reason").fill("No longer needed.");
    await deletion.getByRole("button", { name: "Request review" }).click();
    await expect(asker).toBeVisible();
    await expect(admin.getByText("No longer needed.")).toBeVisible();

    await open(admin, "/admin/policies?q=e2e-switched");
    await admin.getByRole("checkbox", { name: "Select e2e-switched" }).click();
    const chosen = admin.getByRole("toolbar", { name: "Selected access policies" });
    await chosen.getByRole("button", { name: "Activate", exact: true }).click();
    const bulk = admin.getByRole("dialog");
    await bulk.getByLabel("Reason").fill("All at once.");
    await bulk.getByRole("button", { name: "Request review" }).click();
    await expect(asker).toBeVisible();
    await expect(admin.getByText("All at once.")).toBeVisible();
  });
});

test("an admin applies a change without review, every page says so, and a second person reverts or confirms it", async ({
  page,
  afterwards,
  context,
  removeAfterwards,
  server,
}) => {
  await signIn(page, server.adminEmail, server.adminPassword);
  removeAfterwards("policies/e2e-urgent");
  const off = { name: "e2e-urgent", everyone: true, groups: ["*"], active: false };
  const { revision } = await askAdmin<{ revision: number }>(server, "POST", "policies", off);
  afterwards(await requireReview(server, "widening"));
  const on = { ...off, active: true };
  const held = await askAdmin<HeldChange>(server, "PUT", "policies/e2e-urgent", on, { "if-match": `"${revision}"` });
  await open(page, `/admin/requests/${held.request.id}`);
  await page.getByRole("button", { name: "Apply now without review" }).click();
  const dialog = page.getByRole("dialog", { name: /without review/ });
  await expect(dialog.getByRole("button", { name: "Apply now without review" })).toBeDisabled();
  await dialog.getByLabel("Reason").fill("Orders are lost.");
  await dialog.getByRole("button", { name: "Apply now without review" }).click();
  const banner = page.getByRole("region", { name: "Changes without review" });
  await expect(banner).toContainText("Orders are lost.");
  await expect.poll(() => askAdmin(server, "GET", "policies/e2e-urgent")).toMatchObject({ active: true });
  await expect(page.getByText("Unless a second person confirms it, it is reverted.")).toBeVisible();
  await open(page, "/admin/tools");
  await expect(banner.getByRole("button", { name: /^Confirm/ })).toHaveCount(0);
  await banner.getByRole("button", { name: /^Revert now/ }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Revert now/ })
    .click();
  await expect(banner).toHaveCount(0);
  await expect.poll(() => askAdmin(server, "GET", "policies/e2e-urgent")).toMatchObject({ active: false });

  // The editor offers the same beside "Request review", after a sign-in in another tab that keeps what was typed.
  await context.addCookies([{ name: server.cookieName, value: server.earlierCookie, url: server.baseUrl }]);
  await open(page, "/admin/policies/e2e-urgent");
  await page.getByRole("switch", { name: "Active" }).click();
  await page.getByRole("button", { name: "Review and save…", exact: true }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("Orders are lost again.");
  await expect(page.getByRole("button", { name: "Apply now without review" })).toHaveCount(0);
  await expect(page.getByRole("dialog")).toContainText("because your sign-in is older than 10 minutes");
  const opened = context.waitForEvent("page");
  await page.getByRole("dialog").getByRole("link", { name: "Sign in again to apply now" }).click();
  const other = await opened;
  await hydrated(other);
  await other.getByLabel("E-mail").fill(server.adminEmail);
  await other.getByLabel("Password").fill(server.adminPassword);
  await other.getByRole("button", { name: "Sign in" }).click();
  await expect(other.getByRole("heading", { name: "You are signed in" })).toBeVisible();
  await other.close();
  // The tab that comes to the front reads the sign-in again; in this browser, no tab is ever behind another.
  await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
  await page.getByRole("dialog").getByRole("button", { name: "Apply now without review" }).click();
  await expect(page.getByText("Unless a second person confirms it, it is reverted.")).toBeVisible();
  await expect(banner).toContainText("Orders are lost again.");
  await context.addCookies([{ name: server.cookieName, value: server.cookies.editor, url: server.baseUrl }]);
  await open(page, "/admin/policies");
  await banner.getByRole("button", { name: /^Confirm/ }).click();
  await page
    .getByRole("dialog", { name: /^Confirm/ })
    .getByRole("button", { name: /^Confirm change/ })
    .click();
  await expect(banner).toHaveCount(0);
  expect(await askAdmin(server, "GET", "policies/e2e-urgent")).toMatchObject({ active: true });
});
