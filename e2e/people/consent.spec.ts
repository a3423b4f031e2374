import { createHash, randomBytes } from "node:crypto";
import type { BrowserContext, Page } from "@playwright/test";
import { Client } from "pg";
import { findings } from "@/e2e/support/accessible";
import { askAdmin } from "@/e2e/support/admin-api";
import { expect, hydrated, test } from "@/e2e/support/fixtures";
import type { ServerUnderTest } from "@/e2e/support/server";
import type { AgentRow } from "@/lib/resources/agent";
import type { Role } from "@/lib/resources/permissions";
import { serve } from "@/test/support/servers/serve";

// What a person sees when a client with a document asks to connect: who publishes it, the earlier answer when it asks again,
// and a page that says what the client did wrong.

/** Its host does not exist: the last good version of the document answers. */
const HOST = "https://client.invalid";
const CLIENT = `${HOST}/client.json`;
const LOOPBACK = "http://127.0.0.1";
const HTTPS = `${HOST}/done`;

test.beforeAll(async ({ server }) => {
  const document = {
    client_id: CLIENT,
    client_name: "Desk",
    redirect_uris: [`${LOOPBACK}/callback`, HTTPS, "desk://callback"],
  };
  const database = new Client({ connectionString: server.databaseUrl });
  await database.connect();
  await database.query(`insert into client_document (id, document, "fetchedAt") values ($1, $2, now())`, [
    CLIENT,
    document,
  ]);
  await database.end();
});

/** The address at which a browser begins. */
function beginning(server: ServerUnderTest, redirect: string): string {
  const challenge = createHash("sha256").update(randomBytes(32)).digest("base64url");
  const query = new URLSearchParams({
    response_type: "code",
    client_id: CLIENT,
    redirect_uri: redirect,
    code_challenge: challenge,
    code_challenge_method: "S256",
    resource: `${server.baseUrl}/mcp`,
    state: "the-state",
  });
  return `${server.baseUrl}/oauth/authorize?${query}`;
}

/** A browser in which a person is signed in, and whose requests to other hosts are no complaints. */
async function browserOf(context: BrowserContext, server: ServerUnderTest, role: Role = "admin"): Promise<Page> {
  const { cookieName: name, cookies, baseUrl: url } = server;
  await context.addCookies([{ name, value: cookies[role], url, httpOnly: true, sameSite: "Lax" }]);
  return context.newPage();
}

/** Ends the connections of the administrator, which other journeys would see. */
async function endConnections(server: ServerUnderTest): Promise<void> {
  const { items } = await askAdmin<{ items: { id: string }[] }>(server, "GET", "connections");
  for (const { id } of items) await askAdmin(server, "DELETE", `connections/${id}`);
}

test("the earlier answer is repeated without a click for https only; elsewhere it is prefilled", async ({
  afterwards,
  browser,
  server,
}) => {
  test.slow();
  afterwards(() => endConnections(server));
  const desk = await serve(async () => new Response("Back in Desk"), server.openIdPort);
  const loopback = `${LOOPBACK}:${server.openIdPort}/callback`;
  const context = await browser.newContext();
  const page = await browserOf(context, server);
  const connect = page.getByRole("button", { name: "Connect client" });
  const agent = page.getByLabel("Acts as the agent");

  await page.goto(beginning(server, loopback));
  await hydrated(page);
  await expect(page.getByText("client.invalid", { exact: true })).toBeVisible();
  await expect(page.getByText("a program on this computer (127.0.0.1)")).toBeVisible();
  await expect(page.getByText("tools (to list and call the agent’s tools)")).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await agent.fill("support");
  await expect(page.getByRole("option")).toHaveCount(1);
  await page.getByRole("option", { name: "support-bot" }).click();
  const consent = page.waitForRequest((request) => request.method() === "POST");
  await connect.click();
  // A form would be a navigation, and `form-action 'self'` would block its redirect to the client.
  expect(await (await consent).headerValue("sec-fetch-mode")).toBe("cors");
  await expect(page.getByText("Back in Desk")).toBeVisible();

  for (const [redirect, place] of [
    [loopback, "a program on this computer (127.0.0.1)"],
    ["desk://callback", "the program that opens desk: links"],
  ] as const) {
    await page.goto(beginning(server, redirect));
    await hydrated(page);
    await expect(page.getByText(place)).toBeVisible();
    await expect(page.getByText("confirm that you started it")).toBeVisible();
    await expect(agent).toHaveValue("support-bot");
    await expect(connect).toBeEnabled();
  }
  await connect.click();
  await expect(page.getByText("to the program that opens desk: links. You can close this tab.")).toBeVisible();

  const returned = page.waitForRequest(/^https:\/\/client\.invalid\/done\?/);
  // The page leaves as soon as it listens, perhaps before it is loaded.
  await page.goto(beginning(server, HTTPS), { waitUntil: "commit" });
  const answered = new URL((await returned).url()).searchParams;
  expect([answered.has("code"), answered.get("state"), answered.get("iss")]).toEqual([
    true,
    "the-state",
    server.baseUrl,
  ]);
  await context.close();
  await desk.close();
});

test("two requests are open in one browser, and each is answered", async ({ afterwards, browser, server }) => {
  afterwards(() => endConnections(server));
  const desk = await serve(async () => new Response("Back in Desk"), server.openIdPort);
  const context = await browser.newContext();
  const pages = [await browserOf(context, server), await context.newPage()];
  const address = beginning(server, `${LOOPBACK}:${server.openIdPort}/callback`);
  await Promise.all(pages.map((page) => page.goto(address)));
  for (const page of pages) {
    await hydrated(page);
    await page.getByLabel("Acts as the agent").fill("support");
    await page.getByRole("option", { name: "support-bot" }).click();
    await page.getByRole("button", { name: "Connect client" }).click();
    await expect(page.getByText("Back in Desk")).toBeVisible();
    expect(new URL(page.url()).searchParams.has("code")).toBe(true);
  }
  const left = (await context.cookies()).filter(({ name }) => name.startsWith("qm_connect"));
  expect(left).toEqual([]);
  await context.close();
  await desk.close();
});

test("an owner of one agent has nothing to choose", async ({ afterwards, browser, server }) => {
  afterwards(() => ownedBy(server, []));
  await ownedBy(server, ["editor"]);
  const context = await browser.newContext();
  const page = await browserOf(context, server, "editor");
  await page.goto(beginning(server, `${LOOPBACK}:${server.openIdPort}/callback`));
  await hydrated(page);
  await expect(page.getByText("support-bot", { exact: true })).toBeVisible();
  await expect(page.getByLabel("Acts as the agent")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Connect client" })).toBeEnabled();
  expect(await findings(page)).toEqual([]);
  await context.close();
});

/** Sets the owners of the demo's agent. */
async function ownedBy(server: ServerUnderTest, owners: readonly string[]): Promise<void> {
  const path = "agents/support-bot";
  const stored = await askAdmin<AgentRow>(server, "GET", path);
  const { revision, createdAt: _created, updatedAt: _updated, ...row } = stored;
  await askAdmin(server, "PUT", path, { ...row, owners }, { "if-match": `"${revision}"` });
}

test("a request that nobody may answer is a page that names the fault, and goes nowhere", async ({
  browser,
  server,
}) => {
  const context = await browser.newContext();
  const page = await browserOf(context, server);
  await page.goto(beginning(server, "https://evil.example.com/callback"));
  await expect(page.getByRole("heading", { name: "The connection failed" })).toBeVisible();
  await expect(page.getByText(/^invalid_redirect_uri: /)).toBeVisible();
  expect(new URL(page.url()).origin).toBe(server.baseUrl);
  expect(await findings(page)).toEqual([]);
  await page.goto(`${server.baseUrl}/connect/${"a".repeat(21)}`);
  await expect(page.getByText("This request has expired, was answered, or began in another browser.")).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await context.close();
});
