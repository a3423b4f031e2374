import { readdirSync } from "node:fs";
import { join } from "node:path";
import { SCREEN_TABLE } from "@/components/screen-table";
import { askAdmin } from "@/e2e/support/admin-api";
import { expect, test } from "@/e2e/support/fixtures";
import type { ServerUnderTest } from "@/e2e/support/server";
import { METHODS, type Operation } from "@/lib/contracts/operations/operation";
import { OPERATIONS } from "@/lib/contracts/operations/operations";
import { resources } from "@/lib/resources/index";
import { isResourceName } from "@/lib/resources/kinds";
import { can, ROLES, type Permission, type Role } from "@/lib/resources/permissions";

// Every route and page of the file tree × every method × every kind of caller, against the built server. The table of
// operations says who may call which (test/api/people/permissions.test.ts states its permissions a second time).

const app = join(process.cwd(), "app");
const VERBS = METHODS.map((method) => method.toUpperCase());

/** The parameter that matches any resource, in routes and in pages. */
const EVERY_RESOURCE = /\[resource\]|(?<=^\/admin\/)\[section\]/;

/** The addresses of a file with example parameters. A route for every resource has one address per resource. */
function addresses(file: string): string[] {
  return readdirSync(app, { recursive: true, encoding: "utf8" })
    .filter((path) => path.split(/[\\/]/).at(-1) === file)
    .map((path) => `/${path.replace(/[\\/]?[^\\/]+$/, "").replaceAll(/\([^)]*\)\//g, "")}`)
    .flatMap((path) =>
      EVERY_RESOURCE.test(path) ? Object.keys(resources).map((name) => path.replace(EVERY_RESOURCE, name)) : [path],
    )
    .filter((path) => !path.includes("[..."))
    .toSorted();
}

/** The address of an operation or a page with these parameters. */
function filledIn(path: string): string {
  return path.replaceAll(/[[{](\w+)[\]}]/g, (_, name: string) =>
    name === "number" || name === "to" ? "2000000000" : "x",
  );
}

/** The kinds of callers, and their headers. */
type Callers = Readonly<Record<string, Readonly<Record<string, string>>>>;

async function callersOf(server: ServerUnderTest): Promise<Callers> {
  const { baseUrl: origin, cookieName, cookies, endedCookie, apiKey } = server;
  const person = (value: string) => ({ cookie: `${cookieName}=${value}`, origin });
  const bearer = (value: string) => ({ authorization: `Bearer ${value}` });
  // Not an agent of the demo: who creates a key of an agent may no longer clear the agent's labels.
  const [agent, name] = ["crawl-agent", "crawl-key"];
  await askAdmin(server, "POST", "agents", { name: agent });
  const { key } = await askAdmin<{ key: string }>(server, "POST", "api-keys", { name, agent });
  await askAdmin(server, "DELETE", `api-keys/${name}`);
  await askAdmin(server, "DELETE", `agents/${agent}`);
  return {
    nobody: {},
    admin: person(cookies.admin),
    editor: person(cookies.editor),
    auditor: person(cookies.auditor),
    agent: bearer(apiKey),
    "an agent whose key was revoked": bearer(key),
    "an administrator whose session has ended": person(endedCookie),
    "somebody with a forged session": person(`${cookies.admin.slice(0, -4)}AAAA`),
    "an administrator on a page of another site": { ...person(cookies.admin), origin: "https://evil.example" },
  };
}

const isRole = (name: string): name is Role => (ROLES as readonly string[]).includes(name);

/** Whether this caller may get this status. The request's body changes no existing row. */
function fits({ who, method, helps }: Operation, caller: string, status: number): boolean {
  if (status >= 500) return false;
  // A route with optional credentials still refuses a wrong one.
  if (who === "anyone") return helps !== undefined || (status !== 401 && status !== 403);
  if (who === "agent") return (status !== 401 && status !== 403) === (caller === "agent");
  if (isRole(caller)) return can(caller, who) ? status !== 401 && status !== 403 : status === 403;
  if (caller === "an administrator on a page of another site" && method !== "get") return status === 403;
  return caller === "an administrator on a page of another site" ? status !== 401 : status === 401;
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The answer's head, and the page if it is one; what goes on for ever is left. */
async function send(server: ServerUnderTest, { method, path, headers }: Sent): Promise<Response & { html?: string }> {
  const hasBody = !["GET", "HEAD", "OPTIONS", "DELETE"].includes(method);
  const response = await fetch(server.baseUrl + path, {
    method,
    redirect: "manual",
    headers: { ...headers, ...(hasBody && { "content-type": "application/json" }) },
    ...(hasBody && { body: "{}" }),
  });
  if (response.headers.get("content-type")?.startsWith("text/html") === true)
    return Object.assign(response, { html: await response.text() });
  await response.body?.cancel();
  return response;
}

test("every route answers each caller as its permission says, in each of its methods", async ({ server }) => {
  test.setTimeout(300_000);
  const callers = Object.entries(await callersOf(server));
  const surprises: string[] = [];
  for (const operation of OPERATIONS)
    for (const [caller, headers] of callers) {
      // It would remove the rows that the journeys use. test/api/people/permissions.test.ts holds its permission.
      if (operation.id === "remove_demo" && caller === "admin") continue;
      const [method, path] = [operation.method.toUpperCase(), filledIn(operation.path)];
      const { status } = await send(server, { method, path, headers });
      if (!fits(operation, caller, status)) surprises.push(`${method} ${path} for ${caller}: ${status}`);
    }
  expect(surprises).toEqual([]);
});

test("every route refuses unknown methods, and answers HEAD like GET", async ({ server }) => {
  test.setTimeout(300_000);
  const callers = await callersOf(server);
  const surprises: string[] = [];
  const look = async (method: string, address: string, caller: string, expected: (status: number) => boolean) => {
    const { status } = await send(server, { method, path: filledIn(address), headers: callers[caller] ?? {} });
    if (!expected(status)) surprises.push(`${method} ${address} for ${caller}: ${status}`);
  };
  for (const address of addresses("route.ts")) {
    // A row's own methods are at an address whose name another route has taken.
    if (/\/(?:assertions\/run|groups\/matches)$/.test(address)) continue;
    const own = OPERATIONS.filter(({ path }) => path.replaceAll(/[{}]/g, "") === address.replaceAll(/[[\]]/g, ""));
    const methods = own.map(({ method }) => method.toUpperCase());
    // Their protocols describe these: MCP, and OAuth, whose errors have a form of their own.
    const isOfProtocol = /^\/(?:mcp$|\.well-known\/|oauth\/)/.test(address);
    if (methods.length === 0 && !isOfProtocol) surprises.push(`${address} is not described`);
    for (const method of isOfProtocol ? ["PUT", "PATCH"] : VERBS.filter((verb) => !methods.includes(verb)))
      for (const caller of ["nobody", "admin"]) {
        // The gateway refuses an anonymous request before it reads the body, on every route.
        const isGated = caller === "nobody" && address.startsWith("/api/admin/") && !["GET", "DELETE"].includes(method);
        await look(method, address, caller, (status) => status === (isGated ? 401 : 405));
      }
    if (!isOfProtocol) await look("OPTIONS", address, "nobody", (status) => status === 204);
    const get = own.find(({ method }) => method === "get");
    if (get !== undefined)
      for (const caller of ["nobody", "admin", "agent"])
        await look("HEAD", address, caller, (status) => fits(get, caller, status));
  }
  expect(surprises).toEqual([]);
});

/** Pages that not every role may read, and what that takes; written down a second time, as the routes are. */
const PAGES: Readonly<Record<string, Permission>> = {
  "/admin/audit": "audit:read",
  "/admin/audit/[id]": "audit:read",
  "/admin/executions/verify": "executions:verify",
};
const PUBLIC = /^\/(?:sign-in|docs)(?:\/|$)/;

function permissionOf(page: string): Permission {
  const resource = page.split("/")[2] ?? "";
  if (PAGES[page] !== undefined) return PAGES[page];
  const asked = page.endsWith("/new") ? "post" : "get";
  const operation = OPERATIONS.find(({ path, method }) => path === `/api/admin/${resource}` && method === asked);
  return isResourceName(resource) && operation !== undefined && operation.who !== "agent" && operation.who !== "anyone"
    ? operation.who
    : "configuration:read";
}

test("every page redirects anonymous visitors to sign in, and names the permission that a role lacks", async ({
  server,
}) => {
  test.setTimeout(300_000);
  const callers = Object.entries(await callersOf(server));
  const screens = Object.keys(SCREEN_TABLE).filter((name) => name !== "routing");
  const pages = [...addresses("page.tsx"), ...screens.map((name) => `/admin/${name}`)];
  expect(pages.length).toBeGreaterThan(40);
  const surprises: string[] = [];
  for (const page of pages)
    for (const [caller, headers] of callers) {
      const path = filledIn(page);
      const { status, html = "", headers: answered } = await send(server, { method: "GET", path, headers });
      const says = `${page} for ${caller}: ${status} ${answered.get("location") ?? ""}`;
      const isPerson = isRole(caller) || caller === "an administrator on a page of another site";
      const asks = (answered.get("location") ?? "").includes("/sign-in");
      const isRefused = html.includes("No access");
      const mayRead = isRole(caller) ? can(caller, permissionOf(page)) : true;
      if (PUBLIC.test(page) ? status >= 500 || asks : isPerson ? status >= 500 || asks || isRefused === mayRead : !asks)
        surprises.push(says);
    }
  expect(surprises).toEqual([]);
});
