import { askAdmin } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";

// Tries a tool: enters its arguments in a form made from the input schema, or as JSON, and makes a real call.

const kind = (name: string, field: string) => ({
  type: "object",
  required: ["kind", field],
  properties: { kind: { const: name }, [field]: { type: "string" } },
});

const TOOL = {
  id: "e2e-trial:book-trip",
  description: "Books a trip.",
  inputSchema: {
    type: "object",
    required: ["to", "travellers"],
    additionalProperties: false,
    properties: {
      to: { type: "string", description: "Where the trip goes.", pattern: "^[A-Z]" },
      class: { enum: ["first", "second"] },
      quiet: { type: "boolean" },
      travellers: {
        type: "array",
        items: {
          type: "object",
          required: ["name"],
          properties: { name: { type: "string" }, age: { type: "integer" } },
        },
      },
      answer: { oneOf: [kind("mail", "address"), kind("text", "phone")] },
      days: { type: "array", uniqueItems: true, items: { enum: ["mon", "tue"] } },
      labels: { type: "object", additionalProperties: { type: "string" } },
      extra: true,
    },
  },
  run: { kind: "script", code: "export default (args) => args;", cpuSeconds: 1 },
};

test("a trial accepts arguments by form or JSON, shows problems at their fields, and sends them", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  removeAfterwards("sources/e2e-trial", `tools/${TOOL.id}`, "groups/e2e-trial", "policies/e2e-trial");
  await askAdmin(server, "POST", "sources", { name: "e2e-trial", kind: "script" });
  await askAdmin(server, "POST", "tools", TOOL);
  await askAdmin(server, "POST", "groups", { name: "e2e-trial", selectors: [{ source: "e2e-trial" }] });
  await askAdmin(server, "POST", "policies", { name: "e2e-trial", everyone: true, groups: ["e2e-trial"] });
  await open(admin, `/admin/tools/${encodeURIComponent(TOOL.id)}?tab=try`);
  // The first agent is chosen; another one replaces it.
  const agent = admin.getByRole("combobox", { name: "Agent" });
  await expect(agent).not.toHaveValue("");
  await agent.fill("support");
  await admin.getByRole("option", { name: /support-bot/ }).click();
  const to = admin.getByRole("textbox", { name: "to required" });
  await to.fill("bonn");
  await admin.getByRole("tab", { name: "Activity" }).click();
  await expect(to).toBeHidden();
  await admin.getByRole("tab", { name: "Try it" }).click();
  await expect(to).toHaveValue("bonn");
  await admin.getByRole("group", { name: "travellers" }).getByRole("button", { name: "Add an item" }).click();
  await admin.getByRole("textbox", { name: "name required" }).fill("Ada");
  await admin.getByRole("textbox", { name: "age" }).fill("36");
  await admin.getByRole("combobox", { name: "Kind of answer" }).click();
  await admin.getByRole("option", { name: "kind: text" }).click();
  await admin.getByRole("textbox", { name: "phone" }).fill("0228");
  await admin.getByRole("checkbox", { name: "tue", exact: true }).check();
  await expect(admin.getByRole("checkbox", { name: "mon", exact: true })).not.toBeChecked();
  await admin.getByText("JSON", { exact: true }).click();
  const json = admin.getByRole("textbox", { name: "Arguments" });
  const args = {
    to: "bonn",
    travellers: [{ name: "Ada", age: 36 }],
    answer: { kind: "text", phone: "0228" },
    days: ["tue"],
  };
  expect(JSON.parse(await json.inputValue())).toEqual(args);
  await admin.getByText("Form", { exact: true }).click();
  const phone = admin.getByRole("textbox", { name: "phone" });
  await expect(phone).toHaveValue("0228");
  await phone.fill("");
  await to.press("Control+Enter");
  await expect(to).toHaveAccessibleDescription(/must satisfy pattern/);
  const choice = admin.getByRole("group", { name: "answer" });
  await expect(choice.getByText("must have required property 'phone'")).toBeVisible();
  await admin.getByText("JSON", { exact: true }).click();
  const other = admin.getByText("/answer must have required property 'phone'");
  await expect(other).toBeHidden();
  await admin.getByText("1 more problem").click();
  await expect(other).toBeVisible();
  await admin.getByText("Form", { exact: true }).click();
  await phone.fill("0228");
  await to.fill("Bonn");
  await expect(to).not.toHaveAccessibleDescription(/must satisfy/);
  await to.press("Control+Enter");
  const answer = admin.getByRole("region", { name: "Result", exact: true });
  await expect(answer).toContainText("succeeded");
  await expect(answer).toContainText('"to": "Bonn"');
  await expect(to).toBeFocused();

  // A name that is still being typed is sent, too.
  const labels = admin.getByRole("group", { name: "labels" });
  const label = labels.getByRole("textbox", { name: "Name" });
  await labels.getByRole("button", { name: "Add a field" }).click();
  await labels.getByRole("textbox", { name: "newKey" }).fill("acme");
  for (const [name, key] of [
    ["customer", "Enter"],
    ["supplier", "Control+Enter"],
  ] as const) {
    await label.fill(name);
    await label.press(key);
    await expect(answer).toContainText(`"${name}": "acme"`);
  }
  await answer.getByRole("link", { name: "Show in log" }).click();
  await expect(admin).toHaveURL(/\/admin\/executions\//);
});

test("the caller's field waits for the default, which would replace typed text, and typed arguments stay", async ({
  admin,
}) => {
  let answer = () => {};
  const allowed = new Promise<void>((resolve) => (answer = resolve));
  await admin.route(/\/api\/admin\/agents\?limit=500/, async (route) => {
    await allowed;
    await route.continue();
  });
  await open(admin, "/admin/tools/builtin%3Acalculate?tab=try");
  const agent = admin.getByRole("combobox", { name: "Agent" });
  await expect(agent).toBeDisabled();
  const expression = admin.getByRole("textbox", { name: "expression required" });
  await expression.fill("6 * 7");
  answer();
  await expect(agent).toBeEnabled();
  await expect(agent).not.toHaveValue("");
  await expect(expression).toHaveValue("6 * 7");
});

test("a trial starts with an agent that sees the tool; where none does, it says so and leads to a grant", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  const id = "e2e-unseen:look";
  removeAfterwards("sources/e2e-unseen", `tools/${id}`, "groups/e2e-unseen", "policies/e2e-unseen");
  await askAdmin(server, "POST", "sources", { name: "e2e-unseen", kind: "script" });
  await askAdmin(server, "POST", "tools", { ...TOOL, id, inputSchema: { type: "object" }, groups: [] });
  await open(admin, `/admin/tools/${encodeURIComponent(id)}?tab=try`);
  await expect(admin.getByText("No agent sees this tool.")).toBeVisible();
  const agent = admin.getByRole("combobox", { name: "Agent" });
  // Its calls need a session.
  await expect(agent).not.toHaveValue("night-bot");
  await expect(agent).toHaveValue(/./);
  await admin.getByRole("button", { name: "Call tool" }).click();
  const result = admin.getByRole("region", { name: "Result", exact: true });
  await expect(result).toContainText("tool_not_available");
  await expect(result).toContainText("To show it:");
  await expect(result.getByRole("link", { name: /Open preview/ })).toHaveAttribute(
    "href",
    /agent=[\w-]+&tool=e2e-unseen/,
  );

  await askAdmin(server, "POST", "groups", { name: "e2e-unseen", selectors: [{ source: "e2e-unseen" }] });
  await askAdmin(server, "POST", "policies", {
    name: "e2e-unseen",
    matchers: [{ claim: "sub", operator: "equals", value: "night-bot" }],
    groups: ["e2e-unseen"],
  });
  await open(admin, `/admin/tools/${encodeURIComponent(id)}?tab=try`);
  await expect(agent).toHaveValue("night-bot");
  await expect(admin.getByText("night-bot calls in a session, and a trial has none.")).toBeVisible();
  await expect(admin.getByText("No agent sees this tool.")).toHaveCount(0);
});
