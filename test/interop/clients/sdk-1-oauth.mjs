// The SDK's client of 1.x with its OAuth provider: knows the address, prints where a person signs in, lists and calls.
import { createServer } from "node:http";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [url = "", clientId = "", port = ""] = process.argv.slice(2);
const redirectUrl = `http://127.0.0.1:${port}/oauth/callback`;

const returned = new Promise((resolve) => {
  const server = createServer((request, response) => {
    response.end("You can close this page.");
    server.close();
    resolve(new URL(request.url ?? "", redirectUrl).searchParams.get("code") ?? "");
  });
  server.listen(Number(port), "127.0.0.1");
});

const kept = {};
/** @type {import("@modelcontextprotocol/sdk/client/auth.js").OAuthClientProvider} */
const authProvider = {
  redirectUrl,
  clientMetadata: { redirect_uris: [redirectUrl], token_endpoint_auth_method: "none" },
  clientInformation: () => ({ client_id: clientId }),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => void (kept.tokens = tokens),
  saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
  codeVerifier: () => kept.verifier,
  redirectToAuthorization: (address) => void process.stderr.write(`${address.href}\n`),
};

const transport = () => new StreamableHTTPClientTransport(new URL(url), { authProvider });
const first = transport();
await new Client({ name: "sdk-1", version: "1" }).connect(first).catch((error) => {
  if (!(error instanceof UnauthorizedError)) throw error;
});
await first.finishAuth(await returned);
const client = new Client({ name: "sdk-1", version: "1" });
await client.connect(transport());
const { tools } = await client.listTools();
const result = await client.callTool({ name: "calculate", arguments: { expression: "6 * 7" } });
await client.close();
process.stdout.write(JSON.stringify({ names: tools.map(({ name }) => name), result }));
