import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setSecret } from "@/lib/store/config/secrets";
import { sharedMcpConnections } from "@/lib/calls/mcp/connections";
import { ADMIN, Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { serveMcp } from "@/test/api/mcp-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { startIssuer, type TestIssuer } from "@/test/support/servers/issuer";
import { startMcpServer, textResult } from "@/test/support/servers/mcp-server";
import type { Served } from "@/test/support/servers/serve";

/** A caller, and everything that its calls reach: an HTTP upstream with a token endpoint, an MCP server, a script, an issuer. */
export interface TracedWorld {
  readonly key: string;
  readonly reader: Client;
  readonly corp: TestIssuer;
  /** `/mcp`. */
  readonly endpoint: Served;
  /** Requests that reached the upstream, its token endpoint and the issuer's key set. */
  readonly seen: IncomingMessage[];
  /** `_meta` of what reached the upstream MCP server. */
  readonly receivedMeta: (Record<string, unknown> | undefined)[];
  close(): Promise<void>;
}

/** The upstream's answers and credential, which no trace may contain. */
export const ANSWER = "answer-that-is-nobodys-business";
export const TOKEN = "made-for-the-upstream";

/** Starts it on a database with nothing in it. */
export async function startTracedWorld(): Promise<TracedWorld> {
  const seen: IncomingMessage[] = [];
  const receivedMeta: TracedWorld["receivedMeta"] = [];
  const corp = await startIssuer();
  const upstream = createServer((request, response) => {
    seen.push(request);
    const answers: Record<string, unknown> = {
      "/token": { access_token: TOKEN, token_type: "Bearer", expires_in: 300 },
      "/keys": { keys: corp.keys.map(({ publicJwk }) => publicJwk) },
    };
    response
      .writeHead(request.url === "/broken" ? 503 : 200, { "content-type": "application/json" })
      .end(JSON.stringify(answers[request.url ?? ""] ?? { secret_answer: ANSWER }));
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const mcpUpstream = await startMcpServer();
  mcpUpstream.tools = {
    words: {
      run: (_args, { mcpReq }) => {
        receivedMeta.push(mcpReq._meta);
        return textResult("plain words");
      },
    },
  };
  allowOutbound(host, mcpUpstream.host);
  await save(documentOf(host, mcpUpstream.url, corp));
  await setSecret(ADMIN, "client", { value: "client-secret", origins: [`http://${host}`] });
  const key = await keyOf("reader");
  const endpoint = await serveMcp();
  return {
    key,
    reader: new Client(key),
    corp,
    endpoint,
    seen,
    receivedMeta,
    close: async () => {
      await endpoint.close();
      await sharedMcpConnections().close();
      upstream.closeAllConnections();
      upstream.close();
      await Promise.all([mcpUpstream.close(), corp.close()]);
    },
  };
}

function documentOf(host: string, mcpUrl: string, corp: TestIssuer): Record<string, unknown> {
  const inputSchema = { type: "object" };
  const parameters = [{ name: "q", in: "query", property: "q" }];
  const http = (operation: string, path: string) => ({
    id: `shop:${operation}`,
    description: "Asks the shop.",
    inputSchema,
    run: { kind: "http", method: "GET", url: `http://${host}${path}`, parameters },
    limits: { retries: 0 },
  });
  const document = supportDocument() as { sources: object[]; tools: object[]; groups: object[] };
  const auth = { mode: "client_credentials", tokenUrl: `http://${host}/token`, clientId: "qm", secret: "client" };
  const code = 'export default (args, { callTool }) => callTool("shop:find", { q: "x" });';
  return {
    ...document,
    sources: [
      ...document.sources,
      { name: "shop", kind: "http", auth },
      { name: "upstream", kind: "mcp", url: mcpUrl },
      { name: "scripts", kind: "script" },
    ],
    tools: [
      ...document.tools,
      http("find", "/find"),
      http("break", "/broken"),
      { id: "upstream:words", description: "Says.", inputSchema, run: { kind: "mcp", tool: "words" } },
      { id: "scripts:both", description: "Asks.", inputSchema, run: { kind: "script", code } },
    ],
    groups: [...document.groups, { name: "out", selectors: [{ source: "regex:shop|upstream|scripts" }] }],
    policies: [{ name: "all", everyone: true, groups: ["out", "helpers"] }],
    issuers: [
      {
        name: "corp",
        issuer: corp.issuer,
        audience: "quartermaster",
        jwksUri: `http://${host}/keys`,
        algorithms: ["ES256"],
      },
    ],
  };
}
