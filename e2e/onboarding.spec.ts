import { execFileSync } from "node:child_process";
import { findings } from "@/e2e/accessible";
import { test as base, expect, signIn } from "@/e2e/fixtures";
import { startOwnServer, type OwnServer } from "@/e2e/own-server";

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

test("an empty installation leads a newcomer to the first allowed call", async ({ page, own }) => {
  test.slow();
  await signIn(page, own.adminEmail, own.adminPassword);
  await expect(page.getByRole("heading", { name: "Getting started" })).toBeVisible();
  const step = (title: string) =>
    page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title }) });
  await expect(step("Have tools")).toContainText("Done:");
  expect(await findings(page)).toEqual([]);

  for (const [title, action, create] of [
    ["Put some into a group", "New group", "Create tool group"],
    ["Grant the group by a policy", "New policy", "Create access policy"],
    ["Register an agent", "New agent", "Create agent"],
  ] as const)
    await test.step(title, async () => {
      await expect(step(title)).toContainText("To do:");
      await step(title).getByRole("button", { name: action }).click();
      await page.getByRole("button", { name: create }).click();
      await expect(step(title)).toContainText("Done:");
    });

  await step("Give it a key").getByRole("button", { name: "New API key" }).click();
  await page.getByRole("button", { name: "Create API key" }).click();
  const dialog = page.getByRole("dialog");
  const key = await dialog.getByText(/^qm_/).innerText();
  await dialog.getByRole("checkbox", { name: "I have stored it in a safe place" }).check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(step("See what it gets")).toContainText("first-agent gets");

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
