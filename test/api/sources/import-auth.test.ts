import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as applying from "@/app/api/admin/imports/[id]/apply/route";
import * as item from "@/app/api/admin/imports/[id]/route";
import * as list from "@/app/api/admin/imports/route";
import * as syncing from "@/app/api/admin/sources/[name]/sync/route";
import { importJob, type ImportJob } from "@/lib/contracts/sources/import-job";
import { sourceInput } from "@/lib/resources/source";
import { stores } from "@/lib/store/config/index";
import { setSecret } from "@/lib/store/config/secrets";
import { sharedMcpConnections } from "@/lib/calls/mcp/connections";
import { ADMIN } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { findInDatabase } from "@/test/support/find-in-database";
import { startIssuer, type TestIssuer } from "@/test/support/servers/issuer";
import { startMcpServer, type McpServer } from "@/test/support/servers/mcp-server";
import { CLIENT, startTokenServer, type TokenServer } from "@/test/support/servers/token-server";

const database = useDatabase();

const KEY = "k3y+with/odd=chars&more";

let documents: Server;
let origin: string;
let elsewhere: Server;
let corp: TestIssuer;
let tokens: TokenServer;
let mcp: McpServer;
/** Requests at the documents' server, and at the other one. */
let seen: IncomingMessage[] = [];
let strayed: IncomingMessage[] = [];
/** The status that a request for a document gets. */
let statusFor: (request: IncomingMessage) => number | Promise<number> = () => 200;
/** What the document says of itself, as text inside a JSON string. */
let description = "Plain.";
let security: object = {};

const originOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const bearerOf = ({ headers }: IncomingMessage) => headers.authorization?.replace("Bearer ", "") ?? "";

beforeAll(async () => {
  elsewhere = createServer((request, response) => {
    strayed.push(request);
    response.writeHead(200).end("{}");
  });
  documents = createServer((request, response) => {
    seen.push(request);
    void (async () => {
      const status = await statusFor(request);
      const headers = status === 302 ? { location: `${originOf(elsewhere)}/openapi.json` } : {};
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(status === 200 ? documentText() : "no");
    })();
  });
  for (const server of [elsewhere, documents]) await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  origin = originOf(documents);
  corp = await startIssuer();
  tokens = await startTokenServer(corp);
  mcp = await startMcpServer();
  allowOutbound(new URL(origin).host, new URL(originOf(elsewhere)).host, tokens.host, mcp.host);
  const origins = [origin, tokens.origin, mcp.origin];
  await setSecret(ADMIN, "key", { value: KEY, origins });
  await setSecret(ADMIN, "client", { value: CLIENT.secret, origins });
  await setSecret(ADMIN, "foreign", { value: "of-another-house", origins: ["https://elsewhere.example"] });
});
afterAll(async () => {
  await sharedMcpConnections().close();
  for (const server of [elsewhere, documents]) {
    server.closeAllConnections();
    server.close();
  }
  await Promise.all([corp.close(), tokens.close(), mcp.close()]);
});
beforeEach(() => {
  [seen, strayed, statusFor, description, security] = [[], [], () => 200, "Plain.", {}];
});
afterEach(() =>
  database.query("truncate source, source_sync, tool, drift, change, revision, import_job, upstream_definition"),
);

function documentText(): string {
  const document = {
    openapi: "3.1.0",
    info: { title: "Orders", version: "1" },
    servers: [{ url: origin }],
    paths: { "/orders": { get: { operationId: "orders", description: "DESCRIPTION" } } },
    ...security,
  };
  return JSON.stringify(document).replace("DESCRIPTION", description);
}

/** Starts an import and waits until it is read. */
async function read(body: object): Promise<ImportJob> {
  const started = await ask<{ id: string }>(list.POST, "POST", "/api/admin/imports", { body });
  expect(started.status).toBe(202);
  return finished(started.json.id);
}

/** A sync also applies what it has read. */
async function finished(id: string, isSync = false): Promise<ImportJob> {
  const job = async () => {
    const got = importJob.parse((await ask(item.GET, "GET", `/api/admin/imports/${id}`, { params: { id } })).json);
    return (isSync ? ["running", "planned"] : ["running"]).includes(got.status) ? null : got;
  };
  return (await vi.waitUntil(job, { timeout: 15_000 })) as ImportJob;
}

const apply = (id: string, body: object) =>
  ask(applying.POST, "POST", `/api/admin/imports/${id}/apply`, { body, params: { id } });
const fromServer = (auth?: object) => ({ source: "orders", url: `${origin}/openapi.json`, ...(auth && { auth }) });

const MODES = {
  "an API key in a header": [
    () => ({ mode: "api_key", in: "header", name: "X-Api-Key", secret: "key" }),
    (request: IncomingMessage) => request.headers["x-api-key"] === KEY,
  ],
  "an API key in the query": [
    () => ({ mode: "api_key", in: "query", name: "api_key", secret: "key" }),
    ({ url = "" }: IncomingMessage) => new URL(url, origin).searchParams.get("api_key") === KEY,
  ],
  "a user name and password": [
    () => ({ mode: "basic", username: "robot", secret: "key" }),
    ({ headers }: IncomingMessage) =>
      headers.authorization === `Basic ${Buffer.from(`robot:${KEY}`).toString("base64")}`,
  ],
  "a bearer token": [
    () => ({ mode: "bearer", secret: "key" }),
    (request: IncomingMessage) => bearerOf(request) === KEY,
  ],
  "client credentials": [
    () => ({ mode: "client_credentials", tokenUrl: tokens.tokenUrl, clientId: CLIENT.id, secret: "client" }),
    (request: IncomingMessage) => tokens.accepts(bearerOf(request)),
  ],
} as const;

describe("a document behind a login", () => {
  it.each(Object.entries(MODES))(
    "is imported and synchronised with %s of the source",
    async (_mode, [auth, admits]) => {
      statusFor = async (request) => ((await admits(request)) ? 200 : 401);
      const job = await read(fromServer(auth()));
      expect(job).toMatchObject({ status: "planned", error: null, auth: auth() });
      expect((await apply(job.id, { operations: "all" })).status).toBe(200);
      expect(await stores.sources.get("orders")).toMatchObject({ auth: auth(), url: `${origin}/openapi.json` });
      const params = { name: "orders" };
      const sync = await ask<{ id: string }>(syncing.POST, "POST", "/api/admin/sources/orders/sync", { params });
      await vi.waitUntil(
        async () => (await ask(item.GET, "GET", "/", { params: { id: sync.json.id } })).json["status"] === "applied",
        { timeout: 15_000 },
      );
      expect(seen).toHaveLength(2);
    },
  );

  it("is requested with a new token when the cached one is refused", async () => {
    const [auth, admits] = MODES["client credentials"];
    statusFor = async (request) => ((await admits(request)) ? 200 : 401);
    await read(fromServer(auth()));
    await tokens.revoke(bearerOf(seen[0]!));
    expect(await read(fromServer(auth()))).toMatchObject({ status: "planned" });
    expect(seen).toHaveLength(3);
  });

  it.each([
    ["as it is", () => KEY],
    ["as JSON may spell it", () => KEY.replace("/", "\\/")],
    ["in code points", () => [...KEY].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")],
  ])("hands nobody the key that it repeats %s", async (_spelling, spelled) => {
    description = `Your key is ${spelled()}.`;
    const job = await read(fromServer({ mode: "bearer", secret: "key" }));
    expect(job.plan.added[0]?.description).toBe("Your key is [redacted].");
    await apply(job.id, { operations: "all" });
    expect(await findInDatabase(database, KEY)).toEqual([]);
  });

  it.each([
    ["none", undefined, /requires credentials: set the authentication of the source/],
    ["one that is refused", { mode: "bearer", secret: "key" }, /`auth` \(bearer, secret `key`\)\. Check/],
    ["one that may not go there", { mode: "bearer", secret: "foreign" }, /secret `foreign` may not be sent to http/],
  ])("says what to set where the source has %s", async (_case, auth, sentence) => {
    for (const status of [401, 403]) {
      statusFor = () => status;
      const job = await read(fromServer(auth));
      expect(job).toMatchObject({ status: "failed", error: expect.stringMatching(sentence) as unknown });
      expect(job.error).toContain(String(status));
    }
  });

  it("that needs the caller's token reports that a reading has no caller", async () => {
    const auth = {
      mode: "token_exchange",
      tokenUrl: tokens.tokenUrl,
      clientId: CLIENT.id,
      secret: "client",
      audience: "orders",
    };
    expect(await read(fromServer(auth))).toMatchObject({ status: "planned" });
    statusFor = () => 401;
    expect((await read(fromServer(auth))).error).toMatch(
      /token exchange, which needs a caller\. To read the address, set `auth` to client/,
    );
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });
});

describe("the credentials of a source", () => {
  it("are sent only to origins that their secret names; public parts are read without them", async () => {
    const job = await read(fromServer({ mode: "bearer", secret: "foreign" }));
    expect(job).toMatchObject({ status: "planned", error: null });
    expect(seen[0]!.headers).not.toHaveProperty("authorization");
  });

  it.each([
    ["whose secret is not set", { mode: "bearer", secret: "unset" }, "There is no secret `unset`"],
    [
      "that gets no token",
      () => ({ mode: "client_credentials", tokenUrl: `${origin}/token`, clientId: "c", secret: "client" }),
      "it answered 503",
    ],
  ])("fail the reading of a source %s: nobody else may see the whole document", async (_case, auth, sentence) => {
    statusFor = ({ url }) => (url === "/token" ? 503 : 200);
    const job = await read(fromServer(typeof auth === "function" ? auth() : auth));
    expect(job).toMatchObject({ status: "failed", error: expect.stringContaining(sentence) as unknown });
    expect(seen.filter(({ url }) => url !== "/token")).toEqual([]);
  });

  it("of people are missed where a sync has none: it fails only if a tool would disappear", async () => {
    const auth = { mode: "user", resource: origin };
    // A new source has no accounts yet.
    const { id } = await read(fromServer(auth));
    expect(await apply(id, { operations: "all" })).toMatchObject({ status: 200 });
    await database.query("update source set url = $1", [`${origin}/openapi.json`]);
    const sync = async () => {
      const path = "/api/admin/sources/orders/sync";
      const { json } = await ask<{ id: string }>(syncing.POST, "POST", path, { params: { name: "orders" } });
      return finished(json.id, true);
    };
    expect(await sync()).toMatchObject({ status: "applied", error: null });
    security = { paths: {} };
    const refused = { status: "failed", error: expect.stringContaining("name an `importSecret`") as unknown };
    expect(await sync()).toMatchObject(refused);
    // Accounts that were linked here stay here when new ones are linked elsewhere.
    const elsewhereNow = JSON.stringify({ ...auth, resource: originOf(elsewhere) });
    await database.query("update source set auth = auth || $1::jsonb", [elsewhereNow]);
    await database.query(
      `insert into linked_account (id, "personId", source, origin, issuer, scope, "linkedAt")
       values (gen_random_uuid(), gen_random_uuid(), 'orders', $1, '', '', now())`,
      [origin],
    );
    expect(await sync()).toMatchObject(refused);
    expect(await database.query("select status from tool")).toEqual([{ status: "active" }]);
    await database.query("truncate linked_account");
    expect(await sync()).toMatchObject({ status: "applied", error: null });
    expect(await database.query("select status from tool")).toEqual([{ status: "deprecated" }]);
  });

  describe("of people that a reading lacks", () => {
    const applyAll = async (id: string) =>
      expect(await apply(id, { operations: "all" })).toMatchObject({ status: 200 });
    /** Imports an operation that only accounts see, as a person does. */
    const importPrivate = async () => {
      const plain = JSON.parse(documentText()) as { paths: object };
      const paths = { ...plain.paths, "/private": { get: { operationId: "private" } } };
      await applyAll((await read({ source: "orders", document: JSON.stringify({ ...plain, paths }) })).id);
    };
    const statusOfPrivate = () => database.query("select status from tool where id = 'orders:private'");
    const lacking = expect.stringContaining("lacks the operations of 1 tool, so nothing changes") as unknown;
    beforeEach(async () => {
      await applyAll((await read(fromServer({ mode: "user", resource: origin }))).id);
      await database.query("update source set url = $1", [`${origin}/openapi.json`]);
      seen = [];
    });

    it("deprecate no tool that was imported while a sync read", async () => {
      let answer = (_status: number) => {};
      const held = new Promise<number>((resolve) => (answer = resolve));
      statusFor = () => held;
      const path = "/api/admin/sources/orders/sync";
      const { json } = await ask<{ id: string }>(syncing.POST, "POST", path, { params: { name: "orders" } });
      await vi.waitUntil(() => seen.length === 1, { timeout: 15_000 });
      await importPrivate();
      answer(200);
      expect(await finished(json.id, true)).toMatchObject({ status: "failed", error: lacking });
      expect(await statusOfPrivate()).toEqual([{ status: "active" }]);
    });

    it("deprecate no tool that was imported after an import was planned", async () => {
      const { id } = await read({ source: "orders" });
      await importPrivate();
      const refused = { status: 502, json: { code: "upstream_auth_failed", detail: lacking } };
      for (const operations of ["all", ["orders:private"]])
        expect(await apply(id, { operations })).toMatchObject(refused);
      expect(await statusOfPrivate()).toEqual([{ status: "active" }]);
      expect(await apply(id, { operations: ["orders:orders"] })).toMatchObject({ status: 200 });
    });
  });

  it("follow no redirect", async () => {
    statusFor = () => 302;
    const job = await read(fromServer({ mode: "bearer", secret: "key" }));
    expect(job.error).toMatch(/redirect \(302\)/);
    expect(strayed).toEqual([]);
  });

  it("are stated by an import only of a source that is not there yet", async () => {
    await stores.sources.create(ADMIN, sourceInput.parse({ name: "orders", kind: "openapi" }));
    const body = fromServer({ mode: "bearer", secret: "key" });
    const refused = await ask(list.POST, "POST", "/api/admin/imports", { body });
    expect([refused.status, refused.json.errors[0]?.path]).toEqual([400, "auth"]);
    const half = await ask(list.POST, "POST", "/api/admin/imports", { body: fromServer({ mode: "bearer" }) });
    expect([half.status, half.json.errors[0]?.path]).toEqual([400, "auth.secret"]);
  });
});

describe("an MCP server behind a login", () => {
  const source = (auth: object) =>
    stores.sources.create(ADMIN, sourceInput.parse({ name: "orders", kind: "mcp", url: mcp.url, auth }));
  const refuse = () => new Response("no", { status: 401 });

  it("says what to configure when the source has no credential, or a refused one", async () => {
    mcp.tools = { one: {} };
    mcp.intercept = refuse;
    await source({ mode: "none" });
    expect((await read({ source: "orders" })).error).toMatch(
      /status 401\. It requires credentials: set the authentication of the source/,
    );
    await stores.sources.remove(ADMIN, "orders", "*");
    await source({ mode: "bearer", secret: "key" });
    expect((await read({ source: "orders" })).error).toMatch(/`auth` \(bearer, secret `key`\)\. Check the credentials/);
  });

  it("that is called in the caller's name is listed without credentials when it allows that", async () => {
    mcp.tools = { one: {} };
    mcp.intercept = () => null;
    mcp.seen.length = 0;
    await source({
      mode: "token_exchange",
      tokenUrl: tokens.tokenUrl,
      clientId: CLIENT.id,
      secret: "client",
      audience: "orders",
    });
    expect((await read({ source: "orders" })).plan.added).toMatchObject([{ toolId: "orders:one" }]);
    expect(mcp.seen.every((headers) => headers.authorization === undefined)).toBe(true);
    await sharedMcpConnections().close();
    mcp.intercept = refuse;
    expect((await read({ source: "orders" })).error).toMatch(
      /needs a caller\. To read the address, set `auth` to client credentials/,
    );
  });
});

describe("what a document says of its authentication", () => {
  const schemes = (securitySchemes: object, requirements: object[]) => ({
    security: requirements,
    components: { securitySchemes },
  });

  it("is suggested with the plan as far as possible, and set when the plan is applied with it", async () => {
    security = schemes({ key: { type: "apiKey", in: "header", name: "X-Api-Key" } }, [{ key: [] }]);
    const job = await read(fromServer());
    const [suggestion] = job.suggestedAuth;
    expect(job.suggestedAuth).toEqual([
      { scheme: "key", auth: { mode: "api_key", in: "header", name: "X-Api-Key" }, origins: [origin] },
    ]);
    const half = await apply(job.id, { operations: "all", auth: suggestion!.auth });
    expect([half.status, half.json.errors[0]?.path]).toEqual([400, "auth.secret"]);
    const auth = { ...suggestion!.auth, secret: "key" };
    expect((await apply(job.id, { operations: "all", auth })).status).toBe(200);
    expect(await stores.sources.get("orders")).toMatchObject({ auth });
    expect(await database.query("select distinct revision from change")).toHaveLength(1);
  });

  it("is neither suggested nor noted for a source that authenticates already", async () => {
    security = schemes({ token: { type: "http", scheme: "bearer" } }, [{ token: [] }]);
    const told = (job: ImportJob) => job.warnings.map(({ message }) => message).filter((text) => text.includes("HTTP"));
    expect(told(await read(fromServer()))).toHaveLength(1);
    const again = await read(fromServer({ mode: "bearer", secret: "key" }));
    expect([again.suggestedAuth, told(again)]).toEqual([[], []]);
    // A text of the document drops no note.
    const name = "set it as the source's authentication";
    security = schemes({ session: { type: "apiKey", in: "cookie", name } }, [{ session: [] }]);
    const { warnings } = await read(fromServer({ mode: "bearer", secret: "key" }));
    expect(warnings).toEqual([
      { path: "", message: `requires a credential in the cookie \`${name}\`, which calls cannot send` },
    ]);
  });
});
