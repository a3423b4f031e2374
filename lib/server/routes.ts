import { readAccessRequest, requestAccess } from "@/lib/agents/rest/access-requests";
import { callTool } from "@/lib/agents/rest/call";
import { cancelCall, followCall, readCall } from "@/lib/agents/rest/calls";
import { health, ready } from "@/lib/server/health";
import { mcp } from "@/lib/agents/mcp/endpoint";
import { mcpMetadata } from "@/lib/agents/mcp/metadata";
import { METADATA_PATHS, OAUTH_PATHS } from "@/lib/agents/oauth/paths";
import { oauth } from "@/lib/agents/oauth/server";
import { readMetrics } from "@/lib/server/metrics";
import { changeSession, openSession, readSession } from "@/lib/agents/rest/sessions";
import { streamTools } from "@/lib/agents/streams/stream";
import { listTools } from "@/lib/agents/rest/tools";
import type { ContractHandler } from "@/lib/http/contract-route";
import type { Handler } from "@/lib/http/route";

/** The handlers of one path by method. GET also answers HEAD. */
export type Methods = Readonly<Partial<Record<"GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS", Handler>>>;

/**
 * The routes that are served without Next, by path; `[name]` is a parameter of one segment. `app/**` serves the same
 * handlers in development and in deployments without our own server.
 */
export const AGENT_ROUTES: Readonly<Record<string, Methods>> = {
  ...routesOf([
    listTools,
    streamTools,
    callTool,
    requestAccess,
    readAccessRequest,
    openSession,
    readSession,
    changeSession,
    readCall,
    cancelCall,
    followCall,
    health,
    ready,
    readMetrics,
  ]),
  "/mcp": { GET: mcp, POST: mcp, DELETE: mcp },
  ...at(METADATA_PATHS.resource, { GET: mcpMetadata }),
  ...at(METADATA_PATHS.server, { GET: oauth, OPTIONS: oauth }),
  [OAUTH_PATHS.authorization]: { GET: oauth },
  [`${OAUTH_PATHS.authorization}/[uid]`]: { GET: oauth },
  [OAUTH_PATHS.token]: { POST: oauth, OPTIONS: oauth },
  [OAUTH_PATHS.revocation]: { POST: oauth, OPTIONS: oauth },
  [OAUTH_PATHS.registration]: { POST: oauth, OPTIONS: oauth },
  [OAUTH_PATHS.jwks]: { GET: oauth, OPTIONS: oauth },
};

/** Puts the same handlers at several paths. */
function at(paths: readonly string[], methods: Methods): Record<string, Methods> {
  return Object.fromEntries(paths.map((path) => [path, methods]));
}

function routesOf(handlers: readonly ContractHandler[]): Record<string, Methods> {
  const routes: Record<string, Record<string, Handler>> = {};
  for (const handler of handlers) {
    const { path, method } = handler.contract;
    (routes[path.replaceAll(/\{(\w+)\}/g, "[$1]")] ??= {})[method.toUpperCase()] = handler;
  }
  return routes;
}

/** The handlers and the parameters of a path. */
export interface Found {
  readonly methods: Methods;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the route of a path. */
export type FindRoute = (path: string) => Found | null;

/** Creates a finder for a table of routes. A path that cannot be decoded matches no route. */
export function findIn(routes: Readonly<Record<string, Methods>>): FindRoute {
  const exact = new Map<string, Found>();
  const patterns: { readonly segments: readonly string[]; readonly methods: Methods }[] = [];
  for (const [path, methods] of Object.entries(routes))
    if (path.includes("[")) patterns.push({ segments: path.split("/"), methods });
    else exact.set(path, { methods, params: {} });
  return (path) => {
    const found = exact.get(path);
    if (found !== undefined) return found;
    const given = path.split("/");
    for (const { segments, methods } of patterns) {
      const params = match(segments, given);
      if (params !== null) return { methods, params };
    }
    return null;
  };
}

/** Finds a route for agents. */
export const findAgentRoute = findIn(AGENT_ROUTES);

function match(segments: readonly string[], given: readonly string[]): Record<string, string> | null {
  if (segments.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [place, segment] of segments.entries()) {
    const text = given[place] ?? "";
    if (!segment.startsWith("[")) {
      if (segment !== text) return null;
      continue;
    }
    const value = decoded(text);
    if (value === null || value === "") return null;
    params[segment.slice(1, -1)] = value;
  }
  return params;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
