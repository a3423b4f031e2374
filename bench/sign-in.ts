import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { request } from "undici";
import { closing, type AtEnd } from "@/bench/support/closing";
import { percentile, report } from "@/bench/support/measure";
import { measuredGateway } from "@/bench/support/servers/measured-app";
import { waits } from "@/bench/support/waits";
import { measuredInstallation, type MeasuredInstallation } from "@/bench/support/servers/measured-installation";

// Measures how much sign-ins of clients slow agents: the p99 of an agent's list while the token endpoint issues the tokens of
// 1,000 connected clients, and as many as it gives one network address. Against the same server without them, and against the
// same server while another instance issues them. Each token is a signed assertion that is verified, a row, and a signature.

const ROUNDS = Number(process.env["ROUNDS"] ?? 6);
/** Milliseconds of one measurement. */
const WINDOW_MS = 10_000;
/** Until the compiler has optimized both requests: an endpoint is slow for its first hundreds of tokens. */
const WARM_UP_MS = 30_000;
/** Tokens per second: of 1,000 clients, each of which gets one in ten minutes; and the limit of one network address. */
const [CONNECTED, LIMIT] = [2, 10];
const CLIENT = "batch";

const { privateKey, publicKey } = await generateKeyPair("ES256");
const { kty = "", crv = "", x = "", y = "" } = await exportJWK(publicKey);
const jwks = { keys: [{ kty, crv, x, y, kid: "one", alg: "ES256" }] };
const registered = {
  name: CLIENT,
  description: "",
  enabled: true,
  redirectUris: [],
  agent: "caller",
  jwks,
};
const installation = await measuredInstallation({ clients: [registered] });
await closing((atEnd) => measure(installation, atEnd));

async function measure({ env, apiKey, stop }: MeasuredInstallation, atEnd: AtEnd): Promise<void> {
  atEnd(stop);
  const [server, neighbour] = [await measuredGateway(env), await measuredGateway(env)];
  for (const { stop: stopServer } of [server, neighbour]) atEnd(stopServer);
  const list = () => listed(server.url, apiKey);
  const [own, other] = [await tokenClient(server.url, atEnd), await tokenClient(neighbour.url, atEnd)];
  const disturbances = {
    quiet: () => Promise.resolve(),
    connected: () => own(CONNECTED, WINDOW_MS),
    connectedElsewhere: () => other(CONNECTED, WINDOW_MS),
    limit: () => own(LIMIT, WINDOW_MS),
    limitElsewhere: () => other(LIMIT, WINDOW_MS),
  };
  await Promise.all([waits(list, WARM_UP_MS), own(LIMIT, WARM_UP_MS), other(LIMIT, WARM_UP_MS)]);

  const times: Record<keyof typeof disturbances, number[]> = {
    quiet: [],
    connected: [],
    connectedElsewhere: [],
    limit: [],
    limitElsewhere: [],
  };
  const kinds = Object.keys(times) as (keyof typeof times)[];
  // Windows of all kinds take turns and are pooled: a shared machine changes within minutes.
  for (let round = 0; round < ROUNDS; round += 1)
    for (const kind of kinds) {
      const load = disturbances[kind]();
      times[kind].push(...(await waits(list, WINDOW_MS)));
      await load;
    }
  for (const kind of kinds) {
    const [p50, p90, p99] = [50, 90, 99].map((which) => percentile(times[kind], which).toFixed(2));
    console.log(`        list, ${kind}: p50 ${p50}, p90 ${p90}, p99 ${p99} ms`);
  }
  const p99 = (kind: keyof typeof times) => percentile(times[kind], 99);
  const beside = (perSecond: number) => `an agent's list, p99 beside ${perSecond} tokens a second`;
  report(`${beside(CONNECTED)} / quiet`, p99("connected") / p99("quiet"), { atMost: 1.1 });
  // Without a goal: on a machine with few cores, tokens of any process slow the list, because all of them share the cores.
  report(`${beside(CONNECTED)} of another instance / quiet`, p99("connectedElsewhere") / p99("quiet"), {});
  report(`${beside(LIMIT)} / quiet`, p99("limit") / p99("quiet"), {});
  report(`${beside(LIMIT)} / beside those of another instance`, p99("limit") / p99("limitElsewhere"), { atMost: 1.1 });
}

async function listed(url: string, apiKey: string): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}` };
  // Not `fetch`, whose garbage is collected for several milliseconds in one of ten lists.
  const { statusCode, body } = await request(`${url}/api/agents/tools`, { headers });
  await body.dump();
  if (statusCode !== 200) throw new Error(`The list answered ${statusCode}.`);
}

/** Starts a process that requests tokens of a server. Returns a function that lets it do so for some milliseconds. */
async function tokenClient(url: string, atEnd: AtEnd): Promise<(perSecond: number, forMs: number) => Promise<void>> {
  const client = fork(join("bench", "support", "servers", "token-client.mjs"), { execArgv: [] });
  atEnd(() => client.disconnect());
  // Signed before: the load takes no time from the machine beyond that of its requests.
  const count = (LIMIT * WARM_UP_MS + (CONNECTED + LIMIT) * ROUNDS * WINDOW_MS) / 1000;
  const forms = await Promise.all(Array.from({ length: count }, () => signedForm(url)));
  return async (perSecond, forMs) => {
    client.send({ url, forms: forms.splice(0, (perSecond * forMs) / 1000), perSecond });
    const [wrong] = (await once(client, "message")) as [string];
    if (wrong !== "") throw new Error(wrong);
  };
}

/** The request of a client that signs (RFC 7523); each works once. */
async function signedForm(issuer: string): Promise<string> {
  const assertion = await new SignJWT({ jti: randomUUID() })
    .setProtectedHeader({ alg: "ES256", kid: "one" })
    .setIssuer(CLIENT)
    .setSubject(CLIENT)
    .setAudience(issuer)
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(privateKey);
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: CLIENT,
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: assertion,
    resource: `${issuer}/mcp`,
    scope: "tools",
  });
  return form.toString();
}
