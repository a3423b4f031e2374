import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import * as documents from "@/app/api/linked-accounts/clients/[document]/route";
import { redirectUri } from "@/lib/calls/linked-accounts/our-client";
import { setSecret } from "@/lib/store/config/secrets";
import { ADMIN, save } from "@/test/api/agents-world";
import {
  addOpenIdPerson,
  begin,
  documentOf,
  linkAccount,
  startUpstreams,
  statusOf,
  type LinkingUser,
  type Upstreams,
} from "@/test/api/credentials/linked-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { startLinkServer, type LinkServer, type LinkServerOptions } from "@/test/support/servers/link-server";

// Client documents need a public address on https.
vi.stubEnv("NEXTAUTH_URL", "https://tools.example");

useDatabase();

let upstreams: Upstreams;
let ada: LinkingUser;
const servers: LinkServer[] = [];
beforeAll(async () => {
  upstreams = await startUpstreams({});
  await save(documentOf(upstreams));
  ada = await addOpenIdPerson("ada", upstreams.corp.issuer);
});
afterAll(async () => {
  await Promise.all([upstreams.close(), ...servers.map((server) => server.close())]);
});

/** What an authorization server reads at the address that is our client id. */
async function readDocument(url: string): Promise<Response> {
  const { origin, pathname } = new URL(url);
  if (origin !== "https://tools.example") return new Response(null, { status: 404 });
  const document = pathname.replace("/api/linked-accounts/clients/", "");
  return documents.GET(new Request(url), { params: Promise.resolve({ document }) });
}

/** Another server for the source `tickets`, named by the source's own settings. */
async function serverOf(options: Partial<LinkServerOptions>, auth: object = {}): Promise<LinkServer> {
  const server = await startLinkServer({ resources: () => [upstreams.api.origin], ...options });
  servers.push(server);
  allowOutbound(server.host);
  const fields = { resource: upstreams.api.origin, clientId: null, secret: null, ...auth };
  const document = documentOf(upstreams) as { sources: { name: string }[] };
  const source = { name: "tickets", kind: "openapi", auth: { mode: "user", ...fields, issuer: server.issuer } };
  await save({ ...document, sources: [...document.sources.filter(({ name }) => name !== "tickets"), source] });
  return server;
}

const LINKED = "/admin/linked-accounts/tickets?linked=yes";

describe("Quartermaster is a client of the upstream's server", () => {
  it("by its client document, without authentication where the server allows it", async () => {
    const server = await serverOf({ readDocument });
    expect(await linkAccount("tickets", ada, "ada@mail")).toBe(LINKED);
    const [{ client_id: id = "", client_secret: secret, client_assertion: assertion } = {}] = server.asked;
    expect(id).toBe("https://tools.example/api/linked-accounts/clients/public");
    expect([secret, assertion]).toEqual([undefined, undefined]);
  });

  it("by its client document with `private_key_jwt`, where the server takes no client without authentication", async () => {
    const server = await serverOf({ readDocument, methods: ["private_key_jwt"] });
    expect(await linkAccount("tickets", ada, "ada@mail")).toBe(LINKED);
    const [{ client_assertion: assertion = "" } = {}] = server.asked;
    const id = "https://tools.example/api/linked-accounts/clients/signed";
    expect(decodeJwt(assertion)).toMatchObject({ iss: id, sub: id });
    const published = (await (await readDocument(id)).json()) as { jwks: { keys: { kid: string; d?: string }[] } };
    const { kid, alg } = decodeProtectedHeader(assertion);
    expect([kid, alg]).toEqual([published.jwks.keys[0]?.kid, "ES256"]);
    expect(published.jwks.keys.some(({ d }) => d !== undefined)).toBe(false);
  });

  it.each(["client_secret_basic", "client_secret_post"])("as the source configures it, with %s", async (method) => {
    const client = { client_id: "by-hand", client_secret: "s3cret+of/the=client", redirect_uris: [redirectUri()] };
    const grants = { grant_types: ["authorization_code", "refresh_token"], token_endpoint_auth_method: method };
    const server = await serverOf(
      { clients: [{ ...client, ...grants }], methods: [method], readDocument },
      { clientId: "by-hand", secret: "by-hand" },
    );
    await setSecret(ADMIN, "by-hand", { value: client.client_secret, origins: ["https://elsewhere.example"] });
    await expect(linkAccount("tickets", ada, "ada@mail")).rejects.toThrow(/may not be sent to/);
    await setSecret(ADMIN, "by-hand", { origins: [server.issuer] } as never);
    expect(await linkAccount("tickets", ada, "ada@mail")).toBe(LINKED);
  });

  it("in no way: the page and the answer say what an administrator must do", async () => {
    await serverOf({});
    const { status, json } = await begin("tickets", ada);
    expect(status).toBe(502);
    expect(json.detail).toContain("an administrator must register Quartermaster there and set `clientId`");
    expect((await statusOf("tickets", ada)).linkable).toBe(true);
  });
});
