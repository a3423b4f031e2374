import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { authenticateAgent } from "@/lib/auth/agents/authenticate";
import { ISSUER_KEY_LIMITS, issuerKeys } from "@/lib/auth/agents/issuer-keys";
import { toKeySet } from "@/lib/auth/agents/key-set";
import { testToken } from "@/lib/auth/agents/test-token";
import { rememberKeys } from "@/lib/auth/agents/remembered-keys";
import { outboundClient } from "@/lib/outbound/fetch";
import { issuerRow } from "@/lib/resources/issuer";
import { startIssuer, type TestIssuer } from "@/test/support/servers/issuer";

/** An issuer whose signatures are right and whose key set is served by whatever a test says. */
let corp: TestIssuer;
let healthy: TestIssuer;
let front: Server;
let serve: RequestListener;
let now: number;
let requests: number;
let sources: Parameters<typeof authenticateAgent>[0];

beforeEach(async () => {
  [corp, healthy] = await Promise.all([startIssuer(), startIssuer()]);
  now = 1_800_000_000_000;
  requests = 0;
  serve = (_request, response) => response.end(JSON.stringify({ keys: corp.keys.map((key) => key.publicJwk) }));
  front = createServer((request, response) => {
    requests += 1;
    serve(request, response);
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(front.address() as AddressInfo).port}`;
  const rowOf = (name: string, issuer: string, jwksUri: string) =>
    issuerRow.parse({
      name,
      issuer,
      audience: "quartermaster",
      jwksUri,
      revision: 1,
      createdAt: "2026-01-01T00:00:00.000Z",
      updatedAt: "2026-01-01T00:00:00.000Z",
    });
  const rows = [rowOf("corp", corp.issuer, `http://${host}/jwks`), rowOf("healthy", healthy.issuer, healthy.jwksUri)];
  const issuers = new Map(rows.map((row) => [row.name, row]));
  const registry = { revision: 1, issuers, agents: new Map(), revocations: new Map() };
  sources = {
    registry: async () => registry,
    verifyApiKey: rememberKeys(async () => null),
    keys: issuerKeys(outboundClient({ allow: () => [host, corp.host, healthy.host] }), () => now),
    now: () => now,
  };
});
afterEach(async () => {
  front.close();
  front.closeAllConnections();
  await Promise.all([corp.close(), healthy.close()]);
});

/** Whether a token of the issuer is accepted. */
async function isAccepted(issuer: TestIssuer): Promise<boolean> {
  const token = await issuer.token({}, { now: now / 1000 });
  const request = new Request("http://localhost/", { headers: { authorization: `Bearer ${token}` } });
  return authenticateAgent(sources)(request).then(
    () => true,
    () => false,
  );
}

/** Why no key of the issuer was found, as a person who tests a token reads it. */
async function problemOfKeys(): Promise<string | undefined> {
  const token = await corp.token({}, { now: now / 1000 });
  const { checks } = await testToken(token, await sources.registry(), sources, []);
  return checks.find(({ verdict, check }) => verdict === "failed" && check === "key")?.says;
}

const keySet = () => JSON.stringify({ keys: corp.keys.map((key) => key.publicJwk) });

/** Drop by drop, so that no single wait is long. */
const drip: RequestListener = (_request, response) => {
  const timer = setInterval(() => response.write(" "), 100);
  response.on("close", () => clearInterval(timer));
};

describe("a key set that is served by an enemy", () => {
  it.each<[string, RequestListener]>([
    ["never answers", () => {}],
    ["drips without end", drip],
  ])("%s: the fetch ends after 5 s, and tokens of other issuers do not wait for it", async (_what, listener) => {
    serve = listener;
    const answered: string[] = [];
    const slow = isAccepted(corp).finally(() => answered.push("corp"));
    expect(await isAccepted(healthy).finally(() => answered.push("healthy"))).toBe(true);
    expect(await slow).toBe(false);
    expect(answered).toEqual(["healthy", "corp"]);
    expect(await problemOfKeys()).toMatch("The last fetch failed: The upstream did not answer within 5 s.");
    // The issuer is not requested again for 30 s, so the next token does not wait.
    expect(await isAccepted(corp)).toBe(false);
    expect(requests).toBe(1);
  });

  it.each<[string, RequestListener]>([
    [
      "is endless",
      (_request, response) => {
        const more = () => {
          while (response.write(" ".repeat(65_536)));
        };
        response.on("drain", more);
        more();
      },
    ],
    [
      "unpacks to more than 256 KiB",
      (_request, response) =>
        response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(" ".repeat(400_000) + keySet())),
    ],
    ["is HTML", (_request, response) => response.setHeader("content-type", "text/html").end("<html>Sign in</html>")],
    ["is half a document", (_request, response) => response.end(keySet().slice(0, -5))],
    ["breaks off", (_request, response) => void response.write("{", () => response.destroy())],
    ["is a list", (_request, response) => response.end("[]")],
    ["is null", (_request, response) => response.end("null")],
    ["comes with status 500", (_request, response) => response.writeHead(500).end(keySet())],
    ["comes with status 204", (_request, response) => response.writeHead(204).end()],
    ["is nested without end", (_request, response) => response.end("[".repeat(200_000))],
  ])("%s: no token is accepted, and the test of a token states the reason", async (_what, listener) => {
    serve = listener;
    expect(await isAccepted(corp)).toBe(false);
    expect(await problemOfKeys()).toMatch(/The last fetch failed: (?!The upstream did not answer)./);
  });

  it.each([301, 302, 307, 308])("redirects with %i to good keys: the redirect is not followed", async (status) => {
    serve = (_request, response) => response.writeHead(status, { location: corp.jwksUri }).end();
    expect(await isAccepted(corp)).toBe(false);
    expect(corp.fetches()).toBe(0);
  });

  it("that turns hostile: the known keys stay valid for one hour", async () => {
    expect(await isAccepted(corp)).toBe(true);
    serve = (_request, response) => response.end("<html>");
    now += ISSUER_KEY_LIMITS.lostMs - 60_000;
    expect(await isAccepted(corp)).toBe(true);
    now += 120_000;
    expect(await isAccepted(corp)).toBe(false);
  });

  it("with a private key next to its public one: neither is used", async () => {
    const { privateKey, publicJwk } = corp.keys[0]!;
    const { d } = await crypto.subtle.exportKey("jwk", privateKey);
    serve = (_request, response) => response.end(JSON.stringify({ keys: [{ ...publicJwk, d }] }));
    expect(await isAccepted(corp)).toBe(false);
  });

  it.each([
    ["whose modulus is one character", { kty: "RSA", kid: "x", n: "A", e: "AQAB" }],
    ["whose point is on no curve", { kty: "EC", kid: "x", crv: "P-256", x: "A", y: "A" }],
    ["that is a number", 7],
  ])("with a key %s next to a good one: only the good one is used", async (_what, key) => {
    serve = (_request, response) => response.end(JSON.stringify({ keys: [key, corp.keys[0]!.publicJwk] }));
    expect(await isAccepted(corp)).toBe(true);
  });

  const TOO_SMALL = "left out: its exponent `e` is not an odd number from 65537 to 2^64";
  it.each([
    [2040, 65_537, "left out: RSA of 2040 bits, 2048 to 8192 are accepted"],
    [2048, 3, TOO_SMALL],
    [2048, 257, TOO_SMALL],
    [2048, 65_535, TOO_SMALL],
    [2048, 65_537, null],
  ])("with an RSA key of %i bits and the exponent %i: the key is checked at the limits", (bits, exponent, problem) => {
    const encoded = (hex: string) => Buffer.from(hex, "hex").toString("base64url");
    const e = encoded(exponent.toString(16).padStart(6, "0"));
    const { usable, described } = toKeySet([{ kty: "RSA", kid: "x", n: encoded("f".repeat(bits / 4)), e }]);
    const name = "`x` (RSA)";
    expect([usable, described]).toEqual(problem === null ? [1, [name]] : [0, [`${name}, ${problem}`]]);
  });

  it("with the same key id twice: neither is used", async () => {
    const { publicJwk } = corp.keys[0]!;
    serve = (_request, response) => response.end(JSON.stringify({ keys: [publicJwk, publicJwk] }));
    expect(await isAccepted(corp)).toBe(false);
  });
});
