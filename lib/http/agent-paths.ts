/** The paths served to agents, in lower case, each with all paths below it. */
const AGENT_PATHS = ["/api/agents", "/api/health", "/api/ready", "/api/metrics", "/mcp", "/oauth"];
/** The prefixes of OAuth metadata, which MCP clients read. */
const METADATA_PREFIXES = ["/.well-known/oauth-", "/.well-known/openid-configuration"];
/** The most rounds of percent-decoding: no real address is encoded that often. */
const MAX_DECODINGS = 5;

/**
 * The path of a request's target in its plainest form: decoded, without doubled slashes, backslashes and dots. Programs
 * that read an unusual path differently agree on this form. `null` = it cannot be decoded.
 */
export function plainPath(target: string): string | null {
  let path = pathOf(target);
  for (let decodings = 0; decodings < MAX_DECODINGS; decodings += 1) {
    const decoded = percentDecoded(path);
    if (decoded === null) return decodings === 0 ? null : path;
    const plain = withoutDots(decoded);
    if (plain === path) break;
    path = plain;
  }
  return path;
}

/** Whether only the gateway serves a path, in any spelling. */
export function isAgentPath(target: string): boolean {
  const path = plainPath(target)?.toLowerCase() ?? "";
  return (
    METADATA_PREFIXES.some((prefix) => path.startsWith(prefix)) ||
    AGENT_PATHS.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
  );
}

/** The path of a request's target, as it is sent. */
export function pathOf(target: string): string {
  return splitTarget(target).path;
}

/**
 * The path and the query of a request's target, which may also be an absolute URL (RFC 9112, 3.2.2). Drops a fragment, as Next
 * does. Code that decides by this path must also forward it: another parser may read the target differently.
 */
export function splitTarget(target: string): { readonly path: string; readonly search: string } {
  if (!target.startsWith("/") && URL.canParse(target)) {
    const { pathname, search } = new URL(target);
    return { path: pathname, search };
  }
  const [whole = ""] = target.split("#", 1);
  const query = whole.indexOf("?");
  return query === -1 ? { path: whole, search: "" } : { path: whole.slice(0, query), search: whole.slice(query) };
}

function percentDecoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

function withoutDots(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split(/[\\/]+/))
    if (segment === "..") kept.pop();
    else if (segment !== "." && segment !== "") kept.push(segment);
  return `/${kept.join("/")}`;
}
