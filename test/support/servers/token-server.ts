import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createLocalJWKSet, jwtVerify } from "jose";
import { Provider } from "oidc-provider";
import type { TestIssuer } from "@/test/support/servers/issuer";

/** The client that the server knows; its id and secret need every kind of encoding. */
export const CLIENT = { id: "quarter:master", secret: 's3cr+t/with %, = & "more"' } as const;

export const EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";

/** A real authorization server (`oidc-provider`) on loopback: client credentials, and token exchange. */
export interface TokenServer {
  readonly tokenUrl: string;
  readonly origin: string;
  /** `host:port`, for OUTBOUND_ALLOW. */
  readonly host: string;
  /** The requests to the token endpoint, oldest first, granted or refused. */
  readonly asked: Readonly<Record<string, string | undefined>>[];
  /** Whether an access token was issued here and is still valid. */
  accepts(token: string): Promise<boolean>;
  /** Ends a token before its time. */
  revoke(token: string): Promise<void>;
  /** Seconds that tokens last from now on. */
  setLifetime(seconds: number): void;
  close(): Promise<void>;
}

/** Starts a server that exchanges tokens of `subjects` for its own, for the audience `orders`. */
export async function startTokenServer(subjects: TestIssuer): Promise<TokenServer> {
  let answer: (request: IncomingMessage, response: ServerResponse) => Promise<void> = async () => {};
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const origin = `http://${host}`;
  const asked: Readonly<Record<string, string | undefined>>[] = [];
  const exchanged = new Set<string>();
  let lifetime = 300;

  const provider = new Provider(origin, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        grant_types: ["client_credentials", EXCHANGE],
        redirect_uris: [],
        response_types: [],
      },
    ],
    scopes: ["orders:read"],
    ttl: { ClientCredentials: () => lifetime },
    features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
  });
  provider.registerGrantType(
    EXCHANGE,
    async (context) => {
      const { subject_token: token = "", audience } = context.oidc?.params ?? {};
      const keys = createLocalJWKSet({ keys: subjects.keys.map(({ publicJwk }) => publicJwk) });
      const { payload } = await jwtVerify(token, keys, { issuer: subjects.issuer });
      if (audience !== "orders")
        throw Object.assign(new Error("invalid_target"), { statusCode: 400, expose: true, error: "invalid_target" });
      const value = await subjects.token({
        sub: payload.sub,
        aud: audience,
        act: { sub: CLIENT.id },
        jti: crypto.randomUUID(),
      });
      exchanged.add(value);
      context.body = {
        access_token: value,
        issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
        token_type: "Bearer",
        expires_in: lifetime,
      };
    },
    ["subject_token", "subject_token_type", "requested_token_type", "audience", "scope"],
  );
  provider.use(async (context, next) => {
    await next();
    if (context.oidc?.route === "token") asked.push({ ...context.oidc.params });
  });
  answer = provider.callback();

  return {
    tokenUrl: `${origin}/token`,
    origin,
    host,
    asked,
    accepts: async (token) => exchanged.has(token) || (await provider.ClientCredentials.find(token))?.isValid === true,
    revoke: async (token) => {
      exchanged.delete(token);
      await (await provider.ClientCredentials.find(token))?.destroy();
    },
    setLifetime: (seconds) => void (lifetime = seconds),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
