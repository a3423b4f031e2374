import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from "jose";

/** One signing key of an issuer. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

/** Differences of a token from a plain valid one; `undefined` leaves a claim out. */
export interface TokenOptions {
  readonly key?: SigningKey;
  readonly header?: Record<string, unknown>;
  /** The present time in epoch seconds; by default the clock's. */
  readonly now?: number;
}

/** An OAuth issuer on loopback: real keys, a real key set over HTTP, rotation and outages. */
export interface TestIssuer {
  /** Its `iss`. */
  readonly issuer: string;
  readonly jwksUri: string;
  /** `host:port`, for OUTBOUND_ALLOW. */
  readonly host: string;
  /** The keys that it publishes; the last one signs. */
  readonly keys: SigningKey[];
  /** How often the key set was fetched. */
  readonly fetches: () => number;
  /** Adds a key that signs from now on; returns the one that signed before. */
  rotate(alg?: string): Promise<SigningKey>;
  /** Whether the key set is served. During an outage the answer is 503. */
  setAvailable(available: boolean): void;
  /** Replaces the served document; `null` = the keys again. */
  serve(document: unknown): void;
  /** A signed access token for audience `quartermaster`, valid for five minutes. */
  token(claims?: Record<string, unknown>, options?: TokenOptions): Promise<string>;
  close(): Promise<void>;
}

/** A new signing key. */
export async function makeKey(alg: string, kid: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
}

/** Starts an issuer on a free loopback port, or on `port`. */
export async function startIssuer(alg = "ES256", port = 0): Promise<TestIssuer> {
  const keys = [await makeKey(alg, "key-1")];
  let fetches = 0;
  let available = true;
  let served: unknown = null;
  const server = createServer((_request, response) => {
    fetches += 1;
    if (!available) return response.writeHead(503).end();
    const body = served ?? { keys: keys.map((key) => key.publicJwk) };
    return response
      .writeHead(200, { "content-type": "application/jwk-set+json" })
      .end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = `http://${host}`;
  const signing = () => keys.at(-1)!;

  return {
    issuer,
    jwksUri: `${issuer}/jwks`,
    host,
    keys,
    fetches: () => fetches,
    rotate: async (newAlg = alg) => {
      const before = signing();
      keys.push(await makeKey(newAlg, `key-${keys.length + 1}`));
      return before;
    },
    setAvailable: (value) => void (available = value),
    serve: (document) => void (served = document),
    token: (claims = {}, options = {}) => {
      const now = options.now ?? Math.floor(Date.now() / 1000);
      const key = options.key ?? signing();
      const all = { iss: issuer, aud: "quartermaster", sub: "subject-1", iat: now, exp: now + 300, ...claims };
      const stated = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as JWTPayload;
      return new SignJWT(stated)
        .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: "at+jwt", ...options.header })
        .sign(key.privateKey);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
