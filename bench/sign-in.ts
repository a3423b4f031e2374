import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { closing, type AtEnd } from "@/bench/support/closing";
import { percentile, report } from "@/bench/support/measure";
import { measuredGateway } from "@/bench/support/servers/measured-app";
import { waits } from "@/bench/support/waits";
import { measuredInstallation, type MeasuredInstallation } from "@/bench/support/servers/measured-installation";

// Measures how much sign-ins of clients slow agents: the p99 of an agent's list while the token endpoint issues as many tokens
// as it gives one network address, against the same server without them. Each token is a signed assertion that is verified, a
// row, and a signature.

const QUIET = "quiet";
const BUSY = "the token endpoint is busy";
const ROUNDS = Number(process.env["ROUNDS"] ?? 6);
/** Milliseconds of one measurement. */
const WINDOW_MS = 10_000;
const WARM_UP_MS = 5_000;
/** Tokens per second: the limit of one network address (docs/reference/client-sign-in.md). */
const PER_SECOND = 10;
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
  const server = await measuredGateway(env);
  atEnd(server.stop);
  const list = async () => {
    const answer = await fetch(`${server.url}/api/agents/tools`, { headers: { authorization: `Bearer ${apiKey}` } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`The list answered ${answer.status}.`);
  };
  // Signed before: the load takes no time from the server beyond that of its requests.
  const forms = await Promise.all(
    Array.from({ length: PER_SECOND * (ROUNDS + 1) * (WINDOW_MS / 1000) }, () => signedForm(server.url)),
  );
  const busy = (windowMs: number) => issueTokens(server.url, forms, windowMs);
  await Promise.all([waits(list, WARM_UP_MS), busy(WARM_UP_MS)]);

  const times = new Map<string, number[]>([
    [QUIET, []],
    [BUSY, []],
  ]);
  // Windows of both kinds take turns and are pooled: a shared machine changes within minutes.
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [what, all] of times) {
      const load = what === BUSY ? busy(WINDOW_MS) : Promise.resolve();
      all.push(...(await waits(list, WINDOW_MS)));
      await load;
    }
  const of = (what: string, which: number) => percentile(times.get(what) ?? [], which);
  for (const what of times.keys()) {
    const [p50, p90, p99] = [50, 90, 99].map((which) => of(what, which).toFixed(2));
    console.log(`        list, ${what}: p50 ${p50}, p90 ${p90}, p99 ${p99} ms`);
  }
  report(`an agent's list, p99 beside ${PER_SECOND} tokens a second / quiet`, of(BUSY, 99) / of(QUIET, 99), {
    atMost: 1.1,
  });
}

/** The request of a client that signs (RFC 7523); each works once. */
async function signedForm(issuer: string): Promise<URLSearchParams> {
  const assertion = await new SignJWT({ jti: randomUUID() })
    .setProtectedHeader({ alg: "ES256", kid: "one" })
    .setIssuer(CLIENT)
    .setSubject(CLIENT)
    .setAudience(issuer)
    .setIssuedAt()
    .setExpirationTime("10m")
    .sign(privateKey);
  return new URLSearchParams({
    grant_type: "client_credentials",
    client_id: CLIENT,
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: assertion,
    resource: `${issuer}/mcp`,
    scope: "tools",
  });
}

/** Requests tokens at an even rate, whether or not earlier requests are answered. */
async function issueTokens(url: string, forms: URLSearchParams[], forMs: number): Promise<void> {
  const asked: Promise<void>[] = [];
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    asked.push(issueToken(url, forms.pop()));
    await delay(1_000 / PER_SECOND);
  }
  await Promise.all(asked);
}

async function issueToken(url: string, body: URLSearchParams | undefined): Promise<void> {
  const answer = await fetch(`${url}/oauth/token`, { method: "POST", body: body ?? new URLSearchParams() });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The token endpoint answered ${answer.status}: ${text}`);
}
