import { afterAll, beforeAll, beforeEach } from "vitest";
import * as ofSource from "@/app/api/admin/linked-accounts/[name]/route";
import * as start from "@/app/api/admin/linked-accounts/[name]/start/route";
import * as callback from "@/app/api/linked-accounts/callback/route";
import { sharedMcpConnections } from "@/lib/calls/mcp/connections";
import type { LinkStatus } from "@/lib/contracts/people/linked-account";
import { env } from "@/lib/env";
import type { Role } from "@/lib/resources/permissions";
import { findUser, type StoredUser } from "@/lib/store/config/users";
import { db } from "@/lib/store/db/database";
import { ask, type Got } from "@/test/support/admin";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import type { TestDatabase } from "@/test/support/database";
import { allowOutbound } from "@/test/support/allow-outbound";
import { cookieOf } from "@/test/support/person";
import { startIssuer, type TestIssuer } from "@/test/support/servers/issuer";
import {
  SCOPE,
  signInAt,
  WRITE_SCOPE,
  startLinkServer,
  type LinkServer,
  type LinkServerOptions,
} from "@/test/support/servers/link-server";
import { startMcpServer, textResult, type McpServer } from "@/test/support/servers/mcp-server";
import { serve, type Served } from "@/test/support/servers/serve";

/** Two upstreams that check the bearer token, their authorization server, and the issuer of the callers. */
export interface Upstreams {
  readonly corp: TestIssuer;
  readonly server: LinkServer;
  readonly mcp: McpServer;
  readonly api: Served;
  /** The bearer tokens that the upstreams saw. */
  readonly presented: string[];
  close(): Promise<void>;
}

/** Starts them. By default the authorization server registers clients. */
export async function startUpstreams(options: Partial<LinkServerOptions> = { registration: true }): Promise<Upstreams> {
  const presented: string[] = [];
  const bearerOf = (header: string | null | undefined) => {
    const token = (header ?? "").replace(/^Bearer /, "");
    if (token !== "") presented.push(token);
    return token;
  };
  const mcp = await startMcpServer();
  const metadataOf = (resource: string) =>
    Response.json({ resource, authorization_servers: [server.issuer], scopes_supported: [SCOPE] });
  const api = await serve(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/.well-known/oauth-protected-resource") return metadataOf(api.origin);
    const token = bearerOf(request.headers.get("authorization"));
    const account = server.accountOf(token);
    if (account === null) return new Response(null, { status: 401 });
    if (pathname === "/reply" && !server.scopesOf(token).includes(WRITE_SCOPE)) return lacksScope();
    // Repeats the token, as a careless upstream would.
    return Response.json({ account, echo: request.headers.get("authorization") });
  });
  const server = await startLinkServer({ resources: () => [mcp.url, api.origin], ...options });
  const metadata = "/.well-known/oauth-protected-resource/mcp";
  mcp.intercept = ({ authorization, "mcp-name": tool }, path) => {
    if (path.startsWith("/.well-known/"))
      return path === metadata ? metadataOf(mcp.url) : new Response(null, { status: 404 });
    const token = bearerOf(authorization);
    if (server.accountOf(token) !== null)
      return tool === "send" && !server.scopesOf(token).includes(WRITE_SCOPE) ? lacksScope() : null;
    const challenge = `Bearer resource_metadata="${mcp.origin}${metadata}", scope="${SCOPE}"`;
    return new Response(null, { status: 401, headers: { "www-authenticate": challenge } });
  };
  mcp.tools = {
    whoami: {
      description: "Says whose mailbox it is.",
      run: () => textResult(server.accountOf(bearerOf(mcp.seen.at(-1)?.authorization)) ?? "nobody"),
    },
    send: { description: "Sends a letter.", run: () => textResult("sent") },
  };
  const corp = await startIssuer();
  allowOutbound(corp.host, server.host, mcp.host, api.host);
  const close = async () => void (await Promise.all([corp.close(), server.close(), mcp.close(), api.close()]));
  return { corp, server, mcp, api, presented, close };
}

/** The answer to a call whose token lacks a scope (RFC 6750, 3.1). */
function lacksScope(): Response {
  const challenge = `Bearer error="insufficient_scope", scope="${WRITE_SCOPE}"`;
  return Response.json({ error: "insufficient_scope" }, { status: 403, headers: { "www-authenticate": challenge } });
}

/** The configuration with a source for each upstream: `mail` (MCP) and `tickets` (OpenAPI). Everybody may call them. */
export function documentOf({ corp, mcp, api }: Pick<Upstreams, "corp" | "mcp" | "api">): Record<string, unknown> {
  const document = supportDocument() as { sources: object[]; tools: object[]; policies: object[]; groups: object[] };
  const inputSchema = { type: "object" };
  const issuer = { issuer: corp.issuer, audience: "quartermaster", jwksUri: corp.jwksUri, algorithms: ["ES256"] };
  return {
    ...document,
    issuers: [{ name: "corp", ...issuer }],
    sources: [
      ...document.sources,
      { name: "mail", kind: "mcp", url: mcp.url, auth: { mode: "user" } },
      { name: "tickets", kind: "openapi", auth: { mode: "user", resource: api.origin } },
    ],
    tools: [
      ...document.tools,
      {
        id: "mail:whoami",
        description: "Says whose mailbox it is.",
        inputSchema,
        run: { kind: "mcp", tool: "whoami" },
      },
      { id: "mail:send", description: "Sends a letter.", inputSchema, run: { kind: "mcp", tool: "send" } },
      ...["mine", "elsewhere", "reply"].map((name) => ({
        id: `tickets:${name}`,
        description: "Lists the caller's tickets.",
        inputSchema,
        limits: { retries: 0 },
        run: { kind: "http", method: "GET", url: `${name === "elsewhere" ? mcp.origin : api.origin}/${name}` },
      })),
    ],
    groups: [
      ...document.groups,
      ...["mail", "tickets"].map((source) => ({ name: `own-${source}`, selectors: [{ source }] })),
    ],
    policies: [...document.policies, { name: "everybody", everyone: true, groups: ["own-mail", "own-tickets"] }],
  };
}

/** A person of the tests, with the session of one browser. */
export interface LinkingUser {
  readonly user: StoredUser;
  readonly headers: { readonly cookie: string; readonly origin: string };
}

/** A person whom an OpenID provider knows as `subject`, signed in. */
export async function addOpenIdPerson(name: string, issuer: string, role: Role = "auditor"): Promise<LinkingUser> {
  const facts = { name, email: `${name}@example.com`, role, issuer, subject: name, displayName: "" };
  const { id } = await db().user.create({ data: { ...facts, openIdCheckedAt: new Date(Date.now() + 3_600_000) } });
  const user = await findUser(id);
  if (user === null) throw new Error(`${name} was not stored`);
  return { user, headers: await sessionOf(user) };
}

/** Makes the database refuse to store a grant. `drop function refuse_grants cascade` ends it. */
export const REFUSE_GRANTS = `
  create function refuse_grants() returns trigger language plpgsql as $$ begin raise exception 'No space is left.'; end $$;
  create trigger refuse_grants before update of "grant" on linked_account for each row execute function refuse_grants()`;

/** The headers of a browser in which a person is signed in. */
export async function sessionOf(user: StoredUser): Promise<LinkingUser["headers"]> {
  return { cookie: await cookieOf(user), origin: new URL(env.NEXTAUTH_URL).origin };
}

/** Presses the button of the connect page. */
export function begin(source: string, { headers }: LinkingUser): Promise<Got<{ url: string; detail: string }>> {
  const path = `/api/admin/linked-accounts/${source}/start`;
  return ask(start.POST, "POST", path, { params: { name: source }, headers });
}

/** Comes back from the upstream: the path of the page and its query. */
export async function comeBack(address: URL, { headers }: Pick<LinkingUser, "headers">): Promise<string> {
  const answer = await callback.GET(new Request(address, { headers: { cookie: headers.cookie } }));
  if (answer.status !== 303) throw new Error(`${answer.status} ${await answer.text()}`);
  const { pathname, search } = new URL(answer.headers.get("location") ?? "");
  return pathname + search;
}

/** Links an account: begins, signs in at the upstream as `as`, and comes back. */
export async function linkAccount(source: string, person: LinkingUser, as: string): Promise<string> {
  const begun = await begin(source, person);
  if (begun.status !== 200) throw new Error(begun.text);
  return comeBack(await signInAt(begun.json.url, as, person.headers.origin), person);
}

/** The facts of the connect page. */
export async function statusOf(source: string, { headers }: LinkingUser): Promise<LinkStatus> {
  const path = `/api/admin/linked-accounts/${source}`;
  return (await ask<LinkStatus>(ofSource.GET, "GET", path, { params: { name: source }, headers })).json;
}

/** Ends a linked account. */
export function endAccount(source: string, { headers }: LinkingUser): Promise<Got<{ upstream: string }>> {
  return ask(ofSource.DELETE, "DELETE", `/api/admin/linked-accounts/${source}`, { params: { name: source }, headers });
}

/** The upstreams with two people, and the agents' entrance with each one's token and with an API key. */
export interface LinkingWorld extends Omit<Upstreams, "close"> {
  ada: LinkingUser;
  readonly bob: LinkingUser;
  readonly asAda: Client;
  readonly asBob: Client;
  readonly byKey: Client;
}

/** Prepares them before the tests of a file; before each test nobody has linked an account. */
export function useLinkingPeople(database: TestDatabase): LinkingWorld {
  const world = {} as LinkingWorld;
  let stop = async () => {};
  beforeAll(async () => {
    const { close, ...upstreams } = await startUpstreams();
    stop = close;
    await save(documentOf(upstreams));
    const { corp } = upstreams;
    const ada = await addOpenIdPerson("ada", corp.issuer);
    const bob = await addOpenIdPerson("bob", corp.issuer, "admin");
    const [asAda, asBob] = [new Client(await corp.token({ sub: "ada" })), new Client(await corp.token({ sub: "bob" }))];
    Object.assign(world, upstreams, { ada, bob, asAda, asBob, byKey: new Client(await keyOf("reader")) });
  });
  afterAll(async () => {
    await sharedMcpConnections().close();
    await stop();
  });
  beforeEach(async () => {
    await database.query("delete from linked_account");
    const { server } = world;
    server.asked.length = 0;
    server.revoked.length = 0;
    server.setLifetime(300);
    server.setRefreshes(true);
  });
  return world;
}

/** Calls the OpenAPI source. */
export const mine = (client: Client) => client.call({ tool_id: "tickets:mine", arguments: {} });
/** Calls the MCP server. */
export const whoami = (client: Client) => client.call({ tool_id: "mail:whoami", arguments: {} });
