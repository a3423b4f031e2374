import { Client, StreamableHTTPClientTransport, type ClientOptions } from "@modelcontextprotocol/client";
import { mcpWith } from "@/lib/agents/mcp/endpoint";
import { mcpMetadata } from "@/lib/agents/mcp/metadata";
import { production, type Dependencies } from "@/lib/calls/pipeline/dependencies";
import { serve, type Served } from "@/test/support/servers/serve";

/** The two eras of the protocol that `/mcp` speaks. */
export const ERAS = ["2025-11-25", "2026-07-28"] as const;
/** One of them. */
export type Era = (typeof ERAS)[number];

/** `/mcp` and its metadata over real HTTP. */
export interface McpEndpoint extends Served {
  /** How many streams of changes were opened so far. */
  readonly streams: () => number;
}

/** Serves them on a free port. */
export async function serveMcp(deps: () => Dependencies = production): Promise<McpEndpoint> {
  const mcp = mcpWith(deps);
  let streams = 0;
  const served = await serve(async (request) => {
    if (new URL(request.url).pathname !== "/mcp") return mcpMetadata(request);
    const answer = await mcp(request);
    if (request.method === "GET" || request.headers.get("mcp-method") === "subscriptions/listen") streams += 1;
    return answer;
  });
  return { ...served, streams: () => streams };
}

/** How a client comes to `/mcp`. */
export interface Coming {
  readonly credential: string;
  readonly era: Era;
  /** `?group=…`. */
  readonly query?: string;
  readonly headers?: Record<string, string>;
  readonly options?: ClientOptions;
}

/** The SDK's client of 2.x, connected; who opens it closes it. */
export async function connect(
  { origin }: Pick<Served, "origin">,
  { credential, era, query = "", headers = {}, options = {} }: Coming,
): Promise<{ readonly client: Client; readonly transport: StreamableHTTPClientTransport }> {
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: era === "2025-11-25" ? "legacy" : { pin: era } }, ...options },
  );
  const transport = new StreamableHTTPClientTransport(new URL(`/mcp${query}`, origin), {
    requestInit: { headers: { authorization: `Bearer ${credential}`, ...headers } },
  });
  await client.connect(transport);
  return { client, transport };
}

/** One JSON-RPC message of the era without a session, as a client of 2026-07-28 sends it. */
export function statelessMessage(
  method: string,
  params: Record<string, unknown> = {},
  id: number | string = 1,
): object {
  return {
    jsonrpc: "2.0",
    id,
    method,
    params: {
      ...params,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  };
}

/** A POST to `/mcp` by hand: the headers of either era are the caller's. */
export function post(
  { origin }: Pick<Served, "origin">,
  credential: string | null,
  body: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
) {
  return fetch(`${origin}/mcp`, {
    method: "POST",
    signal: signal ?? null,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(credential !== null && { authorization: `Bearer ${credential}` }),
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** `initialize` by hand; answers the session's id. */
export async function initialize(endpoint: Pick<Served, "origin">, credential: string): Promise<string> {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const answer = await post(endpoint, credential, { jsonrpc: "2.0", id: 0, method: "initialize", params });
  await answer.text();
  return answer.headers.get("mcp-session-id") ?? "";
}
