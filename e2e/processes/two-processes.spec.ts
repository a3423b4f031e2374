import { readFileSync } from "node:fs";
import { Client } from "pg";
import { serve } from "@/bin/boot/serve.mjs";
import { expect, test } from "@/e2e/support/fixtures";
import { startOwnServer, type OwnServer } from "@/e2e/support/own-server";
import { raw } from "@/test/server/front/opened-front";
import { ENDPOINT_PROMISES } from "@/test/support/endpoint-promises";
import { freePort } from "@/test/support/servers/free-port";

test.describe.configure({ mode: "serial" });

let server: OwnServer;
test.beforeAll(async () => {
  server = await startOwnServer([]);
});
test.afterAll(() => server.stop());

interface Readiness {
  readonly status: string;
  readonly app: string;
}
const readiness = async () => (await (await fetch(`${server.baseUrl}/api/ready`)).json()) as Readiness;
const statusOf = (path: string, init: RequestInit = {}) =>
  fetch(server.baseUrl + path, { redirect: "manual", ...init }).then(
    ({ status }) => status,
    () => 0,
  );

test("the app answers only the gateway, and serves no agents", async () => {
  test.skip(process.platform !== "linux", "reads /proc");
  const environment = readFileSync(`/proc/${server.pids().app}/environ`, "utf8").split("\0");
  const valueOf = (name: string) => environment.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1);
  const secret = valueOf("GATEWAY_SECRET") ?? "";
  const app = `http://127.0.0.1:${valueOf("PORT")}`;
  expect(secret.length).toBeGreaterThanOrEqual(32);
  expect(readFileSync(`/proc/${server.pids().gateway}/environ`, "utf8")).not.toContain(secret);
  const asked = async (path: string, headers: Record<string, string>, method = "GET") =>
    (await fetch(app + path, { method, headers, redirect: "manual" })).status;
  const paths = [
    "/",
    "/sign-in",
    "/api/health",
    "/api/metrics",
    "/api/admin/me",
    "/api/admin/config",
    "/api/auth/csrf",
  ];
  for (const path of [...paths, "/api/agents/tools", "/mcp"])
    expect([path, await asked(path, {}), await asked(path, { "x-gateway-secret": `${secret}x` })]).toEqual([
      path,
      403,
      403,
    ]);
  expect(await asked("/api/admin/imports", {}, "POST")).toBe(403);
  const known = { "x-gateway-secret": secret };
  for (const path of ["/api/agents/tools", "/api/%61gents/tools", "//mcp", "/mcp", "/api/ready"])
    expect([path, await asked(path, known)]).toEqual([path, path === "//mcp" ? 308 : 404]);
  expect([await asked("/sign-in", known), await asked("/api/admin/config", known)]).toEqual([200, 401]);
  // A forwarded request gets no metrics, whatever its path becomes in the app.
  const own = { ...known, "x-gateway-own": "1" };
  expect([await asked("/api/metrics", known), await asked("/api/metrics", own)]).toEqual([401, 200]);
  const build = /"b":"([\w-]+)"/.exec(
    (await (await fetch(`${server.baseUrl}/sign-in`)).text()).replaceAll("\\", ""),
  )?.[1];
  expect(build).toBeDefined();
  expect(await statusOf(`/_next/data/${build}/api/metrics.json`)).toBe(401);
  // A client's own header is not the gateway's.
  expect(await statusOf("/sign-in", { headers: { "x-gateway-secret": "forged" } })).toBe(200);
});

test("the app takes no calls: only the gateway says that it is alive", async () => {
  const database = new Client({ connectionString: server.env["DATABASE_URL"] });
  await database.connect();
  const { rows } = await database.query<{ count: number }>("select count(*)::int as count from instance");
  await database.end();
  expect(rows).toEqual([{ count: 1 }]);
});

test("unusual spellings of agents' paths bypass nothing", async () => {
  const { port } = new URL(server.baseUrl);
  for (const path of [
    "/api/%61gents/tools",
    "//mcp",
    "/x/../mcp",
    "/api//agents/tools",
    "/API/agents/tools",
    "/mcp%2f",
  ]) {
    const received = await raw(Number(port), `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
    expect(received, path).toMatch(/^HTTP\/1.1 404 [^]*"code":"not_found"/);
  }
});

test("links and cookies are of the public address, not of the app's port", async ({ browser }) => {
  const page = await browser.newPage();
  await page.goto(`${server.baseUrl}/admin/tools`);
  expect(new URL(page.url()).origin).toBe(server.baseUrl);
  const providers = (await (await fetch(`${server.baseUrl}/api/auth/providers`)).json()) as Record<
    string,
    { readonly callbackUrl: string }
  >;
  for (const { callbackUrl } of Object.values(providers)) expect(callbackUrl).toContain(server.baseUrl);
  await page.close();
});

test("a crash of the app affects no agent, and the app restarts", async () => {
  const { gateway, app } = server.pids();
  expect(await readiness()).toMatchObject({ status: "ready", app: "ready" });
  process.kill(app, "SIGKILL");
  await expect.poll(async () => (await readiness()).app).toBe("starting");
  expect([await statusOf("/api/ready"), await statusOf("/mcp", { method: "POST" })]).toEqual([200, 401]);
  const refused = await fetch(`${server.baseUrl}/api/admin/me`);
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: "overloaded", retryable: true }]);
  await expect.poll(() => server.pids().app, { timeout: 2_000 }).not.toBe(0);
  await expect.poll(async () => (await readiness()).app, { timeout: 30_000 }).toBe("ready");
  expect([await statusOf("/sign-in"), server.pids().gateway]).toEqual([200, gateway]);
});

test("a browser is shown a page that reloads by itself while the app starts", async ({ browser }) => {
  const page = await browser.newPage();
  process.kill(server.pids().app, "SIGKILL");
  await expect.poll(async () => (await readiness()).app).toBe("starting");
  await page.goto(`${server.baseUrl}/sign-in`);
  await expect(page.getByText("Quartermaster is starting.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible({ timeout: 30_000 });
  await page.close();
});

test("a gateway that crashes is started again within 2 s, and people go on with the same app", async () => {
  const { gateway, app } = server.pids();
  process.kill(gateway, "SIGKILL");
  await expect.poll(() => server.pids().gateway, { timeout: 2_000 }).not.toBe(gateway);
  await expect.poll(() => statusOf("/api/ready"), { timeout: 30_000 }).toBe(200);
  expect([await statusOf("/sign-in"), server.pids().app]).toEqual([200, app]);
});

test("without the secret, `next start` alone serves people and agents", async () => {
  test.setTimeout(120_000);
  const port = await freePort();
  const env = { ...server.env, NEXTAUTH_URL: `http://127.0.0.1:${port}` };
  const alone = await serve({ root: process.cwd(), mode: "next", host: "127.0.0.1", port, env });
  try {
    expect((await fetch(`${env.NEXTAUTH_URL}/sign-in`)).status).toBe(200);
    const send = (path: string, init?: RequestInit) => fetch(env.NEXTAUTH_URL + path, init);
    for (const hold of Object.values(ENDPOINT_PROMISES)) await hold({ send, key: server.apiKey ?? "" });
  } finally {
    await alone.stop();
  }
});
