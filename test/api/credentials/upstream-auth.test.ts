import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { upstreamAuth, type SourceRow } from "@/lib/resources/source";
import { outbound } from "@/lib/outbound/fetch";
import { getExecution } from "@/lib/store/log/executions";
import { deleteSecret, setSecret } from "@/lib/store/config/secrets";
import { credentialStore } from "@/lib/calls/credentials/credentials";
import { ADMIN, Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { findInDatabase } from "@/test/support/find-in-database";
import { startIssuer, type TestIssuer } from "@/test/support/servers/issuer";
import { CLIENT, EXCHANGE, startTokenServer, type TokenServer } from "@/test/support/servers/token-server";
import { ANY_CALLER } from "@/test/support/any-caller";

// The tests read everything that the program logs, so it logs at the most verbose level.
process.env["LOG_LEVEL"] = "trace";
const logged: string[] = [];

const database = useDatabase();

const KEY = "k3y+with/odd=chars&more";
const PASSWORD = 'pässword-"quoted"';
const BEARER = "opaque-bearer-0123456789";

let upstream: Server;
let host: string;
let corp: TestIssuer;
let tokens: TokenServer;
let byKey: Client;
let byToken: Client;
let callerToken: string;
/** The upstream's requests, oldest first. */
let seen: IncomingMessage[] = [];
/** The credentials that the upstream accepts. */
let admits: (request: IncomingMessage) => boolean | Promise<boolean> = () => true;

const MODES = {
  keyed: { mode: "api_key", in: "header", name: "X-Api-Key", secret: "api-key" },
  queried: { mode: "api_key", in: "query", name: "api_key", secret: "api-key" },
  basic: { mode: "basic", username: "robot", secret: "password" },
  bearer: { mode: "bearer", secret: "bearer" },
  granted: { mode: "client_credentials", clientId: CLIENT.id, secret: "client", scope: "orders:read" },
  exchanged: { mode: "token_exchange", clientId: CLIENT.id, secret: "client", audience: "orders" },
} as const;
type Mode = keyof typeof MODES;

it("a call of this file uses every mode that needs a secret", () => {
  const used = new Set(Object.values(MODES).map(({ mode }) => mode));
  const modes = upstreamAuth.options.map(({ shape }) => shape.mode.value);
  // Linked accounts have tests of their own (linked-calls.test.ts).
  const needed = modes.filter((mode) => mode !== "none" && mode !== "user");
  expect([...used].toSorted()).toEqual(needed.toSorted());
});

const bearerOf = ({ headers }: IncomingMessage) => headers.authorization?.replace("Bearer ", "") ?? "";

beforeAll(async () => {
  upstream = createServer((request, response) => {
    seen.push(request);
    void (async () => {
      const admitted = await admits(request);
      const status = admitted ? Number(new URL(request.url ?? "", "http://x").searchParams.get("status") ?? 200) : 401;
      // Whatever it was sent it says again, headers decoded as a careless upstream would.
      const basic = Buffer.from(request.headers.authorization?.replace("Basic ", "") ?? "", "base64").toString();
      const body = { headers: request.headers, url: request.url, basic, [bearerOf(request)]: "as a key" };
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    })();
  });
  await new Promise<void>((done) => upstream.listen(0, "127.0.0.1", done));
  host = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  corp = await startIssuer();
  tokens = await startTokenServer(corp);
  allowOutbound(host, corp.host, tokens.host);
  await configure();
  const origins = [`http://${host}`, tokens.origin];
  for (const [name, value] of Object.entries({
    "api-key": KEY,
    password: PASSWORD,
    bearer: BEARER,
    client: CLIENT.secret,
  }))
    await setSecret(ADMIN, name, { value, origins });
  byKey = new Client(await keyOf("reader"));
  callerToken = await corp.token({ sub: "alice" });
  byToken = new Client(callerToken);
});

afterAll(async () => {
  upstream.closeAllConnections();
  upstream.close();
  await Promise.all([corp.close(), tokens.close()]);
});

beforeEach(() => {
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    logged.push(String(text));
    return true;
  });
  seen = [];
  admits = () => true;
  tokens.asked.length = 0;
  tokens.setLifetime(300);
});

async function configure(changes: Partial<Record<Mode, object>> = {}): Promise<void> {
  const document = supportDocument() as { sources: object[]; tools: object[]; policies: object[]; groups: object[] };
  const auth = (mode: Mode) => ({
    ...MODES[mode],
    ...("clientId" in MODES[mode] && { tokenUrl: tokens.tokenUrl }),
    ...changes[mode],
  });
  const modes = Object.keys(MODES) as Mode[];
  await save({
    ...document,
    issuers: [
      { name: "corp", issuer: corp.issuer, audience: "quartermaster", jwksUri: corp.jwksUri, algorithms: ["ES256"] },
    ],
    sources: [...document.sources, ...modes.map((name) => ({ name, kind: "http", auth: auth(name) }))],
    tools: [
      ...document.tools,
      ...modes.map((name) => ({
        id: `${name}:echo`,
        description: "Says what it was sent.",
        inputSchema: { type: "object" },
        limits: { retries: 0 },
        run: {
          kind: "http",
          method: "POST",
          url: `http://${host}/echo`,
          parameters: ["status", "api_key", "x"].map((property) => ({ property, name: property, in: "query" })),
        },
      })),
    ],
    groups: [...document.groups, { name: "echoes", selectors: [{ name: "echo" }] }],
    policies: [...document.policies, { name: "echoers", everyone: true, groups: ["echoes"] }],
  });
}

/** Calls the tool of a source, by default in the caller's name. */
const echo = (mode: Mode, args: object = {}, client = byToken) =>
  client.call({ tool_id: `${mode}:echo`, arguments: args });

describe("credentials for a call", () => {
  it.each([
    ["keyed", (request: IncomingMessage) => request.headers["x-api-key"] === KEY],
    ["queried", ({ url = "" }: IncomingMessage) => new URL(url, "http://x").searchParams.get("api_key") === KEY],
    [
      "basic",
      ({ headers }: IncomingMessage) =>
        headers.authorization === `Basic ${Buffer.from(`robot:${PASSWORD}`).toString("base64")}`,
    ],
    ["bearer", (request: IncomingMessage) => bearerOf(request) === BEARER],
    ["granted", (request: IncomingMessage) => tokens.accepts(bearerOf(request))],
    ["exchanged", (request: IncomingMessage) => tokens.accepts(bearerOf(request))],
  ] as const)("open the upstream in mode %s, and only there", async (mode, check) => {
    admits = check;
    const answer = await echo(mode);
    expect(answer.json.error).toBeUndefined();
    expect(answer.json).toMatchObject({ status: "succeeded", attempts: 1 });
    expect(JSON.stringify(seen.map(({ headers, url }) => [headers, url]))).not.toContain(callerToken);
  });

  it.each(Object.keys(MODES) as Mode[])(
    "in mode %s are in no answer, no table and no log, whatever the upstream repeats",
    async (mode) => {
      logged.length = 0;
      const answers = [];
      for (const status of [200, 400, 401, 500]) answers.push(await echo(mode, { status, x: "y".repeat(1200) }));
      const secrets = [KEY, PASSWORD, BEARER, CLIENT.secret, ...seen.map(bearerOf)].filter((text) => text !== "");
      const rows = await Promise.all(answers.map(({ json }) => getExecution(json.call_id, { bodies: true })));
      const published = JSON.stringify([answers.map(({ text }) => text), rows]) + logged.join("");
      expect(answers[0]!.text).toContain("[redacted]");
      expect(logged.join("")).toContain("A profile was used.");
      for (const secret of secrets)
        for (const text of [
          secret,
          JSON.stringify(secret).slice(1, -1),
          encodeURIComponent(secret),
          secret.slice(0, 12),
        ]) {
          expect(published).not.toContain(text);
          expect(await findInDatabase(database, text)).toEqual([]);
        }
      expect(await findInDatabase(database, Buffer.from(`robot:${PASSWORD}`).toString("base64"))).toEqual([]);
    },
  );

  it("cannot be replaced by an argument of the same name", async () => {
    await echo("queried", { api_key: "mine", x: "a b&api_key=mine" });
    const { searchParams } = new URL(seen[0]!.url!, "http://x");
    expect(searchParams.getAll("api_key")).toEqual([KEY]);
    expect(searchParams.get("x")).toBe("a b&api_key=mine");
  });

  it("are the new ones from the next call on", async () => {
    const origins = [`http://${host}`];
    await setSecret(ADMIN, "bearer", { value: `${BEARER}-new`, origins });
    await echo("bearer");
    await setSecret(ADMIN, "bearer", { value: BEARER, origins });
    await echo("bearer");
    expect(seen.map(bearerOf)).toEqual([`${BEARER}-new`, BEARER]);
  });

  it("go to no origin outside the secret's list: no request is sent", async () => {
    await setSecret(ADMIN, "bearer", { origins: ["https://elsewhere.example"] });
    const answer = await echo("bearer");
    expect(answer).toMatchObject({ status: 502, json: { error: { code: "upstream_auth_failed", retryable: false } } });
    expect(answer.json.error?.message).toContain("may not be sent to");
    await setSecret(ADMIN, "bearer", { origins: [`http://${host}`] });
    await setSecret(ADMIN, "client", { origins: [`http://${host}`] });
    expect((await echo("granted")).json.error?.code).toBe("upstream_auth_failed");
    await setSecret(ADMIN, "client", { origins: [`http://${host}`, tokens.origin] });
    expect([seen.length, tokens.asked.length]).toEqual([0, 0]);
  });

  it("without a stored secret refuse the call: no request is sent", async () => {
    await configure({ bearer: { secret: "unheard-of" } });
    const answer = await echo("bearer");
    await configure();
    expect(answer.json.error).toMatchObject({ code: "upstream_auth_failed" });
    expect(answer.json.error?.message).toContain("There is no secret `unheard-of`");
    expect(seen).toEqual([]);
  });

  it.each(["Host", "content-length", "X-Forwarded-For"])(
    "are never sent as `%s`, because it steers the request",
    async (name) => {
      await configure({ keyed: { name } });
      const answer = await echo("keyed");
      await configure();
      expect(answer.json.error?.message).toBe(`The header \`${name}\` cannot carry a key.`);
      expect(seen).toEqual([]);
    },
  );

  it("that the upstream refuses are `upstream_auth_failed`", async () => {
    admits = () => false;
    for (const mode of ["keyed", "bearer", "granted"] as const)
      expect((await echo(mode)).json.error?.code).toBe("upstream_auth_failed");
  });
});

describe("client credentials", () => {
  const fresh = () => setSecret(ADMIN, "client", { value: CLIENT.secret, origins: [`http://${host}`, tokens.origin] });
  it("get one token for many calls, requested once even by concurrent calls", async () => {
    await configure({ granted: { tokenUrl: `${tokens.tokenUrl}?once` } });
    await Promise.all(Array.from({ length: 6 }, () => echo("granted", {}, byKey)));
    await echo("granted", {}, byKey);
    expect(tokens.asked).toHaveLength(1);
    expect(tokens.asked[0]).toMatchObject({ grant_type: "client_credentials", scope: "orders:read" });
    expect(new Set(seen.map(bearerOf)).size).toBe(1);
    await configure();
  });

  it("ask again shortly before a token ends", async () => {
    tokens.setLifetime(31);
    let now = Date.now();
    const store = credentialStore(outbound, () => now);
    const source = { name: "timed", auth: grantedAuth() };
    const caller = ANY_CALLER;
    const get = async () => (await store.of({ source, caller, url: `http://${host}/` })).token;
    const first = await get();
    expect(await get()).toBe(first);
    now += 2_000;
    expect(await get()).not.toBe(first);
    expect(tokens.asked).toHaveLength(2);
  });

  it("get a new token, once, when the upstream refuses the cached one", async () => {
    admits = (request) => tokens.accepts(bearerOf(request));
    await echo("granted");
    await tokens.revoke(bearerOf(seen[0]!));
    tokens.asked.length = 0;
    const answers = await Promise.all([echo("granted"), echo("granted")]);
    expect(answers.map(({ json }) => json.status)).toEqual(["succeeded", "succeeded"]);
    expect(Math.max(...answers.map(({ json }) => json.attempts))).toBe(2);
    expect(tokens.asked).toHaveLength(1);
    admits = () => false;
    seen = [];
    expect((await echo("granted")).json).toMatchObject({ attempts: 2, error: { code: "upstream_auth_failed" } });
    expect(seen).toHaveLength(2);
  });

  it("that are refused report where and why, and nothing that was sent", async () => {
    await setSecret(ADMIN, "client", { value: "not-the-secret", origins: [`http://${host}`, tokens.origin] });
    const answer = await echo("granted");
    await fresh();
    expect(answer.json.error).toMatchObject({ code: "upstream_auth_failed" });
    expect(answer.json.error?.message).toBe(`No token from ${tokens.host}: \`invalid_client\` (401).`);
    await configure({ exchanged: { audience: "elsewhere" } });
    expect((await echo("exchanged")).json.error?.message).toContain("`invalid_target` (400)");
    await configure({ granted: { tokenUrl: `${tokens.origin}/nowhere` } });
    expect((await echo("granted")).json.error?.code).toBe("upstream_auth_failed");
    await configure();
    expect(seen).toEqual([]);
  });

  it("use the guarded outbound client: a private address is not requested", async () => {
    const origins = [`http://${host}`, "http://10.0.0.1"];
    await setSecret(ADMIN, "client", { origins });
    await configure({ granted: { tokenUrl: "http://10.0.0.1/token" } });
    const answer = await echo("granted");
    await fresh();
    await configure();
    expect(answer.json.error).toMatchObject({ code: "upstream_auth_failed" });
    expect(seen).toEqual([]);
  });

  function grantedAuth(): SourceRow["auth"] {
    return { ...MODES.granted, tokenUrl: tokens.tokenUrl };
  }
});

describe("token exchange", () => {
  it("acts as the caller: one token per caller, never another's, and never the inbound one", async () => {
    const bob = new Client(await corp.token({ sub: "bob" }));
    for (const client of [byToken, bob, byToken, bob]) await echo("exchanged", {}, client);
    const sent = seen.map(bearerOf);
    const subjects = sent.map((token) => JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString()));
    expect(subjects.map(({ sub, aud }) => [sub, aud])).toEqual([
      ["alice", "orders"],
      ["bob", "orders"],
      ["alice", "orders"],
      ["bob", "orders"],
    ]);
    expect(sent).not.toContain(callerToken);
    expect(sent).not.toContain(bob.credential);
    expect(new Set(sent).size).toBe(2);
    for (const asked of tokens.asked) expect(asked).toMatchObject({ grant_type: EXCHANGE, audience: "orders" });
  });

  it("is refused for a caller with an API key, with the reason, and no request is sent", async () => {
    const answer = await echo("exchanged", {}, byKey);
    expect(answer).toMatchObject({ status: 502, json: { error: { code: "upstream_auth_failed", retryable: false } } });
    expect(answer.json.error?.message).toContain("call with a token of an issuer");
    expect([seen.length, tokens.asked.length]).toEqual([0, 0]);
  });

  it("keeps a caller's own token out of every table", async () => {
    await echo("exchanged");
    for (const part of [callerToken, callerToken.split(".")[2]!])
      expect(await findInDatabase(database, part)).toEqual([]);
  });
});

it("deletes no secret that a source uses", async () => {
  await expect(deleteSecret(ADMIN, "client")).rejects.toMatchObject({ code: "in_use" });
});
