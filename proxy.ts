import { randomBytes } from "node:crypto";
import { NextResponse, type NextRequest } from "next/server";
import { renewedSessionCookie, servedOverTls } from "@/lib/auth/people/session";
import { AppError } from "@/lib/errors";
import { isAgentPath } from "@/lib/http/agent-paths";
import { isBehindGateway, isFromGateway, notFromGateway } from "@/lib/http/gateway-secret";
import { toProblem } from "@/lib/http/problem";
import { newRequestId } from "@/lib/http/request-id";

const DEVELOPMENT = process.env.NODE_ENV === "development";

/**
 * Every page gets a Content-Security-Policy with a nonce of its own (docs/reference/interface.md#budgets): only scripts and
 * styles that this response vouches for run, nothing frames us, nothing is loaded from another host.
 * Style attributes may be inline, which positioned popups need. Development alone needs `eval`.
 */
export async function proxy(request: NextRequest): Promise<Response> {
  const refused = refusalOf(request);
  if (refused !== null) return toProblem(refused, newRequestId(request)).toResponse();
  if (isAgentPath(request.nextUrl.pathname)) return NextResponse.next();
  const nonce = randomBytes(18).toString("base64");
  const policy = contentSecurityPolicy(nonce, servedOverTls());
  const headers = new Headers(request.headers);
  // Next reads the nonce out of this request header and puts it on its own scripts.
  headers.set("content-security-policy", policy);
  headers.set("x-nonce", nonce);
  // A page that sends someone to sign in sends them back to what they asked for.
  headers.set("x-search", request.nextUrl.search);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.headers.set(name, value);
  const cookie = isActivity(request) ? await renewedSessionCookie(request.headers.get("cookie")) : null;
  if (cookie !== null) response.headers.append("set-cookie", cookie);
  return response;
}

/** Behind a gateway, whoever is not the gateway is refused, and so are agents' paths: the gateway serves those itself. */
function refusalOf({ headers, nextUrl: { pathname } }: NextRequest): AppError | null {
  if (!isFromGateway(headers)) return notFromGateway();
  if (!isBehindGateway() || OF_THE_GATEWAY.has(pathname) || !isAgentPath(pathname)) return null;
  return new AppError("not_found", "There is nothing at this address.");
}

/**
 * Whether a person caused this request, which moves the idle deadline of their session: a page they opened, or a read
 * that the app marks as theirs. Its polls do not count, and a change may set a session cookie of its own.
 */
function isActivity({ method, headers, nextUrl: { pathname } }: NextRequest): boolean {
  if (method !== "GET" || pathname.startsWith("/api/auth/")) return false;
  return pathname.startsWith("/api/") ? headers.get("x-user-active") === "1" : !headers.has("next-router-prefetch");
}

/** What the gateway and its supervisor ask of the app themselves; a client's request for it never gets here. */
const OF_THE_GATEWAY: ReadonlySet<string> = new Set(["/api/health", "/api/metrics"]);

const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
};

function contentSecurityPolicy(nonce: string, tls: boolean): string {
  const directives = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${DEVELOPMENT ? " 'unsafe-eval'" : ""}`,
    // Development injects style elements without a nonce; a nonce would switch 'unsafe-inline' off.
    DEVELOPMENT ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${DEVELOPMENT ? " ws:" : ""}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(tls ? ["upgrade-insecure-requests"] : []),
  ];
  return directives.join("; ");
}

export const config = {
  // Everything but Next's static files, which are everybody's, and the two routes that take documents of 32 MiB: Next buffers
  // a body for this file before the route asks who sends it. Those two check the gateway's secret themselves (lib/http/route.ts).
  matcher: ["/((?!api/admin/imports$|api/admin/config$|_next/static|_next/image|favicon.ico|icon.svg).*)"],
};
