import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { setSecret } from "@/lib/store/config/secrets";
import { sharedMcpConnections } from "@/lib/calls/mcp/connections";
import { ADMIN, Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { startIssuer, type TestIssuer } from "@/test/support/servers/issuer";
import { startMcpServer, textResult, type McpServer } from "@/test/support/servers/mcp-server";
import { CLIENT, startTokenServer, type TokenServer } from "@/test/support/servers/token-server";

// Token exchange (RFC 8693) towards an MCP server: only the token tells the server who calls.

useDatabase();
let corp: TestIssuer;
let tokens: TokenServer;
let server: McpServer;

beforeAll(async () => {
  [corp, server] = await Promise.all([startIssuer(), startMcpServer()]);
  tokens = await startTokenServer(corp);
  allowOutbound(corp.host, tokens.host, server.host);
  await setSecret(ADMIN, "client", { value: CLIENT.secret, origins: [server.origin, tokens.origin] });
  const document = supportDocument() as Record<"sources" | "tools" | "groups" | "policies", object[]>;
  const { issuer, jwksUri } = corp;
  const auth = { mode: "token_exchange", tokenUrl: tokens.tokenUrl, clientId: CLIENT.id, secret: "client" };
  const tool = (operation: string) => ({
    id: `up:${operation}`,
    description: "Says in whose name it is called.",
    inputSchema: { type: "object" },
    run: { kind: "mcp", tool: operation },
  });
  await save({
    ...document,
    issuers: [{ name: "corp", issuer, audience: "quartermaster", jwksUri }],
    sources: [...document.sources, { name: "up", kind: "mcp", url: server.url, auth: { ...auth, audience: "orders" } }],
    tools: [...document.tools, tool("whose"), tool("together")],
    groups: [...document.groups, { name: "up", selectors: [{ source: "up" }] }],
    policies: [...document.policies, { name: "everyone", everyone: true, groups: ["up"] }],
  });
  let waiting: (() => void)[] = [];
  server.tools = {
    whose: { run: (_args, { http }) => textResult(nameIn(http?.req)) },
    // Answers no request before all have arrived.
    together: {
      run: async (_args, { http }) => {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          if (waiting.length < CALLERS.length) return;
          for (const go of waiting) go();
          waiting = [];
        });
        return textResult(nameIn(http?.req));
      },
    },
  };
});
afterAll(async () => {
  await sharedMcpConnections().close();
  await Promise.all([corp.close(), tokens.close(), server.close()]);
});
beforeEach(() => {
  server.seen.length = 0;
  tokens.asked.length = 0;
});

const CALLERS = ["alice", "bob", "carol"];

function nameIn(request: Request | undefined): string {
  return String(decodeJwt(request?.headers.get("authorization")?.replace("Bearer ", "") ?? "").sub);
}

/** The tokens that reached the server, each once. */
const shown = () => [...new Set(server.seen.map(({ authorization }) => authorization?.replace("Bearer ", "") ?? ""))];

it("calls an MCP server in the caller's name with an exchanged token, never with the caller's own", async () => {
  const own = await corp.token({ sub: "alice" });
  const answer = await new Client(own).call({ tool_id: "up:whose", arguments: {} });
  expect(answer.json).toMatchObject({ status: "succeeded", output: "alice" });
  const [token, ...others] = shown();
  expect(others).toEqual([]);
  expect(token).not.toBe(own);
  expect(await tokens.accepts(token!)).toBe(true);
  expect(decodeJwt(token!)).toMatchObject({ sub: "alice", aud: "orders", act: { sub: CLIENT.id } });
  expect(tokens.asked).toMatchObject([{ subject_token: own, audience: "orders" }]);
});

it("gives concurrent callers separate connections and tokens", async () => {
  const clients = await Promise.all(CALLERS.map(async (sub) => new Client(await corp.token({ sub }))));
  for (let round = 0; round < 3; round += 1) {
    const answers = await Promise.all(clients.map((client) => client.call({ tool_id: "up:together", arguments: {} })));
    expect(answers.map(({ json }) => json.output)).toEqual(CALLERS);
  }
  expect(
    shown()
      .map((token) => decodeJwt(token).sub)
      .toSorted(),
  ).toEqual(CALLERS);
});

it("refuses a caller without an issuer's token, and sends nothing to the server", async () => {
  const answer = await new Client(await keyOf("reader")).call({ tool_id: "up:whose", arguments: {} });
  expect(answer.status).toBe(502);
  expect(answer.json.error).toMatchObject({ code: "upstream_auth_failed", retryable: false });
  expect(server.seen).toEqual([]);
});

it("exchanges a token again, once, when the server refuses it", async () => {
  const client = new Client(await corp.token({ sub: "dora" }));
  await client.call({ tool_id: "up:whose", arguments: {} });
  const [stale] = shown();
  server.intercept = ({ authorization }) =>
    authorization === `Bearer ${stale}` ? new Response(null, { status: 401 }) : null;
  const again = await client.call({ tool_id: "up:whose", arguments: {} });
  server.intercept = () => null;
  expect(again.json).toMatchObject({ status: "succeeded", output: "dora" });
  expect(tokens.asked).toHaveLength(2);
});
