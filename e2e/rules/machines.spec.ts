import { askAdmin } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";

// A state machine: written in tables, tried before it is saved.

test("states and rules are written by keyboard, linted, tried out and saved", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  removeAfterwards("machines/e2e-desk", "agents/e2e-desk-bot");
  await askAdmin(server, "POST", "agents", { name: "e2e-desk-bot" });
  await open(admin, "/admin/machines/new");
  // A new tab: the draft stays.
  await expect(admin.getByRole("link", { name: "Guide: State machines" })).toHaveAttribute("target", "_blank");
  await admin.getByLabel("Name", { exact: true }).fill("e2e-desk");
  const states = admin.getByRole("table", { name: "States" });
  const name = (row: number) => states.getByLabel("Name of the state").nth(row);
  await name(0).fill("waiting");
  await name(0).press("Enter");
  await expect(name(0)).toBeFocused();
  await expect(states.getByRole("radio", { name: "Start in state waiting" })).toBeChecked();
  await admin.getByRole("region", { name: "States", exact: true }).getByRole("button", { name: "Add state" }).focus();
  await admin.keyboard.press("Enter");
  await expect(name(1)).toBeFocused();
  await admin.keyboard.type("done");
  await name(1).press("Tab");
  await states.getByRole("checkbox", { name: "A run ends in state done" }).focus();
  await admin.keyboard.press("Space");

  const picker = admin.getByRole("combobox", { name: "Add a rule for a tool" });
  await picker.fill("add_note");
  await admin.getByRole("option", { name: /^support:add_note/ }).click();
  const rule = admin.getByRole("row", { name: "rule 1" });
  await expect(rule).toContainText("support:add_note");
  await expect(picker).toBeFocused();
  await expect(admin.getByRole("alert").filter({ hasText: "dead end" })).toContainText("waiting");
  await rule.getByRole("button", { name: "Add transition to rule 1" }).press("Enter");
  await expect(rule.getByRole("combobox", { name: "From, transition 1 of rule 1" })).toContainText("any state");
  await expect(rule.getByRole("combobox", { name: "To, transition 1 of rule 1" })).toContainText("done");
  await expect(admin.getByRole("alert").filter({ hasText: "dead end" })).toHaveCount(0);

  await admin.getByRole("tab", { name: "Simulate" }).click();
  const simulation = admin.getByRole("region", { name: "Simulation" });
  await expect(simulation.getByRole("status")).toHaveText("waiting");
  // No agent has the new machine.
  await expect(simulation).toContainText("Choose a caller");
  await simulation.getByRole("combobox", { name: "Caller" }).fill("first-line");
  await admin.getByRole("option", { name: /first-line/ }).click();
  await simulation.getByRole("button", { name: /support:add_note/ }).press("Enter");
  await expect(simulation.getByRole("status")).toHaveText("done");
  await admin.getByRole("tab", { name: "Design" }).click();
  await admin.getByRole("button", { name: "Create" }).click();
  await expect(admin.getByText("Created state machine e2e-desk")).toBeVisible();
  await expect(admin.getByRole("note", { name: "Not assigned" })).toContainText("No agent has this state machine yet");
  expect(await askAdmin(server, "GET", "machines/e2e-desk")).toMatchObject({
    initial: "waiting",
    states: [{ name: "waiting" }, { name: "done", terminal: true }],
    rules: [{ tool: "support:add_note", availableIn: null, transitions: [{ from: "*", to: "done" }] }],
  });
  await admin.getByRole("button", { name: "Assign to an agent…" }).click();
  const assigning = admin.getByRole("dialog", { name: "Assign e2e-desk" });
  await assigning.getByRole("combobox", { name: "Agent" }).fill("e2e-desk");
  await admin.getByRole("option", { name: /^e2e-desk-bot/ }).click();
  await assigning.getByRole("button", { name: "Open agent" }).click();
  await expect(admin.getByRole("combobox", { name: "State machine" })).toHaveValue("e2e-desk");
  await expect(admin.getByRole("region", { name: "Unsaved changes" })).toContainText("1 change");
  // The draft opens in the form; the other tab stays reachable, and so it is after the save.
  const overview = admin.getByRole("tab", { name: "Overview" });
  await overview.click();
  await expect(overview).toHaveAttribute("aria-selected", "true");
  await admin.getByRole("tab", { name: "Settings" }).click();
  await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
  await admin.getByRole("dialog").getByRole("button", { name: "Save changes" }).click();
  await expect(admin.getByText("Saved agent e2e-desk-bot")).toBeVisible();
  await expect(admin).not.toHaveURL(/draft=/);
  await overview.click();
  await expect(overview).toHaveAttribute("aria-selected", "true");
});

test("a defect is shown once; a renamed state keeps its rules; a reference to a deleted one is an error at its field", async ({
  admin,
  context,
  server,
}) => {
  await askAdmin(server, "POST", "machines", {
    name: "e2e-renamed",
    initial: "one",
    states: [{ name: "one" }, { name: "two", terminal: true }, { name: "lost", terminal: true }],
    rules: [{ tool: "support:add_note", availableIn: ["one"], transitions: [{ from: "one", to: "two" }] }],
  });
  // A person who may not save reads the findings, and everybody else the warnings about the draft.
  const findings = admin.getByRole("region", { name: "Findings on e2e-renamed" });
  const warnings = admin.getByRole("list", { name: "Warnings" });
  const openAs = async (role: "auditor" | "admin") => {
    await context.addCookies([{ name: server.cookieName, value: server.cookies[role], url: server.baseUrl }]);
    await open(admin, "/admin/machines/e2e-renamed");
  };
  await openAs("auditor");
  await expect(findings).toContainText("enters the state lost");
  await expect(warnings).toHaveCount(0);
  await openAs("admin");
  await expect(warnings).toContainText("state lost is never reached");
  await expect(findings).toHaveCount(0);
  const states = admin.getByRole("table", { name: "States" });
  await states.getByLabel("Name of the state").first().fill("first");
  await states.getByLabel("Name of the state").first().press("Enter");
  const rule = admin.getByRole("row", { name: "rule 1" });
  await expect(rule.getByRole("combobox", { name: "From, transition 1 of rule 1" })).toContainText("first");
  await states.getByRole("button", { name: "Remove state two" }).click();
  await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
  await expect(rule).toContainText("Unknown state");
});

test("a name that is still being typed is not lost: leaving asks, and the shortcut reviews it", async ({
  admin,
  server,
}) => {
  await askAdmin(server, "POST", "machines", {
    name: "e2e-typed",
    initial: "one",
    states: [{ name: "one" }, { name: "two", terminal: true }],
    rules: [{ tool: "support:add_note", availableIn: ["one"], transitions: [{ from: "one", to: "two" }] }],
  });
  await open(admin, "/admin/machines");
  await admin.getByRole("link", { name: "e2e-typed", exact: true }).click();
  const name = admin.getByRole("table", { name: "States" }).getByLabel("Name of the state").nth(1);
  await name.fill("done");
  await admin.evaluate(() => history.back());
  await admin.getByRole("dialog", { name: "Leave without saving?" }).getByRole("button", { name: "Stay" }).click();
  await name.fill("closed");
  await name.press("Control+s");
  await expect(admin.getByRole("dialog", { name: "Review changes to e2e-typed" })).toContainText("closed");
});

test("a simulation uses the resolver, forwards and backwards", async ({ admin }) => {
  await open(admin, "/admin/machines/ticket-desk?tab=simulate");
  const simulation = admin.getByRole("region", { name: "Simulation" });
  const state = simulation.getByRole("status");
  const tool = (name: string) => simulation.getByRole("button", { name });
  await simulation.getByRole("combobox", { name: "Caller" }).fill("first-line");
  await admin.getByRole("option", { name: /first-line/ }).click();
  await expect(state).toHaveText("triage");
  await expect(tool("support:get_order")).toHaveAttribute("aria-disabled", "true");
  await tool("support:lookup_customer").click();
  await expect(state).toHaveText("investigating");
  await expect(tool("support:get_order")).not.toHaveAttribute("aria-disabled");
  await tool("support:get_order").click();
  await tool("support:close_ticket").click();
  await expect(state).toHaveText("resolved");
  const trail = admin.getByRole("region", { name: "Trail" }).getByRole("listitem");
  await expect(trail).toHaveCount(4);
  await expect(trail.nth(0)).not.toContainText("holds");
  await expect(trail.nth(1)).toContainText("holds private");
  await admin.getByRole("button", { name: "Undo" }).click();
  await expect(state).toHaveText("investigating");
  await admin.getByRole("button", { name: "Start over" }).click();
  await expect(state).toHaveText("triage");
  await expect(trail).toHaveCount(1);
});

test("a simulation runs as an agent, and as any caller by its claims", async ({ admin }) => {
  await open(admin, "/admin/machines/ticket-desk?tab=simulate");
  const simulation = admin.getByRole("region", { name: "Simulation" });
  const caller = simulation.getByRole("combobox", { name: "Caller" });
  await caller.fill("support-bot");
  await admin.getByRole("option", { name: /^support-bot/ }).click();
  await simulation.getByRole("button", { name: "support:lookup_customer" }).click();
  await expect(simulation.getByRole("status")).toHaveText("investigating");
  await caller.fill("Claims");
  await admin.getByRole("option", { name: /^Claims/ }).click();
  await simulation.getByLabel("Claims").fill('{ "team": "sales" }');
  await expect(simulation).toContainText("No policy grants this caller a tool in any state.");
  await simulation.getByLabel("Claims").fill('{ "team": "support" }');
  await expect(simulation).toContainText(/This caller sees .*support:close_ticket.* in no state/);
  // Claims that nobody can read say nothing about a persona.
  await simulation.getByLabel("Claims").fill("{");
  await expect(simulation).toContainText("Enter a JSON object");
  await caller.fill("first-line");
  await admin.getByRole("option", { name: /first-line/ }).click();
  await expect(simulation.getByRole("button", { name: "support:close_ticket" })).toBeVisible();
  await expect(simulation).not.toContainText("in no state");
});

test("the graph edits the same machine as the tables: states and transitions are added and removed", async ({
  admin,
  server,
}) => {
  await open(admin, "/admin/machines/new");
  await admin.getByLabel("Name", { exact: true }).fill("e2e-drawn");
  const node = (name: string) => admin.getByRole("group", { name: new RegExp(`^State ${name}\\b`) });
  const selected = (what: string) => admin.getByRole("region", { name: `Selected: ${what}` });
  await expect(node("start")).toBeVisible();
  await admin.getByRole("button", { name: "Add state" }).first().click();
  await selected("state").getByLabel("Name of the selected state").fill("done");
  await selected("state").getByLabel("Name of the selected state").press("Enter");
  await selected("state").getByRole("checkbox", { name: "Terminal state" }).click();
  const states = admin.getByRole("table", { name: "States" });
  await expect(states.getByLabel("Name of the state").nth(1)).toHaveValue("done");
  // A warning comes a moment after an edit, and moves nothing under the pointer.
  const place = await node("done").boundingBox();
  await expect(admin.getByRole("link", { name: /warnings? below/ })).toBeVisible();
  expect(await node("done").boundingBox()).toEqual(place);
  await expect(states.getByRole("checkbox", { name: "A run ends in state done" })).toBeChecked();

  await node("start").hover();
  await admin.mouse.down();
  await node("done").hover();
  await node("done").hover();
  await admin.mouse.up();
  const dialog = admin.getByRole("dialog", { name: "Add a transition" });
  await dialog.getByRole("combobox", { name: "Find a tool" }).fill("add_note");
  await admin.getByRole("option", { name: /^support:add_note/ }).click();
  const edge = admin.getByRole("group", { name: "start to done: support:add_note" });
  await expect(edge).toBeAttached();
  const rule = admin.getByRole("row", { name: "rule 1" });
  await expect(rule.getByRole("combobox", { name: "To, transition 1 of rule 1" })).toContainText("done");
  await admin.getByRole("button", { name: "Create" }).click();
  await expect(admin.getByText("Created state machine e2e-drawn")).toBeVisible();
  await expect(admin).toHaveURL(/\/admin\/machines\/e2e-drawn$/);
  expect(await askAdmin(server, "GET", "machines/e2e-drawn")).toMatchObject({
    states: [{ name: "start" }, { name: "done", terminal: true }],
    rules: [{ tool: "support:add_note", availableIn: ["start"], transitions: [{ from: "start", to: "done" }] }],
  });

  await node("done").focus();
  await admin.keyboard.press("Enter");
  await expect(selected("state")).toBeVisible();
  await node("done").press("Delete");
  const gone = admin.getByRole("group", { name: "done: no state has this name" });
  await gone.focus();
  await admin.keyboard.press("Enter");
  await selected("unknown state").getByRole("button", { name: "Remove its transitions" }).click();
  await expect(edge).toHaveCount(0);
  await expect(states.getByLabel("Name of the state")).toHaveCount(1);
  await expect(rule).toContainText("No transition");
});
