import { askAdmin, callAsBot } from "@/e2e/support/admin-api";
import { expect, open, test, type RemoveAfterwards } from "@/e2e/support/fixtures";
import type { ServerUnderTest } from "@/e2e/support/server";

// What imports guess about tools: confirmed and replaced with the keyboard, alone and together.

const SOURCE = "e2e-mail";

/** Imports three operations. */
async function importMail(server: ServerUnderTest, removeAfterwards: RemoveAfterwards): Promise<void> {
  const operation = (operationId: string, description: string) => ({ operationId, description });
  const document = {
    openapi: "3.1.0",
    info: { title: "Mail", version: "1" },
    servers: [{ url: "https://mail.example" }],
    paths: {
      "/mails": { get: operation("list_mails", "Lists mails."), post: operation("send_mail", "Sends a mail.") },
      "/folders": { get: operation("list_folders", "Lists folders.") },
    },
  };
  const tools = ["list_mails", "send_mail", "list_folders"].map((name) => `tools/${SOURCE}:${name}`);
  removeAfterwards(`sources/${SOURCE}`, ...tools);
  const { id } = await askAdmin<{ id: string }>(server, "POST", "imports", { source: SOURCE, document });
  await expect
    .poll(async () => (await askAdmin<{ status: string }>(server, "GET", `imports/${id}`)).status)
    .toBe("planned");
  await askAdmin(server, "POST", `imports/${id}/apply`, { operations: "all" });
}

test("a person confirms and replaces what an import guessed", async ({ admin, server, removeAfterwards }) => {
  await importMail(server, removeAfterwards);
  await open(admin, `/admin/flow-guesses?source=${SOURCE}`);
  const list = admin.getByRole("table");
  await expect(list).toContainText("raises private");
  await expect(list).toContainText("method POST");

  await open(admin, `/admin/tools/${SOURCE}:send_mail?tab=flow`);
  const guessed = admin.getByRole("group", { name: "Guessed flow" });
  await expect(guessed).toContainText("guessed from method POST");
  await guessed.getByRole("button", { name: "Confirm guess" }).click();
  await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
  await admin.getByRole("dialog").getByRole("button", { name: "Save changes" }).click();
  await expect(admin.getByText(`Saved tool ${SOURCE}:send_mail`)).toBeVisible();
  expect(await askAdmin(server, "GET", `tools/${SOURCE}:send_mail`)).toMatchObject({
    flow: { raises: ["untrusted"], is: ["outward"] },
    flowGuess: null,
  });

  // One row with the keyboard, then what is left in bulk.
  await open(admin, `/admin/flow-guesses?source=${SOURCE}&peek=${SOURCE}:list_folders`);
  const peek = admin.getByRole("dialog", { name: `${SOURCE}:list_folders`, exact: true });
  await expect(peek.getByRole("button", { name: "Confirm guess" })).toBeVisible();
  await admin.keyboard.press("a");
  await expect(admin.getByText(`Confirmed the flow of ${SOURCE}:list_folders`)).toBeVisible();

  await open(admin, `/admin/flow-guesses?source=${SOURCE}`);
  await admin.getByRole("checkbox", { name: `Select ${SOURCE}:list_mails` }).click();
  await admin.getByRole("button", { name: "Replace guess…" }).click();
  const dialog = admin.getByRole("dialog");
  // The dialog begins with the guess, to be corrected.
  await dialog.getByRole("button", { name: "Remove untrusted" }).click();
  await dialog.getByRole("button", { name: "Remove outward" }).click();
  await expect(dialog.getByRole("region", { name: "Past calls" })).toContainText(/calls? in 30 days/);
  await dialog.getByRole("button", { name: "Replace guess" }).click();
  await expect(admin.getByText(`Replaced the flow of ${SOURCE}:list_mails`)).toBeVisible();
  expect(await askAdmin(server, "GET", `tools/${SOURCE}:list_mails`)).toMatchObject({
    flow: { raises: ["private"], is: [] },
    flowGuess: null,
  });
});

test("an answer that comes late opens no panel that the person has closed", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  await importMail(server, removeAfterwards);
  let answer = () => {};
  const allowed = new Promise<void>((resolve) => (answer = resolve));
  await admin.route("**/api/admin/flow-guesses/answer", async (route) => {
    await allowed;
    await route.continue();
  });
  await open(admin, `/admin/flow-guesses?source=${SOURCE}&peek=${SOURCE}:list_folders`);
  const panel = admin.getByRole("dialog");
  await expect(panel.getByRole("button", { name: "Confirm guess" })).toBeVisible();
  await admin.keyboard.press("a");
  await expect(panel.getByRole("button", { name: "Confirm guess" })).toHaveAttribute("aria-busy", "true");
  await admin.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  answer();
  await expect(admin.getByText(`Confirmed the flow of ${SOURCE}:list_folders`)).toBeVisible();
  await expect(admin.getByRole("table")).not.toContainText("list_folders");
  expect(new URL(admin.url()).searchParams.has("peek")).toBe(false);
  await expect(panel).toHaveCount(0);
});

test.describe("while somebody else changes a tool", () => {
  // The browser notes the refusal.
  test.use({ expectedError: /status of 409/ });

  test("an open dialog answers only the guess that it shows", async ({ admin, server, removeAfterwards }) => {
    await importMail(server, removeAfterwards);
    await open(admin, `/admin/flow-guesses?source=${SOURCE}`);
    await admin.getByRole("checkbox", { name: `Select ${SOURCE}:list_mails` }).click();
    await admin.getByRole("button", { name: "Replace guess…" }).click();
    const dialog = admin.getByRole("dialog");
    await expect(dialog.getByRole("button", { name: "Remove outward" })).toBeVisible();
    const path = `tools/${SOURCE}:list_mails`;
    const { revision, createdAt: _c, updatedAt: _u, definitionHash: _h, ...tool } = await askAdmin(server, "GET", path);
    const flow = { raises: ["private"], is: [] };
    await askAdmin(server, "PUT", path, { ...tool, flow }, { "if-match": `"${String(revision)}"` });
    // The list reads the changed tool when the person comes back to the window.
    const refetched = admin.waitForResponse(/flow-guesses\?.*source=/);
    await admin.clock.setFixedTime(Date.now() + 11_000);
    await admin.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
    await refetched;
    await dialog.getByRole("button", { name: "Replace guess" }).click();
    await expect(dialog).toContainText(`The tool ${SOURCE}:list_mails has changed since you saw it.`);
    expect(await askAdmin(server, "GET", path)).toMatchObject({ flow, flowGuess: [{}, {}, {}] });
  });
});

test("tools of an older import get a guess after their effect is shown, and it can be undone", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  await importMail(server, removeAfterwards);
  const paths = ["list_mails", "send_mail"].map((name) => `tools/${SOURCE}:${name}`);
  for (const path of paths) {
    const { revision, createdAt: _c, updatedAt: _u, definitionHash: _h, ...tool } = await askAdmin(server, "GET", path);
    await askAdmin(server, "PUT", path, { ...tool, flowGuess: null }, { "if-match": `"${String(revision)}"` });
  }
  await open(admin, "/admin/flow-guesses");
  await admin.getByRole("button", { name: "Guess flow of 2 tools…" }).click();
  const dialog = admin.getByRole("dialog");
  await expect(dialog).toContainText("2 tools will get a guess");
  await expect(dialog.getByRole("list", { name: "Changes" })).toContainText(
    "raises private, raises untrusted, outward",
  );
  await expect(dialog.getByRole("region", { name: "Impact" })).toBeVisible();
  await expect(dialog.getByRole("region", { name: "Past calls" })).toContainText(/No calls|Would have stopped/);
  await dialog.getByRole("button", { name: "Change 2 tools" }).click();
  await expect(admin.getByRole("table")).toContainText(`${SOURCE}:send_mail`);
  await expect(admin.getByRole("button", { name: /^Guess flow of/ })).toHaveCount(0);
  await admin.getByRole("button", { name: "Undo" }).click();
  await expect(admin.getByRole("button", { name: "Guess flow of 2 tools…" })).toBeVisible();
});

test("an open triangle names its tools, and its smallest rule closes it", async ({
  admin,
  afterwards,
  removeAfterwards,
  server,
}) => {
  const path = "tools/support:search_knowledge";
  const { revision, createdAt: _c, updatedAt: _u, definitionHash: _h, ...tool } = await askAdmin(server, "GET", path);
  afterwards(async () => {
    const now = await askAdmin<{ revision: number }>(server, "GET", path);
    await askAdmin(server, "PUT", path, tool, { "if-match": `"${now.revision}"` });
  });
  const flow = { raises: ["untrusted"], is: ["outward"] };
  await askAdmin(server, "PUT", path, { ...tool, flow }, { "if-match": `"${String(revision)}"` });

  // A call that the smallest rule would have stopped: after private data and untrusted text.
  for (const name of ["lookup_customer", "search_knowledge", "search_knowledge"])
    expect(await callAsBot(server, { tool_id: `support:${name}`, arguments: { query: "refund" } })).toMatchObject({
      status: "succeeded",
    });

  await open(admin, "/admin/trifecta");
  const bot = admin.getByRole("link", { name: "support-bot", exact: true });
  const row = admin.getByRole("row").filter({ has: bot });
  await expect(row).toContainText("open");
  await expect(row).toContainText("support:search_knowledge");
  // The replay runs in the background.
  await expect(row).toContainText(/Would have stopped [\d,]+ of [\d,]+ calls in 30 days/);
  await row.getByRole("button", { name: "Draft rule for support-bot" }).click();
  await expect(admin.getByLabel("Tool", { exact: true })).toHaveValue("support:search_knowledge");
  const past = admin.getByRole("region", { name: "Past calls" });
  await expect(past).toContainText(/Would have stopped [\d,]+ of [\d,]+ calls in 30 days/);
  const stopped = past.getByRole("listitem").filter({ hasText: "private by support:lookup_customer" });
  await expect(stopped.first().getByRole("link", { name: "support:search_knowledge" }).first()).toHaveAttribute(
    "href",
    /\/admin\/executions\/call_/,
  );
  const rulePath = "flows/trifecta-support-search-knowledge";
  removeAfterwards(rulePath);
  await admin.getByRole("button", { name: "Create flow rule" }).click();
  await expect(admin.getByText("Created flow rule trifecta-support-search-knowledge")).toBeVisible();
  const { revision: drafted, createdAt: _rc, updatedAt: _ru, ...rule } = await askAdmin(server, "GET", rulePath);
  expect(rule).toMatchObject({ active: true, mode: "observe" });
  await askAdmin(server, "PUT", rulePath, { ...rule, mode: "enforce" }, { "if-match": `"${String(drafted)}"` });

  await open(admin, "/admin/trifecta");
  await expect(row).not.toContainText("open");
});
