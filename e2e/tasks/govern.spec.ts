import { createServer, type Server } from "node:http";
import { askAdmin, callAsBot } from "@/e2e/support/admin-api";
import { countClicks } from "@/e2e/support/clicks";
import { expect, open, test } from "@/e2e/support/fixtures";
import { startMcpServer } from "@/test/support/servers/mcp-server";

// What people do to connect tools and write rules, each with the most clicks that it may take.

const reads = ["list-boats", "get-boat", "list-crews", "get-crew", "list-docks"];
const writes = ["create-boat", "update-boat", "delete-boat"];

/** Serves an OpenAPI document of five reading and three writing operations. */
function serveHarbour(port: number): Promise<Server> {
  const operation = (operationId: string) => ({ operationId, responses: { 200: { description: "Done." } } });
  const paths = Object.fromEntries([
    ...reads.map((id) => [`/${id}`, { get: operation(id) }]),
    ...writes.map((id) => [`/${id}`, { post: operation(id) }]),
  ]);
  const document = { openapi: "3.1.0", info: { title: "Harbour", version: "1" }, paths };
  const server = createServer((_, response) =>
    response.setHeader("content-type", "application/json").end(JSON.stringify(document)),
  );
  return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(server)));
}

test("5 of 8 operations are imported in 6 clicks, and none with side effects is selected", async ({
  admin,
  server,
}) => {
  const harbour = await serveHarbour(server.upstreamPort);
  try {
    const clicks = await countClicks(admin);
    let count = (): void => {};
    const counted = new Promise<void>((resolve) => (count = resolve));
    await admin.route("**/api/admin/imports/*/callers", async (route) => {
      await counted;
      await route.continue();
    });
    await open(admin, "/admin/sources");
    await admin.getByRole("button", { name: "Import OpenAPI" }).click();
    const dialog = admin.getByRole("dialog", { name: "Import an OpenAPI document" });
    await dialog.getByLabel("Name", { exact: true }).fill("e2e-harbour");
    // A name that fits no source opens no list over the fields below.
    await expect(admin.getByRole("option")).toHaveCount(0);
    await dialog.getByLabel("Name", { exact: true }).press("Enter");
    await dialog.getByLabel("URL", { exact: true }).fill(`http://127.0.0.1:${server.upstreamPort}/openapi.json`);
    await dialog.getByRole("button", { name: "Read document" }).click();
    await expect(dialog.getByText("e2e-harbour, which calls itself Harbour · 8 new", { exact: true })).toBeVisible();
    for (const id of writes)
      await expect(dialog.getByRole("checkbox", { name: `e2e-harbour:${id}` })).not.toBeChecked();
    // Nobody imports before the callers that would see the tools are counted.
    await expect(dialog.getByRole("button", { name: "Import 5 operations · counting callers…" })).toBeDisabled();
    count();
    await dialog.getByRole("button", { name: "Import 5 operations · visible to no caller yet" }).click();
    await expect(dialog).toBeHidden();
    expect(await clicks()).toBeLessThanOrEqual(6);
    expect(await askAdmin(server, "GET", "tools?source=e2e-harbour")).toMatchObject({ total: 5 });
  } finally {
    harbour.closeAllConnections();
    harbour.close();
  }
});

test("an MCP server with two tools is connected in 9 clicks, and its tools begin a new group", async ({
  admin,
  server,
}) => {
  const dockyard = await startMcpServer(server.upstreamPort);
  dockyard.tools = {
    list_ships: { description: "Lists the ships in the yard.", annotations: { readOnlyHint: true } },
    launch_ship: { description: "Launches a ship." },
  };
  try {
    const clicks = await countClicks(admin);
    await open(admin, "/admin/sources");
    await admin.getByRole("button", { name: "Connect MCP server" }).click();
    const dialog = admin.getByRole("dialog", { name: "Connect an MCP server" });
    await dialog.getByLabel("Name", { exact: true }).fill("e2e-dockyard");
    await dialog.getByLabel("URL", { exact: true }).fill(dockyard.url);
    await dialog.getByRole("button", { name: "Connect and list tools" }).click();
    await dialog.getByRole("checkbox", { name: "e2e-dockyard:launch_ship" }).click();
    await dialog.getByLabel("Add to groups").fill("e2e-yard");
    await dialog.getByLabel("Add to groups").press("Enter");
    await expect(dialog.getByText("The import creates e2e-yard. A new group is granted to nobody")).toBeVisible();
    await dialog.getByRole("button", { name: /^Import 2 / }).click();
    await expect(dialog).toBeHidden();
    expect(await clicks()).toBeLessThanOrEqual(9);
    const tools = await askAdmin<{ items: { groups: string[] }[] }>(server, "GET", "tools?source=e2e-dockyard");
    expect(tools.items.map(({ groups }) => groups)).toEqual([["e2e-yard"], ["e2e-yard"]]);
    expect(await askAdmin(server, "GET", "groups/e2e-yard")).toMatchObject({ name: "e2e-yard", active: true });
  } finally {
    await dockyard.close();
  }
});

test("an MCP server that did not answer is listed again from the same dialog", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  removeAfterwards("sources/e2e-late");
  await open(admin, "/admin/sources");
  await admin.getByRole("button", { name: "Connect MCP server" }).click();
  const dialog = admin.getByRole("dialog", { name: "Connect an MCP server" });
  await dialog.getByLabel("Name", { exact: true }).fill("e2e-late");
  await dialog.getByLabel("URL", { exact: true }).fill(`http://127.0.0.1:${server.upstreamPort}/mcp`);
  await dialog.getByRole("button", { name: "Connect and list tools" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Could not read the source");
  await expect(dialog.getByRole("button", { name: "Go to the source" })).toBeVisible();
  // The form keeps what was typed. Connecting again saves its changes to the same source.
  await dialog.getByRole("button", { name: "Change settings" }).click();
  await expect(dialog.getByLabel("Name", { exact: true })).toBeDisabled();
  await dialog.getByLabel("URL", { exact: true }).fill(`http://127.0.0.1:${server.upstreamPort}/mcp?changed`);
  await dialog.getByRole("button", { name: "Connect and list tools" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Could not read the source");
  expect(await askAdmin(server, "GET", "sources/e2e-late")).toMatchObject({ url: expect.stringMatching(/changed$/) });
  const late = await startMcpServer(server.upstreamPort);
  late.tools = { list_ships: { description: "Lists the ships.", annotations: { readOnlyHint: true } } };
  try {
    await dialog.getByRole("button", { name: "Try again" }).click();
    await expect(dialog.getByRole("checkbox", { name: "e2e-late:list_ships" })).toBeChecked();
  } finally {
    await late.close();
  }
});

test.describe("when the server cannot be reached", () => {
  // The browser notes the request that fails.
  test.use({ expectedError: /net::ERR_FAILED/ });

  test("the tools of an MCP server whose source is saved are read again, without a second source", async ({
    admin,
    server,
    removeAfterwards,
  }) => {
    removeAfterwards("sources/e2e-halfway");
    await open(admin, "/admin/sources");
    await admin.route("**/api/admin/imports", (route) => route.abort(), { times: 1 });
    await admin.getByRole("button", { name: "Connect MCP server" }).click();
    const dialog = admin.getByRole("dialog", { name: "Connect an MCP server" });
    await dialog.getByLabel("Name", { exact: true }).fill("e2e-halfway");
    await dialog.getByLabel("URL", { exact: true }).fill(`http://127.0.0.1:${server.upstreamPort}/mcp`);
    await dialog.getByRole("button", { name: "Connect and list tools" }).click();
    await expect(dialog.getByRole("alert")).toContainText("The source is saved, but its tools could not be read");
    await dialog.getByRole("button", { name: "Try again" }).click();
    // The import began, and found no server.
    await expect(dialog.getByRole("alert")).toContainText("Could not read the source");
    await admin.keyboard.press("Escape");
    await expect(admin.getByRole("row", { name: /e2e-halfway/ })).toBeVisible();
  });
});

test("a group of a source's read-only tools is created in 6 clicks", async ({ admin, removeAfterwards }) => {
  removeAfterwards("groups/e2e-lookers");
  const clicks = await countClicks(admin);
  await open(admin, "/admin/groups");
  await expect(admin.getByRole("list", { name: "Built-in groups" })).toContainText("granted by 1 policy");
  await admin.getByRole("link", { name: "New tool group" }).click();
  await admin.getByLabel("Name", { exact: true }).fill("e2e-lookers");
  await admin.getByRole("button", { name: "Add selector" }).click();
  const selector = admin.getByRole("listitem", { name: "Selector 1" });
  // A part of the name, so that the choice and not the typed text is taken.
  await selector.getByLabel("Source").fill("supp");
  await admin.getByRole("option", { name: "support" }).click();
  await selector.getByLabel("Read-only").click();
  await admin.getByRole("option", { name: "Yes" }).click();
  const members = admin.getByRole("list", { name: "Members" });
  await expect(members).toContainText("support:get_order");
  await expect(members).not.toContainText("support:refund_order");
  await admin.getByRole("button", { name: "Create tool group" }).click();
  await expect(admin.getByText("Created tool group e2e-lookers")).toBeVisible();
  expect(await clicks()).toBeLessThanOrEqual(6);
});

test("a negative condition says what happens to callers without the claim", async ({ admin }) => {
  await open(admin, "/admin/policies/new");
  await admin.getByRole("button", { name: "Add condition" }).click();
  const condition = admin.getByRole("listitem", { name: "Condition 1" });
  await condition.getByLabel("Claim path").fill("employment");
  await admin.getByRole("option", { name: /^employment/ }).click();
  await condition.getByRole("combobox", { name: "Operator" }).click();
  await admin.getByRole("option", { name: /^does not equal/ }).click();
  await expect(condition).toContainText("Callers without this claim do not match");
  await admin.getByRole("radiogroup", { name: "Effect" }).getByText("Deny").click();
  await expect(condition).toContainText("Also matches callers without this claim");
});

test("a deny says what it withholds while it is written, and is saved in 14 clicks", async ({
  admin,
  removeAfterwards,
}) => {
  removeAfterwards("policies/e2e-no-refunds");
  const clicks = await countClicks(admin);
  await open(admin, "/admin/policies");
  await admin.getByRole("link", { name: "New access policy" }).click();
  await admin.getByLabel("Name", { exact: true }).fill("e2e-no-refunds");
  await admin.getByRole("radiogroup", { name: "Effect" }).getByText("Deny").click();
  await admin.getByRole("button", { name: "Add condition" }).click();
  const condition = admin.getByRole("listitem", { name: "Condition 1" });
  await condition.getByLabel("Claim path").fill("employment");
  await admin.getByRole("option", { name: /^employment/ }).click();
  await expect(condition.getByRole("combobox", { name: "Operator" })).toHaveText("equals");
  await condition.getByRole("combobox", { name: "Operator" }).click();
  await expect(admin.getByRole("group", { name: "Common" }).getByRole("option").first()).toHaveText(/^equals/);
  await admin.getByRole("option", { name: /^equals/ }).click();
  await condition.getByLabel("Value").fill("intern");
  await admin.getByLabel("Groups").fill("refunds");
  await admin.getByRole("option", { name: /^refunds/ }).click();
  // Beside the form, so that it does not move the fields.
  const aside = admin.getByRole("complementary", { name: "Side panel" });
  const sentence = aside.getByRole("status", { name: "What this policy does" });
  await expect(sentence).toContainText(
    "Withholds every tool of refunds from callers whose employment equals intern, even if another group or policy grants it.",
  );
  await expect(sentence).toContainText("support:refund_order");
  await admin.getByRole("button", { name: "Create access policy" }).click();
  await expect(admin.getByText("Created access policy e2e-no-refunds")).toBeVisible();
  expect(await clicks()).toBeLessThanOrEqual(14);
});

test("the page of an agent without tools drafts the policy of this agent", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  removeAfterwards("agents/e2e-newcomer", "policies/e2e-newcomer-tools");
  await askAdmin(server, "POST", "agents", { name: "e2e-newcomer" });
  await open(admin, "/admin/agents/e2e-newcomer");
  await admin.getByRole("button", { name: "New access policy for e2e-newcomer" }).click();
  await expect(admin.getByLabel("Name", { exact: true })).toHaveValue("e2e-newcomer-tools");
  await expect(admin.getByRole("listitem", { name: "Condition 2" }).getByLabel("Value")).toHaveValue("e2e-newcomer");
  await admin.getByLabel("Groups").fill("support-read");
  await admin.getByRole("option", { name: /^support-read/ }).click();
  await admin.getByRole("button", { name: "Create access policy" }).click();
  await expect(admin.getByText("Created access policy e2e-newcomer-tools")).toBeVisible();
  await open(admin, "/admin/agents/e2e-newcomer");
  await expect(admin.getByRole("region", { name: "Tools it sees" })).toContainText("support:get_order");
});

test("the header of an agent that has called leads to the code that connects it, from any tab", async ({
  admin,
  server,
}) => {
  const call = { tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } };
  await callAsBot(server, call);
  await admin.setViewportSize({ width: 1440, height: 600 });
  await open(admin, "/admin/agents/support-bot?tab=settings");
  await admin.getByRole("link", { name: "Connect", exact: true }).click();
  const connect = admin.getByRole("region", { name: "Connect" });
  await expect(connect.getByRole("radiogroup", { name: "Client" })).toBeInViewport();
  await expect(admin).not.toHaveURL(/#/);
});

test("a machine of two states is drawn in 13 clicks, and a click after a rename is not lost", async ({
  admin,
  removeAfterwards,
}) => {
  removeAfterwards("machines/e2e-two");
  const clicks = await countClicks(admin);
  await open(admin, "/admin/machines");
  await admin.getByRole("link", { name: "New state machine" }).click();
  await admin.getByLabel("Name", { exact: true }).fill("e2e-two");
  await admin.getByRole("button", { name: "Add state" }).first().click();
  const selected = admin.getByRole("region", { name: "Selected: state" });
  await selected.getByLabel("Name of the selected state").fill("done");
  await selected.getByRole("checkbox", { name: "Terminal state" }).click();
  const states = admin.getByRole("table", { name: "States" });
  await expect(states.getByRole("checkbox", { name: "A run ends in state done" })).toBeChecked();
  await admin.getByRole("group", { name: /^State start\b/ }).click();
  await selected.getByRole("button", { name: "Add transition" }).click();
  await admin.getByRole("dialog").getByRole("combobox", { name: "Find a tool" }).fill("add_note");
  await admin.getByRole("option", { name: /^support:add_note/ }).click();
  await expect(states.getByRole("list", { name: "Tools in state start" })).toContainText("support:add_note");
  await admin.getByRole("button", { name: "Create state machine" }).click();
  await expect(admin.getByText("Created state machine e2e-two")).toBeVisible();
  expect(await clicks()).toBeLessThanOrEqual(13);
});

test("a tool is limited in 4 clicks", async ({ admin, server }) => {
  const path = "tools/support%3Aadd_note";
  const { limits } = await askAdmin<{ limits: object }>(server, "GET", path);
  expect(limits).toMatchObject({ rate: null });
  const clicks = await countClicks(admin);
  await open(admin, `/admin/${path}`);
  await admin.getByRole("tab", { name: "Limits" }).click();
  await admin.getByRole("group", { name: "All callers together" }).getByRole("switch").click();
  await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
  await admin.getByRole("dialog").getByRole("button", { name: "Save changes" }).click();
  await expect(admin.getByText("Saved tool support:add_note")).toBeVisible();
  expect(await clicks()).toBeLessThanOrEqual(4);
  expect(await askAdmin(server, "GET", path)).toMatchObject({ limits: { rate: { points: 60, seconds: 60 } } });
});
