import { execFileSync } from "node:child_process";
import { findings } from "@/e2e/support/accessible";
import { test as base, expect, open, signIn } from "@/e2e/support/fixtures";
import { startOwnServer, type OwnServer } from "@/e2e/support/own-server";
import { VIEWED_LISTS, type ViewedList } from "@/lib/resources/saved-view";

// A newcomer in an installation that has nothing in it, with the browser and a shell alone.

const test = base.extend<object, { own: OwnServer }>({
  own: [
    async ({}, use) => {
      const own = await startOwnServer(["--empty"]);
      await use(own);
      await own.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  server: [async ({ own, server }, use) => use({ ...server, ...own }), { scope: "worker" }],
});

/** The text of an empty list, and the action that adds the first row; `null` = nobody adds rows by hand. */
const EMPTY: Partial<Record<ViewedList, readonly [none: string, first: string | null]>> = {
  policies: ["No access policies yet", "New access policy"],
  groups: ["No tool groups yet", "New tool group"],
  machines: ["No state machines yet", "New state machine"],
  personas: ["No personas yet", "New persona"],
  intents: ["No intents yet", "New intent"],
  assertions: ["No assertions yet", "New assertion"],
  clients: ["No clients yet", "New client"],
  issuers: ["No issuers yet", "New issuer"],
  agents: ["No agents yet", "New agent"],
  "api-keys": ["No API keys yet", "New API key"],
  tokens: ["No tokens yet", "New token"],
  webhooks: ["No webhooks yet", "New webhook"],
  secrets: ["No secrets yet", "New secret"],
  executions: ["No calls yet", null],
  approvals: ["No approvals yet", null],
  requests: ["No requests yet", null],
  denials: ["No kinds of refusal yet", null],
  sessions: ["No sessions yet", null],
  deliveries: ["No deliveries yet", null],
  drift: ["No tools to review yet", null],
  "flow-guesses": ["No flow guesses yet", null],
  "linked-accounts": ["No linked accounts yet", null],
};
/** Lists with rows from the start: the first user, built-in and shipped rows, their changes, and a finding about access. */
const NEVER_EMPTY: readonly ViewedList[] = [
  "users",
  "sources",
  "tools",
  "labels",
  "flows",
  "profiles",
  "changes",
  "audit",
  "findings",
];

test("every empty list states its purpose and links to a first row and to its guide", async ({ page, own }) => {
  test.slow();
  expect([...Object.keys(EMPTY), ...NEVER_EMPTY].toSorted()).toEqual(VIEWED_LISTS.toSorted());
  await signIn(page, own.adminEmail, own.adminPassword);
  await expect(page.getByRole("heading", { name: "Getting started" })).toBeVisible();
  for (const [list, [none, first]] of Object.entries(EMPTY)) {
    await open(page, `/admin/${list}`);
    const main = page.getByRole("main");
    const state = main.getByText(none, { exact: true }).locator("..");
    await expect(state, list).toContainText(/[a-z]\. Read more in the guide/);
    const making = main.getByRole("link", { name: /^New / }).or(main.getByRole("button", { name: /^New / }));
    await expect(making, list).toHaveText(first === null ? [] : [first]);
    await expect(main.locator("a[href^='/docs/']"), list).toHaveCount(1);
  }
});

test("an empty installation guides a newcomer to the first allowed call", async ({ page, own }) => {
  test.slow();
  await signIn(page, own.adminEmail, own.adminPassword);
  await expect(page.getByRole("heading", { name: "Getting started" })).toBeVisible();
  const step = (title: string) =>
    page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title }) });
  await expect(step("Add tools")).toContainText("Done:");
  expect(await findings(page)).toEqual([]);

  for (const [title, action, create] of [
    ["Create a group", "New group", "Create tool group"],
    ["Grant the group in a policy", "New policy", "Create access policy"],
    ["Register an agent", "New agent", "Create agent"],
  ] as const)
    await test.step(title, async () => {
      await expect(step(title)).toContainText("To do:");
      await step(title).getByRole("button", { name: action }).click();
      await page.getByRole("button", { name: create }).click();
      await expect(step(title)).toContainText("Done:");
    });

  await step("Create its API key").getByRole("button", { name: "New API key" }).click();
  await page.getByRole("button", { name: "Create API key" }).click();
  const dialog = page.getByRole("dialog");
  const key = await dialog.getByText(/^qm_/).innerText();
  await dialog.getByRole("checkbox", { name: "I have stored the API key in a safe place" }).check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(step("Check which tools it gets")).toContainText("first-agent gets");

  const call = step("Make the first call");
  await expect(call.getByRole("status")).toContainText("Waiting for a call");
  const command = await call.getByRole("region", { name: "The first call" }).innerText();
  const called = (withKey: string) =>
    execFileSync("bash", ["-c", command], { encoding: "utf8", env: { ...process.env, QUARTERMASTER_KEY: withKey } });
  expect(called("qm_wrong")).toContain("unauthenticated");
  expect(called(key)).toContain('"status":"succeeded"');
  await expect(call).toContainText("Done:");
  await expect(call.getByRole("status")).toContainText("builtin:calculate was called and allowed");
  expect(await findings(page)).toEqual([]);
  await call.getByRole("link", { name: "builtin:calculate" }).click();
  await expect(page.getByRole("complementary", { name: "Decision" })).toContainText("first-team");
});
