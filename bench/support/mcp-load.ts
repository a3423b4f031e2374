import { OWN_ID, type Load } from "@/bench/support/load";

const STATELESS = "2026-07-28";
const IN_SESSION = "2025-11-25";
const CLIENT = { name: "bench", version: "1" };

/** An MCP message: a method and its parameters. */
export interface McpMessage {
  readonly method: "tools/list" | "tools/call" | "subscriptions/listen";
  readonly params: { readonly name?: string; readonly arguments?: object; readonly notifications?: object };
}

/** The message in a request of 2026-07-28, which needs no session. */
export function stateless(
  url: string,
  { method, params }: McpMessage,
  headers: Readonly<Record<string, string>> = {},
): Load {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": STATELESS,
    "io.modelcontextprotocol/clientInfo": CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return {
    url,
    body: JSON.stringify({ jsonrpc: "2.0", id: OWN_ID, method, params: { ...params, _meta } }),
    headers: {
      ...headers,
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": STATELESS,
      "mcp-method": method,
      ...(params.name !== undefined && { "mcp-name": params.name }),
    },
    status: 200,
  };
}

/** Opens a session of 2025-11-25, which stays open, and answers its headers. */
export async function openSession(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, string>>> {
  const first = {
    ...headers,
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    "mcp-protocol-version": IN_SESSION,
  };
  const post = async (message: object, typed: Readonly<Record<string, string>>) => {
    const answer = await fetch(url, {
      method: "POST",
      headers: typed,
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`);
    return answer.headers.get("mcp-session-id") ?? "";
  };
  const params = { protocolVersion: IN_SESSION, capabilities: {}, clientInfo: CLIENT };
  const session = { ...first, "mcp-session-id": await post({ id: 0, method: "initialize", params }, first) };
  await post({ method: "notifications/initialized" }, session);
  return session;
}

/** The message in a request of a session. */
export function inSession(
  url: string,
  { method, params }: McpMessage,
  headers: Readonly<Record<string, string>>,
): Load {
  return { url, body: JSON.stringify({ jsonrpc: "2.0", id: OWN_ID, method, params }), headers, status: 200 };
}
