import type { Browser } from "@playwright/test";
import { askAdmin } from "@/e2e/support/admin-api";
import { findings } from "@/e2e/support/accessible";
import { expect, open, test } from "@/e2e/support/fixtures";
import type { ServerUnderTest } from "@/e2e/support/server";
import { SCOPE, startLinkServer } from "@/test/support/servers/link-server";
import { startMcpServer, textResult } from "@/test/support/servers/mcp-server";

// A source whose users sign in themselves: a call is refused, its person links an account, the call works, and is refused
// again after the account was unlinked. An admin unlinks the account of another person.

test.use({ visitsOpenId: true });

/** Links an account of the editor, in a browser of theirs. */
async function linkAsEditor(browser: Browser, server: ServerUnderTest): Promise<void> {
  const context = await browser.newContext({ baseURL: server.baseUrl });
  const { cookieName: name, cookies, baseUrl: url } = server;
  await context.addCookies([{ name, value: cookies.editor, url, httpOnly: true, sameSite: "Lax" }]);
  const page = await context.newPage();
  await open(page, "/admin/linked-accounts/e2e-mail");
  await page.getByRole("button", { name: "Link account" }).click();
  await page.getByRole("textbox", { name: "Account" }).fill("eve@mail");
  await page.getByRole("button", { name: "Sign in at Acme Mail" }).click();
  await expect(page.getByRole("main")).toContainText("Your account is linked.");
  await context.close();
}

interface Tried {
  readonly status: string;
  readonly output?: unknown;
  readonly error?: { readonly code: string; readonly details: { readonly connect_url: string } };
}

test("a person links their account at an upstream, and unlinks it; an admin unlinks that of another", async ({
  admin,
  afterwards,
  browser,
  removeAfterwards,
  server,
}) => {
  test.slow();
  const mail = await startMcpServer(server.upstreamPort);
  const acme = await startLinkServer({ resources: () => [mail.url], registration: true, port: server.openIdPort });
  afterwards(() => Promise.all([mail.close(), acme.close()]));
  removeAfterwards("sources/e2e-mail", "tools/e2e-mail:whoami", "groups/e2e-mail", "policies/e2e-mail");
  const bearer = (header: string | undefined) => (header ?? "").replace("Bearer ", "");
  mail.tools = {
    whoami: { run: () => textResult(acme.accountOf(bearer(mail.seen.at(-1)?.authorization)) ?? "nobody") },
  };
  mail.intercept = ({ authorization }, path) => {
    if (path.startsWith("/.well-known/"))
      return Response.json({ resource: mail.url, authorization_servers: [acme.issuer], scopes_supported: [SCOPE] });
    if (acme.accountOf(bearer(authorization)) !== null) return null;
    return new Response(null, { status: 401, headers: { "www-authenticate": "Bearer" } });
  };
  const readTools = async () => {
    const { id } = await askAdmin<{ id: string }>(server, "POST", "imports", { source: "e2e-mail" });
    const job = () => askAdmin<{ status: string; error: string | null }>(server, "GET", `imports/${id}`);
    await expect.poll(async () => (await job()).status).not.toBe("running");
    return { id, ...(await job()) };
  };
  const tryIt = () =>
    askAdmin<Tried>(server, "POST", "tools/e2e-mail%3Awhoami/try", { agent: "support-bot", arguments: {} });

  const auth = { mode: "user" };
  await askAdmin(server, "POST", "sources", { name: "e2e-mail", kind: "mcp", url: mail.url, auth });
  await askAdmin(server, "POST", "groups", { name: "e2e-mail", selectors: [{ source: "e2e-mail" }] });
  await askAdmin(server, "POST", "policies", { name: "e2e-mail", everyone: true, groups: ["e2e-mail"] });
  expect((await readTools()).error).toContain("you have not linked one yet");
  await askAdmin(server, "POST", "tools", {
    id: "e2e-mail:whoami",
    description: "Says whose mailbox it is.",
    inputSchema: { type: "object" },
    run: { kind: "mcp", tool: "whoami" },
  });
  const refused = await tryIt();
  expect(refused.error?.code).toBe("authorization_needed");

  await admin.goto(refused.error?.details.connect_url ?? "");
  await expect(admin.getByRole("heading", { name: "Your account at e2e-mail" })).toBeVisible();
  const main = admin.getByRole("main");
  for (const fact of [new URL(mail.url).host, new URL(acme.issuer).host, SCOPE, "Not linked"])
    await expect(main).toContainText(fact);
  expect(await findings(admin)).toEqual([]);
  await admin.getByRole("button", { name: "Link account" }).click();
  await admin.getByRole("button", { name: "Sign in at Acme Mail" }).click();
  await expect(main).toContainText("You declined at the upstream");

  await admin.getByRole("button", { name: "Link account" }).click();
  await admin.getByRole("textbox", { name: "Account" }).fill("ada@mail");
  await admin.getByRole("button", { name: "Sign in at Acme Mail" }).click();
  await expect(main).toContainText("Your account is linked.");
  expect(await tryIt()).toMatchObject({ status: "succeeded", output: "ada@mail" });
  expect(await readTools()).toMatchObject({ status: "planned", error: null });

  await open(admin, "/admin/linked-accounts");
  await expect(admin.getByRole("row", { name: /e2e-mail/ })).toContainText("(you)");
  expect(await findings(admin)).toEqual([]);
  await admin.getByRole("link", { name: "e2e-mail" }).first().click();
  await admin.getByRole("button", { name: "Unlink account" }).click();
  await expect(main).toContainText("Not linked");
  expect(acme.revoked).toHaveLength(2);
  expect((await tryIt()).error?.code).toBe("authorization_needed");

  await linkAsEditor(browser, server);
  await open(admin, "/admin/linked-accounts");
  await admin
    .getByRole("row", { name: /e2e-mail/ })
    .getByRole("link")
    .click();
  await admin.getByRole("button", { name: "Unlink account" }).click();
  const dialog = admin.getByRole("dialog", { name: "Unlink the account of editor?" });
  await expect(dialog).toContainText("Calls of editor can no longer use e2e-mail");
  expect(await findings(admin)).toEqual([]);
  await dialog.getByRole("button", { name: "Unlink account" }).click();
  await expect(admin.getByText("Unlinked the account of editor")).toBeVisible();
  await expect(admin.getByRole("row", { name: /e2e-mail/ })).toBeHidden();
  expect(acme.revoked).toHaveLength(4);

  await open(admin, "/admin/linked-accounts?problem=expired");
  await expect(main).toContainText("This sign-in is too old, was used before, or did not begin here.");
});
