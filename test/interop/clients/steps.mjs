// What each client does after it has connected, and what its OAuth provider remembers.
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

/**
 * Lists and calls, lists again with a spoiled access token, and prints the result. After the next line on its standard
 * input it lists once more.
 *
 * @param {{ list: () => Promise<{ tools: { name: string }[] }>, call: () => Promise<unknown>, spoil: () => void }} client
 */
export async function takeSteps({ list, call, spoil }) {
  const { tools } = await list();
  const result = await call();
  spoil();
  const { tools: refreshed } = await list();
  const names = tools.map(({ name }) => name);
  process.stdout.write(`${JSON.stringify({ names, refreshed: refreshed.map(({ name }) => name), result })}\n`);
  await once(process.stdin, "data");
  await list();
}

/** The call that every client makes. */
export const CALL = { name: "calculate", arguments: { expression: "6 * 7" } };

/** Replaces the access tokens that a client keeps in files of its home. They are the only JWTs there. */
export function spoilStoredTokens() {
  const home = process.env.HOME ?? "";
  for (const name of readdirSync(home, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".json")) continue;
    const file = join(home, name);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(/eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/g, "spoiled"));
  }
}

/**
 * An OAuth provider of the SDK that keeps its state in memory and prints where a person signs in.
 *
 * @param {string} identity a registered `client_id`, the address of a client document, or "" to register itself
 * @param {string} port of its redirect address
 */
export function memoryProvider(identity, port) {
  const redirectUrl = `http://127.0.0.1:${port}/oauth/callback`;
  const isDocument = identity.startsWith("https:");
  const kept = { client: identity === "" || isDocument ? undefined : { client_id: identity } };
  const returned = new Promise((resolve) => {
    const server = createServer((request, response) => {
      response.end("You can close this page.");
      server.close();
      resolve(new URL(request.url ?? "", redirectUrl).searchParams);
    });
    server.listen(Number(port), "127.0.0.1");
  });
  const authProvider = {
    redirectUrl,
    ...(isDocument && { clientMetadataUrl: identity }),
    clientMetadata: { client_name: "Test client", redirect_uris: [redirectUrl], token_endpoint_auth_method: "none" },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    invalidateCredentials: (scope) => {
      if (scope === "all" || scope === "tokens") kept.tokens = undefined;
    },
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier,
    redirectToAuthorization: (address) => void process.stderr.write(`${address.href}\n`),
  };
  const spoil = () => void (kept.tokens = { ...kept.tokens, access_token: "spoiled" });
  return { authProvider, returned, spoil };
}
