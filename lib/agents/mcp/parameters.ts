import { AppError } from "@/lib/errors";
import { parseQuery, queryOf } from "@/lib/http/parse";
import { mcpQuery, type McpQuery } from "@/lib/contracts/agents/agent-api";

const PREFIX = "x-qm-";

/**
 * Parses the parameters that narrow an MCP request's tools: `/mcp?group=a&group=b`, or `x-qm-group: a, b` for clients
 * that cannot change their address; likewise `x-qm-session-id` and the others (docs/reference/http.md).
 *
 * @throws AppError `invalid_request` naming each unknown, invalid or repeated parameter
 */
export function parametersOf(request: Request): McpQuery {
  const query = queryOf(request.url);
  const stated: [name: string, value: string][] = [];
  for (const [name, value] of request.headers) if (name.startsWith(PREFIX)) stated.push([name, value]);
  const twice = stated.filter(([name]) => keyOf(name) in query);
  if (twice.length > 0)
    throw new AppError("invalid_request", "A parameter is set twice.", {
      errors: twice.map(([name]) => ({ path: name, message: "is also in the address: set it only once" })),
    });
  const headers = Object.fromEntries(stated.map(([name, value]) => [keyOf(name), valueOf(name, value)]));
  return parseQuery(mcpQuery, { ...query, ...headers }) as McpQuery;
}

/** `session_id` of `x-qm-session-id`. */
function keyOf(header: string): string {
  return header.slice(PREFIX.length).replaceAll("-", "_");
}

/** A repeated header arrives as one, with commas (RFC 9110, 5.3). An empty one means no group at all. */
function valueOf(header: string, value: string): string | string[] {
  if (keyOf(header) !== "group" || value === "") return value;
  return value.split(",").map((name) => name.trim());
}
