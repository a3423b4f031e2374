import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Handler } from "@/lib/http/route";
import type { ResourceName } from "@/lib/resources/kinds";
import { can, PERMISSIONS, ROLES, type Permission, type Role } from "@/lib/resources/permissions";
import { mintApiKey, mintToken } from "@/lib/store/keys/credentials";
import { tokens } from "@/lib/store/people/tokens";
import { useDatabase } from "@/test/support/database";
import { ORIGIN, signIn } from "@/test/support/person";

const database = useDatabase();

const VERBS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
type Verb = (typeof VERBS)[number];
type Needs = Partial<Record<Verb, Permission>>;

/** The permission of each route, stated a second time on purpose: a changed permission fails here. */
const ROUTES: Readonly<Record<string, Needs>> = {
  "api-keys/[name]/rotate": { POST: "keys:write", DELETE: "keys:write" },
  "access-requests": { GET: "executions:read" },
  "access-requests/[id]": { GET: "executions:read" },
  "access-requests/[id]/approve": { POST: "calls:approve" },
  "access-requests/[id]/refuse": { POST: "calls:approve" },
  "access-requests/[id]/end": { POST: "calls:approve" },
  approvals: { GET: "executions:read" },
  "approvals/[id]": { GET: "executions:read" },
  "labels/[name]/held": { GET: "executions:read" },
  "held-labels": { GET: "executions:read" },
  "labels/[name]/clear": { POST: "calls:approve" },
  "approvals/details": { POST: "executions:read" },
  "approvals/[id]/approve": { POST: "calls:approve" },
  "approvals/[id]/refuse": { POST: "calls:approve" },
  "assertions/run": {
    POST: "configuration:read",
    GET: "configuration:read",
    PUT: "configuration:write",
    DELETE: "configuration:write",
  },
  "built-in-groups": { GET: "configuration:read" },
  "agent-sizes": { GET: "configuration:read" },
  "group-sizes": { GET: "configuration:read" },
  "bulk/[section]": { POST: "configuration:write" },
  audit: { GET: "audit:read" },
  "audit/[id]": { GET: "audit:read" },
  changes: { GET: "configuration:read" },
  "changes/[id]": { GET: "configuration:read" },
  config: { GET: "configuration:read", PUT: "configuration:write" },
  "config/example": { GET: "configuration:read" },
  "client-registrations": { GET: "people:read" },
  "client-registrations/[id]": { DELETE: "issuers:write" },
  connections: { GET: "configuration:read" },
  "connections/test": { POST: "people:read" },
  "connections/revocations": { GET: "people:read", POST: "issuers:write", DELETE: "issuers:write" },
  "connections/[id]": { DELETE: "connections:write" },
  "connection-requests/[id]": { POST: "connections:write" },
  deliveries: { GET: "configuration:read" },
  "deliveries/[id]": { GET: "configuration:read" },
  "deliveries/[id]/redeliver": { POST: "settings:write" },
  denials: { GET: "executions:read" },
  "denials/[id]": { GET: "executions:read" },
  "denials/[id]/handled": { PUT: "configuration:write", DELETE: "configuration:write" },
  drift: { GET: "configuration:read" },
  "drift/[id]": { GET: "configuration:read" },
  "drift/[id]/approve": { POST: "configuration:write" },
  "drift/[id]/reject": { POST: "configuration:write" },
  "drift/approve": { POST: "configuration:write" },
  "drift/reject": { POST: "configuration:write" },
  executions: { GET: "executions:read" },
  "executions/[id]": { GET: "executions:read" },
  "executions/[id]/proof": { GET: "executions:verify" },
  "executions/[id]/replay": { POST: "executions:bodies" },
  "executions/archives": { GET: "executions:verify", POST: "retention:write" },
  "executions/erasure": { POST: "retention:write" },
  "executions/export": { GET: "executions:export" },
  "executions/exports/[id]": { GET: "executions:export" },
  "executions/histogram": { GET: "executions:read" },
  "executions/seals": { GET: "executions:verify" },
  "executions/verify": { GET: "executions:verify" },
  demo: { GET: "configuration:read", DELETE: "settings:write" },
  requests: { GET: "configuration:read" },
  "requests/[id]": { GET: "configuration:read" },
  "requests/[id]/impact": { GET: "configuration:read" },
  "requests/[id]/approve": { POST: "changes:approve" },
  "requests/[id]/bypass": { POST: "changes:bypass" },
  "requests/[id]/confirm": { POST: "changes:approve" },
  "requests/[id]/revert": { POST: "changes:approve" },
  "requests/[id]/refuse": { POST: "changes:approve" },
  "requests/[id]/withdraw": { POST: "configuration:read" },
  "exports/approvals": { GET: "executions:export" },
  "exports/audit": { GET: "audit:read" },
  "exports/changes": { GET: "configuration:read" },
  "exports/deliveries": { GET: "configuration:read" },
  "exports/denials": { GET: "executions:export" },
  "exports/drift": { GET: "configuration:read" },
  "exports/findings": { GET: "configuration:read" },
  "exports/profiles": { GET: "configuration:read" },
  "exports/secrets": { GET: "configuration:read" },
  "exports/sessions": { GET: "executions:export" },
  findings: { GET: "configuration:read" },
  "groups/matches": {
    POST: "configuration:read",
    GET: "configuration:read",
    PUT: "configuration:write",
    DELETE: "configuration:write",
  },
  "flow-guesses": { GET: "configuration:read" },
  "flow-guesses/answer": { POST: "configuration:write" },
  impact: { POST: "configuration:read" },
  "impact/matchers": { POST: "configuration:read" },
  "impact/claim-paths": { GET: "configuration:read" },
  "impact/claim-values": { GET: "executions:bodies" },
  imports: { POST: "configuration:write" },
  "imports/[id]": { GET: "configuration:read" },
  "imports/[id]/events": { GET: "configuration:read" },
  "imports/[id]/callers": { POST: "configuration:read" },
  "imports/[id]/apply": { POST: "configuration:write" },
  "issuers/[name]/test": { POST: "configuration:read" },
  "issuers/[name]/revocations": { GET: "configuration:read", POST: "issuers:write", DELETE: "issuers:write" },
  "linked-accounts": { GET: "configuration:read" },
  "linked-accounts/[name]": { GET: "configuration:read", DELETE: "configuration:read" },
  "linked-accounts/[name]/start": { POST: "configuration:read" },
  "machines/[name]/activity": { GET: "executions:read" },
  me: { GET: "configuration:read" },
  "me/password": { PUT: "configuration:read" },
  attention: { GET: "executions:read" },
  overview: { GET: "executions:read" },
  pause: { GET: "configuration:read", PUT: "pause:write", DELETE: "pause:write" },
  preview: { POST: "configuration:read" },
  "preview/callers": { POST: "configuration:read" },
  "preview/compare": { POST: "configuration:read" },
  profiles: { GET: "configuration:read" },
  "profiles/[name]/drift": { GET: "configuration:read" },
  "profiles/[name]/drift/accept": { POST: "profile-drift:accept" },
  revisions: { GET: "configuration:read" },
  "revisions/[number]": { GET: "configuration:read" },
  "revisions/[number]/diff/[to]": { GET: "configuration:read" },
  "revisions/[number]/restore": { POST: "configuration:write" },
  "agents/[name]/use": { GET: "executions:read" },
  observations: { GET: "executions:read" },
  trifecta: { GET: "executions:read" },
  "flow-impact": { POST: "executions:read" },
  rightsizing: { GET: "executions:read" },
  "rightsizing/[name]": { GET: "executions:read" },
  "rightsizing/[name]/draft": { POST: "configuration:write" },
  "rightsizing/[name]/keep": { PUT: "configuration:write" },
  secrets: { GET: "configuration:read" },
  "secrets/[name]": { GET: "configuration:read", PUT: "secrets:write", DELETE: "secrets:write" },
  sessions: { GET: "executions:read" },
  "sessions/[id]": { GET: "executions:read" },
  settings: { GET: "configuration:read", PUT: "settings:write" },
  "sources/[name]/breaker": { GET: "configuration:read" },
  "sources/[name]/breaker/reset": { POST: "configuration:write" },
  "sources/[name]/sync": { POST: "configuration:write" },
  "mcp-commands": { GET: "configuration:read" },
  "source-health": { GET: "configuration:read" },
  "tools/[id]/groups": { GET: "configuration:read" },
  "tools/[id]/try": { POST: "configuration:write" },
  "users/[name]/password": { POST: "people:write" },
  "webhooks/[name]/rotate": { POST: "settings:write" },
  "webhooks/[name]/test": { POST: "settings:write" },
  views: { GET: "configuration:read", POST: "configuration:read" },
  "views/[id]": { GET: "configuration:read", PUT: "configuration:read", DELETE: "configuration:read" },
};

/** The permissions to read and to write each resource, a second time too. */
const RESOURCES: Readonly<Record<ResourceName, readonly [read: Permission, write: Permission]>> = {
  sources: ["configuration:read", "configuration:write"],
  tools: ["configuration:read", "configuration:write"],
  groups: ["configuration:read", "configuration:write"],
  policies: ["configuration:read", "configuration:write"],
  machines: ["configuration:read", "configuration:write"],
  personas: ["configuration:read", "configuration:write"],
  intents: ["configuration:read", "configuration:write"],
  labels: ["configuration:read", "configuration:write"],
  flows: ["configuration:read", "configuration:write"],
  issuers: ["configuration:read", "issuers:write"],
  agents: ["configuration:read", "configuration:write"],
  clients: ["configuration:read", "issuers:write"],
  assertions: ["configuration:read", "configuration:write"],
  "api-keys": ["keys:read", "keys:write"],
  tokens: ["people:read", "people:write"],
  users: ["people:read", "people:write"],
  webhooks: ["configuration:read", "settings:write"],
};

interface Operation {
  readonly verb: Verb;
  readonly address: string;
  readonly needs: Permission | undefined;
  readonly handler: Handler;
  readonly params: Record<string, string>;
}

const folder = join(import.meta.dirname, "../../../app/api/admin");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => /(^|\/)route\.ts$/.test(file))
  .map((file) => file.replace(/\/?route\.ts$/, ""))
  .toSorted();

const operations: Operation[] = (
  await Promise.all(
    files.map(async (path) => {
      const route = (await import(join(folder, path, "route.ts"))) as Partial<Record<Verb, Handler>>;
      return VERBS.flatMap((verb) => {
        const handler = route[verb];
        return handler === undefined ? [] : addresses(path, verb).map((at) => ({ ...at, verb, handler }));
      });
    }),
  )
).flat();

function addresses(path: string, verb: Verb): Pick<Operation, "address" | "needs" | "params">[] {
  if (!path.includes("[resource]"))
    return [{ address: path, needs: ROUTES[path]?.[verb], params: { id: "x", number: "0", name: "x" } }];
  return Object.entries(RESOURCES).map(([resource, [read, write]]) => ({
    address: path.replace("[resource]", resource),
    needs: verb === "GET" ? read : write,
    params: { resource, id: "x" },
  }));
}

function send({ verb, address, handler, params }: Operation, headers: Record<string, string>): Promise<Response> {
  const body = verb === "GET" || verb === "DELETE" ? {} : { body: "{}" };
  const request = new Request(`${ORIGIN}/api/admin/${address}`, {
    method: verb,
    headers: { "content-type": "application/json", ...headers },
    ...body,
  });
  return handler(request, { params: Promise.resolve(params) });
}

const named = operations.map((operation) => [`${operation.verb} /api/admin/${operation.address}`, operation] as const);
const cookies = {} as Record<Role, Awaited<ReturnType<typeof signIn>>>;
const bearers = {} as Record<Role, string>;

beforeAll(async () => {
  for (const role of ROLES) {
    cookies[role] = await signIn(role);
    const actor = { kind: "system", name: "test", role: "admin" } as const;
    bearers[role] = (await tokens.create(actor, { name: role, role, expiresAt: null, enabled: true })).token;
  }
});

test("the table of permissions lists every admin route, and no others", () => {
  expect(named.filter(([, { needs }]) => needs === undefined).map(([name]) => name)).toEqual([]);
  const there = new Set(operations.map(({ verb, address }) => `${verb} ${address}`));
  const listed = Object.entries(ROUTES).flatMap(([path, needs]) => Object.keys(needs).map((verb) => `${verb} ${path}`));
  expect(listed.filter((name) => !there.has(name))).toEqual([]);
});

describe.each(named)("%s", (_name, operation) => {
  const needs = operation.needs ?? "secrets:write";
  test.each(ROLES.filter((role) => can(role, needs)))("opens to the role %s", async (role) => {
    for (const headers of [cookies[role], { authorization: `Bearer ${bearers[role]}` }])
      expect([401, 403]).not.toContain((await send(operation, headers)).status);
  });
  test.each(ROLES.filter((role) => !can(role, needs)))(
    "is closed to the role %s, naming the permission",
    async (role) => {
      for (const headers of [cookies[role], { authorization: `Bearer ${bearers[role]}` }]) {
        const response = await send(operation, headers);
        expect(response.status).toBe(403);
        expect(await response.json()).toMatchObject({ code: "forbidden", permission: needs });
      }
    },
  );
  test("refuses strangers, agents' keys, unknown tokens and ended sessions", async () => {
    const closed = [
      {},
      { cookie: "next-auth.session-token=forged", origin: ORIGIN },
      { authorization: `Bearer ${mintApiKey().key}` },
      { authorization: `Bearer ${mintToken().token}` },
      { authorization: "Basic YTpi", ...cookies.admin },
      { authorization: "Bearer eyJhbGciOiJub25lIn0.e30." },
    ];
    for (const headers of closed) {
      const response = await send(operation, headers);
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ code: "unauthenticated" });
    }
  });
});

describe.each(named.filter(([, { verb }]) => verb !== "GET"))("%s", (_name, operation) => {
  test("refuses requests from another site, with any session", async () => {
    const { cookie } = cookies.admin;
    for (const origin of [{}, { origin: "https://evil.example" }, { origin: "null" }])
      expect((await send(operation, { cookie, ...origin })).status).toBe(403);
  });
});

describe("a person's role", () => {
  const read = operations.find(({ verb, address }) => verb === "GET" && address === "me")!;

  test("is read on every request: after a change the session has ended, and an unknown role has no rights", async () => {
    const headers = await signIn("editor");
    await database.query("update person set role = 'auditor' where email = 'editor@example.com'");
    expect((await send(read, headers)).status).toBe(401);
    const again = await signIn("editor");
    expect(await (await send(read, again)).json()).toMatchObject({ role: "auditor" });
    await database.query("update person set role = 'sultan' where email = 'editor@example.com'");
    expect((await send(read, again)).status).toBe(401);
    await database.query("update person set role = 'editor' where email = 'editor@example.com'");
  });
  test("ends with the user, a disabled user and a new session epoch", async () => {
    const headers = await signIn("auditor");
    for (const change of ["enabled = false", 'enabled = true, "sessionEpoch" = 1']) {
      await database.query(`update person set ${change} where email = 'auditor@example.com'`);
      expect((await send(read, headers)).status).toBe(401);
    }
    const again = await signIn("auditor");
    expect((await send(read, again)).status).toBe(200);
    await database.query("delete from person where email = 'auditor@example.com'");
    expect((await send(read, again)).status).toBe(401);
  });
  test("has exactly the permissions of the table, which the browser gets", async () => {
    for (const role of ["admin", "editor"] as const) {
      const person = (await (await send(read, await signIn(role))).json()) as { permissions: string[] };
      expect(person.permissions).toEqual(Object.keys(PERMISSIONS).filter((name) => can(role, name as Permission)));
    }
  });
});

test("a disabled or expired personal access token opens nothing", async () => {
  const read = operations.find(({ verb, address }) => verb === "GET" && address === "me")!;
  const headers = { authorization: `Bearer ${bearers.admin}` };
  expect((await send(read, headers)).status).toBe(200);
  await database.query("update token set enabled = false where name = 'admin'");
  expect((await send(read, headers)).status).toBe(401);
  await database.query(
    "update token set enabled = true, \"expiresAt\" = now() - interval '1 second' where name = 'admin'",
  );
  expect((await send(read, headers)).status).toBe(401);
});
