import { createHash, randomBytes } from "node:crypto";
import { findings } from "@/e2e/support/accessible";
import { allowRegistration, askAdmin } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";
import { serve } from "@/test/support/servers/serve";

// An MCP client that knows only the address: it finds the server, the person signs in and consents, and the person ends it.

test.use({ visitsOpenId: true });

/** The address of the metadata that a 401 of `/mcp` names. */
async function metadataOf(address: string): Promise<Record<string, unknown>> {
  const refused = await fetch(address, { method: "POST" });
  expect(refused.status).toBe(401);
  const pointer = /resource_metadata="([^"]+)"/.exec(refused.headers.get("www-authenticate") ?? "")?.[1];
  return (await (await fetch(String(pointer))).json()) as Record<string, unknown>;
}

test("a client that knows only the address connects, calls a tool, and ends with its connection", async ({
  page,
  server,
}) => {
  test.slow();
  const registration = { name: "journey", description: "Journey client", redirectUris: ["http://127.0.0.1/callback"] };
  await askAdmin(server, "POST", "clients", registration);
  const client = await serve(async () => new Response("You can close this page."), server.openIdPort);
  const callback = `http://127.0.0.1:${server.openIdPort}/callback`;

  const { resource, authorization_servers: servers } = await metadataOf(`${server.baseUrl}/mcp`);
  const [issuer] = servers as string[];
  const metadata = await fetch(`${String(issuer)}/.well-known/oauth-authorization-server`);
  const endpoints = (await metadata.json()) as Record<string, string>;
  const verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    response_type: "code",
    client_id: "journey",
    redirect_uri: callback,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    resource: String(resource),
    state: "the-state",
  });

  await page.goto(`${endpoints["authorization_endpoint"]}?${query}`);
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=/);
  await expect(page.getByText("A program asks to use tools for you.")).toBeVisible();
  await page.getByLabel("E-mail").fill(server.adminEmail);
  await page.getByLabel("Password").fill(server.adminPassword);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Connect a client" })).toBeVisible();
  await expect(page.getByText("a program on this computer (127.0.0.1)")).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.getByLabel("Acts as the agent").click();
  await page.getByRole("option", { name: /^support-bot/ }).click();
  await page.getByRole("button", { name: "Connect client" }).click();
  await page.waitForURL(/\/callback\?/);
  const answered = new URL(page.url()).searchParams;
  expect([answered.get("state"), answered.get("iss")]).toEqual(["the-state", issuer]);

  const body = new URLSearchParams({
    grant_type: "authorization_code",
    client_id: "journey",
    code: answered.get("code") ?? "",
    code_verifier: verifier,
    redirect_uri: callback,
    resource: String(resource),
  });
  const tokens = (await (await fetch(String(endpoints["token_endpoint"]), { method: "POST", body })).json()) as {
    access_token: string;
  };
  const headers = { authorization: `Bearer ${tokens.access_token}`, "content-type": "application/json" };
  const list = () => fetch(`${server.baseUrl}/api/agents/tools`, { headers });
  const { data } = (await (await list()).json()) as { data: { name: string }[] };
  const calculate = data.find(({ name }) => name === "calculate");
  expect(calculate).toBeDefined();
  const called = await fetch(`${server.baseUrl}/api/agents/tools/call`, {
    method: "POST",
    headers,
    body: JSON.stringify({ name: "calculate", arguments: { expression: "6 * 7" } }),
  });
  expect(called.status).toBe(200);

  await open(page, "/admin/connections");
  await expect(page.getByRole("cell", { name: "Journey client journey", exact: true })).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.getByRole("tab", { name: "Test a token" }).click();
  await page.getByRole("textbox", { name: "Token" }).fill(tokens.access_token);
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await expect(page.getByText("accepted", { exact: true })).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: "Journey client (journey)" })).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.getByRole("tab", { name: "Connections" }).click();
  await page.getByRole("button", { name: "Preview Journey client (journey)" }).click();
  await expect(page).toHaveURL(/\/admin\/preview/);
  await expect(page.getByText("calculate", { exact: true }).first()).toBeVisible();
  await page.goBack();
  const end = page.getByRole("button", { name: "End Journey client (journey)" });
  const desktop = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(end).toBeInViewport({ ratio: 1 });
  if (desktop !== null) await page.setViewportSize(desktop);
  await end.click();
  await page.getByRole("dialog").getByRole("button", { name: "End connection" }).click();
  await expect(page.getByText("No client is connected")).toBeVisible();
  expect((await list()).status).toBe(401);
  await open(page, "/admin/changes?resource=connections");
  await expect(page.getByRole("row").nth(1)).toContainText("journey as support-bot");
  await client.close();
});

test("an admin lets clients register themselves, and removes one", async ({ admin, server }) => {
  await allowRegistration(server);
  const metadata = { client_name: "Desk editor", redirect_uris: ["http://127.0.0.1/callback"] };
  const registered = await fetch(`${server.baseUrl}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(metadata),
  });
  expect(registered.status).toBe(201);
  await open(admin, "/admin/clients");
  await expect(admin.getByRole("cell", { name: "Desk editor", exact: true })).toBeVisible();
  expect(await findings(admin)).toEqual([]);
  await admin.getByRole("button", { name: "Remove Desk editor" }).click();
  await admin.getByRole("dialog").getByRole("button", { name: "Remove client" }).click();
  await expect(admin.getByRole("cell", { name: "Desk editor", exact: true })).toBeHidden();
});
