import { askAdmin } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";
import type { ServerUnderTest } from "@/e2e/support/server";
import type { HeldChange } from "@/lib/contracts/changes/request";
import type { SettingsInput } from "@/lib/resources/settings";
import { command } from "@/test/support/command";

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
  });
  const call = { tool_id: TOOL, arguments: {} };
  const refused = await asAgent<{ error: { code: string } }>(server, key, "POST", "tools/call", call);
  expect(refused.error.code).toBe("access_requestable");
  await asAgent(server, key, "POST", "access-requests", {
    tool_id: TOOL,
    hours: 4,
    reason: "The report needs the time.",
  });

  await open(admin, "/admin/requests?kind=access");
  const inbox = admin.getByRole("navigation", { name: "Inbox" });
  await expect(inbox.getByRole("link", { name: "Access" })).toHaveAttribute("aria-current", "page");
  const row = admin.getByRole("row", { name: /builtin:current_date_time for 4 h/ });
  await expect(row).toContainText("The report needs the time.");
  await row.click();
  await admin.getByRole("button", { name: "Grant access" }).click();
  const dialog = admin.getByRole("dialog", { name: "Grant access" });
  await dialog.getByLabel("Hours").fill("5");
  await expect(dialog).toContainText("Enter 1 to 4 hours");
  await dialog.getByLabel("Hours").fill("1");
  await dialog.getByRole("button", { name: "Grant access" }).click();
  await expect(admin.getByText("Granted for 1 h")).toBeVisible();
  const ran = await asAgent<{ status: string }>(server, key, "POST", "tools/call", call);
  expect(ran.status).toBe("succeeded");

  await admin.getByRole("button", { name: "End access" }).click();
  await admin.getByRole("dialog", { name: "End access" }).getByRole("button", { name: "End access" }).click();
  await expect(admin.getByText("Ended", { exact: true })).toBeVisible();
  const ended = await asAgent<{ error: { code: string } }>(server, key, "POST", "tools/call", call);
  expect(ended.error.code).toBe("access_requestable");
  await admin.getByRole("link", { name: "Every call under this grant" }).click();
  await expect(admin.locator("[data-row]")).toHaveCount(1);
});

test("a widening waits, and another person sees its witness and approves it by key", async ({ editor, server }) => {
  const { version, ...settings } = await askAdmin<SettingsInput & { version: number }>(server, "GET", "settings");
  const reviewed = { ...settings, review: { changes: "widening" } };
  await askAdmin(server, "PUT", "settings", reviewed, { "if-match": `"${version}"` });
  try {
    const policy = { name: "everybody-reads", everyone: true, groups: ["*"] };
    const { request } = await askAdmin<HeldChange>(server, "POST", "policies", policy);
    await open(editor, "/admin/requests?kind=change");
    await expect(editor.getByRole("row", { name: /everybody-reads/ })).toContainText("open");
    await open(editor, `/admin/requests/${request.id}`);
    await expect(editor.getByRole("region", { name: "Effect" })).toContainText("would see");
    await expect(editor.getByRole("region", { name: "Changes" })).toContainText("everybody-reads");
    await editor.keyboard.press("a");
    await editor
      .getByRole("dialog", { name: /^Approve/ })
      .getByLabel("Reason")
      .fill("Agreed.");
    await editor.keyboard.press("Control+Enter");
    await expect(editor.getByText("applied")).toBeVisible();
    await askAdmin(server, "DELETE", "policies/everybody-reads");
  } finally {
    // The person who switched reviews on cannot approve that they are switched off.
    await command(["review", "off"], { DATABASE_URL: server.databaseUrl });
  }
});
