import { SignJWT } from "jose";
import { askAdmin, callAsBot } from "@/e2e/support/admin-api";
import { expect, open, test, type RemoveAfterwards } from "@/e2e/support/fixtures";
import type { ServerUnderTest } from "@/e2e/support/server";
import type { Locator, Page } from "@playwright/test";

// Preview as agent with the demo: visible tools, reasons for hidden ones, and the changes that would show them.

const FIRST_LINE = { team: "support", employment: "staff", roles: ["refunds"] };

test("a persona's tools, and why the others are hidden", async ({ admin }) => {
  await open(admin, "/admin/preview");
  await choose(admin, "Caller", "A persona");
  // No answer of the caller before stays on the page.
  await expect(admin.getByText("Choose a caller", { exact: true })).toBeVisible();
  await admin.getByLabel("Persona").fill("contractor");
  await admin.getByRole("option", { name: /contractor/ }).click();
  await expect(visible(admin).filter({ hasText: "support:get_order" })).toBeVisible();
  await expect(visible(admin).filter({ hasText: "support:refund_order" })).toHaveCount(0);
  await admin.getByRole("tab", { name: /Hidden/ }).click();
  // A list shows only rows in view, and other journeys may have imported tools.
  await admin.getByLabel("Filter tools").fill("refund_order");
  await hidden(admin).filter({ hasText: "refund_order" }).click();
  const explanation = admin.getByRole("complementary", { name: "Explanation" });
  await expect(explanation.getByText("Refused by a policy")).toBeVisible();
  await expect(explanation.getByRole("link", { name: "policy contractors-move-no-money" }).first()).toHaveAttribute(
    "href",
    "/admin/policies/contractors-move-no-money",
  );
});

test("hidden characters in a tool's name are removed for agents, and shown as codes on the tool's page", async ({
  admin,
  afterwards,
  server,
}) => {
  const id = "tools/support%3Aget_order";
  const setDisplayName = async (displayName: string | null) => {
    const stored = await askAdmin(server, "GET", id);
    const { definitionHash: _hash, revision, createdAt: _created, updatedAt: _updated, ...tool } = stored;
    await askAdmin(server, "PUT", id, { ...tool, displayName }, { "if-match": `"${String(revision)}"` });
  };
  afterwards(() => setDisplayName(null));
  await setDisplayName("Read an \u202Eredro");
  await open(admin, "/admin/preview?persona=first-line");
  await expect(visible(admin).filter({ hasText: "support:get_order" })).toContainText("Read an redro");
  await open(admin, "/admin/tools/support%3Aget_order");
  await expect(admin.getByText("With its hidden characters:")).toContainText("Read an U+202E");
});

test("a persona becomes free claims to vary, as JSON and as a table", async ({ admin }) => {
  await open(admin, "/admin/preview?persona=first-line");
  await expect(visible(admin).filter({ hasText: "support:refund_order" })).toBeVisible();
  await choose(admin, "Caller", "Claims");
  await expect(admin.getByLabel("Claims")).toHaveValue(/"team": "support"/);
  await admin.getByRole("button", { name: "As a table" }).click();
  await admin.getByLabel("Value of team").fill("sales");
  await expect(admin.getByText("This caller sees no tools")).toBeVisible();
  await admin.getByRole("button", { name: "As JSON" }).click();
  await expect(admin.getByLabel("Claims")).toHaveValue(/"team": "sales"/);
  await admin.getByLabel("Claims").fill("{ nonsense");
  await expect(admin.getByLabel("Claims")).toHaveAttribute("aria-invalid", "true");
});

test("the claims of a caller are copied only when its answer has arrived", async ({ admin }) => {
  await open(admin, "/admin/preview?persona=first-line");
  await expect(visible(admin).filter({ hasText: "support:refund_order" })).toBeVisible();
  let answer = () => {};
  const held = new Promise<void>((done) => (answer = done));
  await admin.route("**/api/admin/preview", async (route) => {
    await held;
    await route.continue();
  });
  await admin.getByLabel("Persona").fill("contractor");
  await admin.getByRole("option", { name: /contractor/ }).click();
  const copy = admin.getByRole("button", { name: "Change these inputs" });
  await expect(copy).toBeDisabled();
  answer();
  await copy.click();
  await expect(admin.getByLabel("Claims")).toHaveValue(/"employment": "contractor"/);
});

test("claims of policies are offered, and add to those that are there", async ({ admin }) => {
  await open(admin, "/admin/preview");
  const examples = admin.getByRole("group", { name: "Examples" });
  await examples.getByRole("button", { name: "team: support", exact: true }).click();
  await expect(admin.getByLabel("Claims")).toHaveValue(/"team": "support"/);
  await expect(visible(admin).filter({ hasText: "support:get_order" })).toBeVisible();
  await expect(examples.getByRole("button", { name: "team: support", exact: true })).toHaveCount(0);
  await examples.getByRole("button", { name: "roles: supervisor", exact: true }).click();
  await expect(admin.getByLabel("Claims")).toHaveValue(/"team": "support",\s+"roles": "supervisor"/);
});

test("inputs that few previews need are under More, which a link to one of them opens", async ({ admin }) => {
  const profile = admin.getByLabel("Profile", { exact: true });
  await open(admin, "/admin/preview?persona=first-line");
  await expect(admin.getByLabel("Requested groups")).toBeVisible();
  await expect(profile).toBeHidden();
  await admin.getByText("More", { exact: true }).click();
  await expect(profile).toBeVisible();
  await open(admin, "/admin/preview?persona=first-line&profile=scheduled");
  await expect(profile).toHaveValue("scheduled");
  await expect(profile).toBeVisible();
});

test("the claims of a persona are rows, or JSON", async ({ admin, server, removeAfterwards }) => {
  removeAfterwards("personas/e2e-rows");
  await open(admin, "/admin/personas/new");
  await admin.getByLabel("Name", { exact: true }).fill("e2e-rows");
  await admin.getByRole("button", { name: "Add a claim" }).click();
  await admin.getByLabel("Claim 1").fill("team");
  await admin.getByLabel("Value of team").fill("support");
  await admin.getByRole("button", { name: "As JSON" }).click();
  const json = admin.getByLabel("Claims", { exact: true });
  await expect(json).toHaveValue(/"team": "support"/);
  await json.fill("{ nonsense");
  await expect(admin.getByRole("button", { name: "As a table" })).toBeDisabled();
  await json.fill('{ "team": "support", "level": 2 }');
  await admin.getByRole("button", { name: "As a table" }).click();
  await expect(admin.getByLabel("Value of level")).toHaveValue("2");
  await admin.getByRole("button", { name: "Create persona" }).click();
  await expect(admin).toHaveURL(/personas\/e2e-rows$/);
  expect(await askAdmin(server, "GET", "personas/e2e-rows")).toMatchObject({
    sampleClaims: { team: "support", level: 2 },
  });
});

test("a pasted token is decoded in the browser and never leaves it", async ({ admin }) => {
  const token = await new SignJWT(FIRST_LINE)
    .setProtectedHeader({ alg: "HS256" })
    .sign(new TextEncoder().encode("some key that nobody here knows, long enough"));
  const sent: string[] = [];
  admin.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
  await open(admin, "/admin/preview");
  await admin.getByRole("button", { name: "Paste a JWT" }).click();
  const dialog = admin.getByRole("dialog", { name: "Paste a JWT" });
  await dialog.getByLabel("Token").fill("not.a token");
  await expect(dialog.getByRole("button", { name: "Use its claims" })).toBeDisabled();
  await dialog.getByLabel("Token").fill(token);
  await dialog.getByRole("button", { name: "Use its claims" }).click();
  await expect(visible(admin).filter({ hasText: "support:refund_order" })).toBeVisible();
  expect(sent.some((text) => text.includes('"team":"support"'))).toBe(true);
  const [, , signature = ""] = token.split(".");
  expect(sent.filter((text) => text.includes(signature))).toEqual([]);
  expect(admin.url()).not.toContain("support");
});

test("an absent group parameter, the default and a list of groups give different tools", async ({ admin }) => {
  await open(admin, "/admin/preview?persona=first-line");
  await expect(visible(admin).filter({ hasText: "support:add_note" })).toBeVisible();
  await choose(admin, "Requested groups", "Default request");
  await expect(visible(admin).filter({ hasText: "support:add_note" })).toHaveCount(0);
  await expect(visible(admin).filter({ hasText: "builtin:calculate" })).toBeVisible();
  await choose(admin, "Requested groups", "Selected");
  await expect(admin.getByText("This caller sees no tools")).toBeVisible();
  await admin.getByLabel("Groups", { exact: true }).fill("tickets");
  await admin.getByRole("option", { name: /^tickets/ }).click();
  await expect(visible(admin).filter({ hasText: "support:add_note" })).toBeVisible();
  await expect(visible(admin).filter({ hasText: "builtin:calculate" })).toHaveCount(0);
});

test("a hidden tool shows the smallest change that would reveal it, linked to its rule", async ({ admin }) => {
  await open(admin, "/admin/preview?persona=first-line&machine=ticket-desk&tab=hidden&tool=support%3Aclose_ticket");
  const explanation = admin.getByRole("complementary", { name: "Explanation" });
  await expect(explanation.getByText("state_mismatch")).toBeVisible();
  await expect(explanation.getByRole("heading", { name: /Smallest change/ })).toBeVisible();
  await expect(explanation.getByRole("link", { name: "machine ticket-desk" }).first()).toBeVisible();
});

test("a tool that the state hides names the call that leads to a state that allows it", async ({ admin, server }) => {
  const way = admin.getByRole("region", { name: "Way to an allowed state" });
  const investigates = "Call support:lookup_customer to get to investigating, where this tool is allowed.";
  await open(admin, "/admin/preview?persona=first-line&machine=ticket-desk&tab=hidden&tool=support%3Aclose_ticket");
  await expect(way).toContainText(investigates);
  await expect(way).toContainText("Use one session for all calls, because the server keeps the state of this caller.");
  await expect(way.getByRole("link", { name: "support:lookup_customer" })).toHaveAttribute(
    "href",
    "/admin/tools/support%3Alookup_customer",
  );
  await expect(way.getByRole("link", { name: "machine ticket-desk" })).toHaveAttribute(
    "href",
    "/admin/machines/ticket-desk",
  );
  await admin.getByLabel("State", { exact: true }).fill("resolved");
  await admin.getByRole("option", { name: "resolved" }).first().click();
  await expect(way).toContainText("No call leads from resolved to a state that allows this tool.");

  const { call_id: id } = await callAsBot<{ call_id: string }>(server, {
    tool_id: "support:close_ticket",
    arguments: { ticket_id: "T-1" },
  });
  await open(admin, `/admin/executions/${id}`);
  await expect(admin.getByRole("complementary", { name: "Decision" })).toContainText(investigates);
});

test("the URL holds the view, and the claims stay in the tab", async ({ admin }) => {
  await open(admin, "/admin/preview?persona=supervisor&machine=ticket-desk");
  await admin.getByLabel("State", { exact: true }).fill("investigating");
  await admin.getByRole("option", { name: "investigating" }).first().click();
  await visible(admin).filter({ hasText: "support:refund_order" }).click();
  await expect(admin).toHaveURL(/tool=support(%3A|:)refund_order/);
  await admin.reload();
  const explanation = admin.getByRole("complementary", { name: "Explanation" });
  await expect(explanation.getByRole("heading", { name: "support:refund_order" })).toBeVisible();
  await expect(admin.getByText("ticket-desk: investigating")).toBeVisible();
});

test("going back restores the claims of that time, also after others were typed", async ({ admin }) => {
  await open(admin, "/admin/preview?persona=first-line");
  await choose(admin, "Caller", "Claims");
  const claims = admin.getByLabel("Claims", { exact: true });
  await claims.fill('{"team": "support"}');
  await expect(visible(admin).filter({ hasText: "support:add_note" })).toBeVisible();
  await choose(admin, "Requested groups", "Default request");
  await claims.fill('{"team": "sales"}');
  await expect(admin).toHaveURL(/request=default/);
  // The address follows the typed claims a moment later, and before their answer.
  await expect(admin.getByText("This caller sees no tools")).toBeVisible();
  await admin.goBack();
  await expect(claims).toHaveValue('{"team": "support"}');
  await expect(visible(admin).filter({ hasText: "support:add_note" })).toBeVisible();
  await claims.fill('{"team": "legal"}');
  await expect(admin.getByText("This caller sees no tools")).toBeVisible();
  await admin.goForward();
  await expect(claims).toHaveValue('{"team": "sales"}');
  await admin.goBack();
  await expect(claims).toHaveValue('{"team": "legal"}');
});

test("of more than 500 agents, labels or intents, the server finds the one that is typed", async ({
  admin,
  afterwards,
  server,
}) => {
  const { revision: _revision, ...before } = await askAdmin(server, "GET", "config");
  afterwards(() => askAdmin(server, "PUT", "config", before));
  const agents = Array.from({ length: 501 }, (_, at) => ({ name: `a-${at}` }));
  agents.push({ name: "z-late" });
  const labels = [...agents.map(({ name }) => `l-${name}`), "z-label"].map((name) => ({ name, scope: "run" }));
  const intents = [...agents.map(({ name }) => `i-${name}`), "z-intent"].map((name) => ({ name, groups: [] }));
  await askAdmin(server, "PUT", "config?mode=merge", { apiVersion: "quartermaster/v1", agents, labels, intents });
  const pick = async (address: string, first: string) => {
    await open(admin, address);
    const field = admin.getByRole("combobox", { name: "Agent", exact: true });
    await expect(field).toHaveValue(first);
    await field.fill("support-");
    await admin.getByRole("option", { name: /^support-bot/ }).click();
    await expect(field).toHaveValue("support-bot");
  };
  await pick("/admin/preview?agent=a-7", "a-7");
  await expect(admin).toHaveURL(/agent=support-bot/);
  await pick("/admin/api-keys/new", "");
  await pick("/admin/tools/builtin%3Acalculate?tab=try", "a-0");
  await open(admin, "/admin/executions");
  // A menu until it is known that there are more names than it holds.
  await admin.getByRole("combobox", { name: "Agent" }).and(admin.locator("input")).fill("support-");
  await admin.getByRole("option", { name: /^support-bot/ }).click();
  await expect(admin).toHaveURL(/agent=support-bot/);
  await open(admin, "/admin/machines/ticket-desk?tab=simulate");
  const caller = admin.getByRole("combobox", { name: "Caller" });
  await caller.fill("z-la");
  await admin.getByRole("option", { name: /^z-late/ }).click();
  await expect(caller).toHaveValue("z-late");
  await open(admin, "/admin/flows/new");
  await admin.getByRole("combobox", { name: "Labels" }).fill("z-la");
  await admin.getByRole("option", { name: "z-label" }).click();
  await expect(admin.getByRole("button", { name: "Remove z-label" })).toBeVisible();
  await open(admin, "/admin/preview");
  await admin.getByText("More", { exact: true }).click();
  await admin.getByRole("combobox", { name: "Intent" }).fill("z-in");
  await admin.getByRole("option", { name: /^z-intent/ }).click();
  await expect(admin).toHaveURL(/intent=z-intent/);
});

test("the manifest is copied in a vendor's format", async ({ admin }) => {
  await open(admin, "/admin/preview?persona=first-line");
  await admin.getByRole("button", { name: "Copy manifest" }).click();
  await admin.getByRole("menuitem", { name: "Anthropic" }).click();
  await expect(admin.getByText("Manifest copied")).toBeVisible();
  await expect(admin.getByText(/^Anthropic, about [\d,]+ tokens\. \w+ is not strict: /)).toBeVisible();
  const copied = JSON.parse(await admin.evaluate(() => navigator.clipboard.readText())) as unknown;
  expect(JSON.stringify(copied)).toContain('"input_schema"');
  expect(JSON.stringify(copied)).toContain("get_order");
});

test("thousands of tools: a vendor's limit is named, and a filter finds hidden tools that the page leaves out", async ({
  admin,
  afterwards,
  server,
}) => {
  const { revision: _revision, ...before } = await askAdmin(server, "GET", "config");
  const tools = Array.from({ length: 620 }, (_, at) => ({
    id: `e2e-many:tool_${at}`,
    description: "One of many.",
    inputSchema: { type: "object" },
    groups: ["e2e-many"],
    run: { kind: "http", method: "GET", url: "https://many.invalid/" },
  }));
  afterwards(() => askAdmin(server, "PUT", "config", before));
  await askAdmin(server, "PUT", "config?mode=merge", {
    apiVersion: "quartermaster/v1",
    sources: [{ name: "e2e-many", kind: "http" }],
    groups: [{ name: "e2e-many" }],
    policies: [{ name: "e2e-many", everyone: true, groups: ["e2e-many"] }],
    tools,
  });
  await open(admin, "/admin/preview?persona=first-line");
  const limit = admin.getByText("OpenAI Chat accepts at most 128 tools in one request.");
  await expect(limit).toBeVisible();
  await askAdmin(server, "DELETE", "policies/e2e-many");
  await open(admin, "/admin/preview?persona=first-line");
  await expect(visible(admin).filter({ hasText: "support:get_order" })).toBeVisible();
  await expect(limit).toBeHidden();
  await admin.getByRole("tab", { name: /^Hidden/ }).click();
  await expect(admin.getByText(/^\d+ more hidden tools are not listed\. Filter to find them\.$/)).toBeVisible();
  await admin.getByRole("searchbox", { name: "Filter tools" }).fill("many:tool_619");
  const found = admin.getByRole("listbox", { name: "Hidden tools" }).getByRole("option");
  await expect(found).toHaveText([/tool_619/]);
  await found.click();
  await expect(admin.getByRole("complementary", { name: "Explanation" })).toContainText("e2e-many:tool_619");
});

test("only the keyboard is needed to read through the tools", async ({ admin }) => {
  await open(admin, "/admin/preview?persona=first-line");
  await admin.getByRole("listbox", { name: "Visible tools" }).focus();
  await admin.keyboard.press("j");
  const first = await admin
    .getByRole("complementary", { name: "Explanation" })
    .getByRole("heading")
    .first()
    .textContent();
  await admin.keyboard.press("j");
  await expect(admin.getByRole("complementary", { name: "Explanation" }).getByRole("heading").first()).not.toHaveText(
    first ?? "",
  );
});

test("two callers are compared: the tools that only one has, with reasons", async ({ admin }) => {
  await open(admin, "/admin/preview?persona=contractor");
  await admin.getByRole("button", { name: "Compare" }).click();
  await admin.getByRole("menuitem", { name: "Another caller" }).click();
  await admin.getByText("Second caller").click();
  await admin.getByLabel("Persona").fill("first-line");
  await admin.getByRole("option", { name: /first-line/ }).click();
  const gained = admin.getByRole("listbox", { name: "Gained tools" }).getByRole("option");
  await expect(gained.filter({ hasText: "refund_order" })).toContainText("was: refused by a policy");
  const table = admin.getByRole("table", { name: "Differences between the two previews" });
  await expect(table.getByRole("row", { name: /^Policies/ })).toContainText("contractors-move-no-money");
  await gained.filter({ hasText: "refund_order" }).click();
  const explanation = admin.getByRole("complementary", { name: "Explanation" });
  await expect(explanation.getByText("Visible", { exact: true })).toBeVisible();
  await explanation.getByText("persona contractor").click();
  await expect(explanation.getByText("denied_by_policy")).toBeVisible();
  await admin.getByRole("button", { name: "Stop comparing" }).click();
  await expect(visible(admin).filter({ hasText: "support:get_order" })).toBeVisible();
});

test("the rules in force are compared with a draft, which is not saved, and with an old revision", async ({
  admin,
  server,
}) => {
  const { items } = await askAdmin<{ items: { number: number }[] }>(server, "GET", "revisions");
  await open(admin, "/admin/preview?persona=contractor&compare=draft");
  await admin.getByRole("button", { name: "Start from the current rules" }).click();
  const draft = admin.getByLabel("Draft of the rules");
  await expect(draft).toHaveValue(/effect: deny/);
  // Sets the value directly, because Chromium takes seconds to fill a long text.
  await draft.evaluate((area: HTMLTextAreaElement) => {
    const at = area.value.indexOf("effect: deny") + "effect: ".length;
    area.focus();
    area.setSelectionRange(at, at + "deny".length);
  });
  await admin.keyboard.type("allow");
  const gained = admin.getByRole("listbox", { name: "Gained tools" }).getByRole("option");
  await expect(gained.filter({ hasText: "refund_order" })).toBeVisible();
  expect(admin.url()).not.toContain("effect");
  await admin.getByRole("button", { name: "Compare with" }).click();
  await admin.getByRole("menuitem", { name: "Another revision of the rules" }).click();
  await admin.getByLabel("Compared with revision").fill(String(items[0]?.number));
  await admin
    .getByRole("option", { name: `Revision ${items[0]?.number}`, exact: false })
    .first()
    .click();
  await expect(admin.getByText("0 gained")).toBeVisible();
});

const SOURCE = "e2e-preview";
const LOOK = `${SOURCE}:look`;
const GRANT_LOOK = `/admin/preview?agent=support-bot&tab=hidden&tool=${encodeURIComponent(LOOK)}`;

/** A tool that nobody is granted. */
async function addLook(server: ServerUnderTest, removeAfterwards: RemoveAfterwards): Promise<void> {
  removeAfterwards(`sources/${SOURCE}`, `tools/${LOOK}`);
  await askAdmin(server, "POST", "sources", { name: SOURCE, kind: "script" });
  const run = { kind: "script", code: "export default () => ({ seen: true });", cpuSeconds: 1 };
  await askAdmin(server, "POST", "tools", { id: LOOK, description: "Looks.", inputSchema: {}, groups: [], run });
}

test("an auditor reads the smallest grant of a hidden tool, and cannot make it", async ({
  auditor,
  server,
  removeAfterwards,
}) => {
  await addLook(server, removeAfterwards);
  await auditor.setViewportSize({ width: 1440, height: 360 });
  await open(auditor, GRANT_LOOK);
  // The link selects a row that is out of view at first.
  await expect(auditor.getByRole("option", { selected: true })).toBeInViewport();
  const grant = auditor.getByRole("region", { name: "Smallest grant" });
  await expect(grant).toContainText("This tool alone");
  await expect(grant.getByRole("button")).toHaveCount(0);
});

test("a hidden tool is granted to the agent from its smallest grant", async ({ admin, server, removeAfterwards }) => {
  await addLook(server, removeAfterwards);
  removeAfterwards("groups/only-look", "policies/look-for-support-bot");
  // Impact counts callers of the log.
  await callAsBot(server, { tool_id: LOOK, arguments: {} });
  await open(admin, GRANT_LOOK);
  const explanation = admin.getByRole("complementary", { name: "Explanation" });
  await expect(explanation.getByRole("heading", { name: "Or grant it with a new policy" })).toBeVisible();
  // The list of hidden tools names the same smallest change.
  const changes = explanation.getByRole("region", { name: "Smallest change" }).getByRole("listitem");
  const first = await changes.locator("span").first().innerText();
  const row = admin.getByRole("option", { selected: true });
  expect((await row.innerText()).toLowerCase()).toContain(first.toLowerCase());
  await explanation.getByRole("button", { name: "Grant this tool…" }).click();
  const dialog = admin.getByRole("dialog", { name: new RegExp(`^Grant ${LOOK}`) });
  await expect(dialog).toContainText("creates the group only-look with this tool alone");
  await expect(dialog.getByRole("region", { name: "Impact of the grant" })).toContainText("support-bot");
  await dialog.getByRole("button", { name: "Grant", exact: true }).click();
  await expect(admin.getByText("Granted", { exact: true })).toBeVisible();
  await expect(explanation.getByText("Visible", { exact: true })).toBeVisible();
  await expect(explanation.getByRole("button", { name: "Grant this tool…" })).toHaveCount(0);
  expect((await callAsBot<{ status: string }>(server, { tool_id: LOOK, arguments: {} })).status).toBe("succeeded");
});

test("a logged call is previewed with its inputs, which can then be varied", async ({ admin, server }) => {
  const { call_id } = await callAsBot<{ call_id: string }>(server, {
    tool_id: "support:get_order",
    arguments: { order_id: "O-5001" },
    state: "investigating",
  });
  await open(admin, "/admin/preview");
  await choose(admin, "Caller", "A logged call");
  await admin.getByLabel("Call", { exact: true }).fill(call_id);
  await admin.getByRole("option", { name: call_id }).first().click();
  await expect(admin.getByText("ticket-desk: investigating")).toBeVisible();
  await expect(visible(admin).filter({ hasText: "support:get_order" })).toBeVisible();
  await admin.getByRole("button", { name: "Change these inputs" }).click();
  await expect(admin.getByLabel("Claims")).toHaveValue(/"sub": "support-bot"/);
  await expect(admin.getByText("ticket-desk: investigating")).toBeVisible();
});

test("over any page, the drawer lists the callers that see its subject, and previews as one", async ({ admin }) => {
  await open(admin, `/admin/tools/${encodeURIComponent("support:refund_order")}`);
  await admin.getByRole("banner").getByRole("link", { name: "Preview as agent" }).click();
  const drawer = admin.getByRole("dialog", { name: "Preview as agent" });
  const rows = drawer.getByRole("table", { name: "Who sees support:refund_order" }).getByRole("row");
  await expect(rows.filter({ hasText: /^supervisor/ })).toContainText("visible");
  await expect(rows.filter({ hasText: /^contractor/ })).toContainText("from denying group refunds");
  await drawer.getByRole("button", { name: "contractor" }).click();
  const explanation = drawer.getByRole("complementary", { name: "Explanation" });
  await expect(explanation.getByText("denied_by_policy")).toBeVisible();
  await drawer.getByRole("button", { name: "Open as page" }).click();
  await expect(admin).toHaveURL(/\/admin\/preview\?persona=contractor&tool=support(%3A|:)refund_order/);
  await expect(drawer).toBeHidden();
});

test("on a phone the inputs of a chosen caller collapse, nothing is wider than the screen, and a selected tool shows its explanation", async ({
  admin,
}) => {
  await admin.setViewportSize({ width: 390, height: 844 });
  await open(admin, "/admin/preview?persona=first-line");
  await expect(visible(admin).filter({ hasText: "support:get_order" })).toBeVisible();
  await expect(admin.getByLabel("Persona")).toBeHidden();
  await admin.getByRole("button", { name: "persona first-line Change" }).click();
  await expect(admin.getByLabel("Persona")).toBeVisible();
  expect(await admin.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await visible(admin).filter({ hasText: "support:get_order" }).click();
  const explanation = admin.getByRole("complementary", { name: "Explanation" });
  await expect(explanation.getByRole("heading", { name: "support:get_order" })).toBeInViewport();
  await open(admin, "/admin/preview");
  await expect(admin.getByRole("combobox", { name: "Caller" }), "nobody is chosen yet").toBeVisible();
});

function visible(page: Page): Locator {
  return page.getByRole("listbox", { name: "Visible tools" }).getByRole("option");
}

function hidden(page: Page): Locator {
  return page.getByRole("listbox", { name: "Hidden tools" }).getByRole("option");
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: label }).click();
  await page.getByRole("option", { name: option }).click();
}
