import { randomBytes } from "node:crypto";
import { NextResponse, type NextRequest } from "next/server";
import { renewedSessionCookie } from "@/lib/auth/people/session";
import { isServedOverTls } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { isAgentPath } from "@/lib/http/agent-paths";
import { isBehindGateway, isFromGateway, notFromGateway } from "@/lib/http/gateway-secret";
import { toProblem } from "@/lib/http/problem";
import { newRequestId } from "@/lib/http/request-id";

const DEVELOPMENT = process.env.NODE_ENV === "development";

/**
 * Gives every page a Content-Security-Policy with a new nonce (docs/reference/interface.md#budgets): only scripts and
 * styles with that nonce run, no page frames ours, and nothing loads from another host.
 * Style attributes may be inline, because positioned popups need them. Only development needs `eval`.
 */
export async function proxy(request: NextRequest): Promise<Response> {
  const refused = refusalOf(request);
  if (refused !== null) return toProblem(refused, newRequestId(request)).toResponse();
  if (isAgentPath(request.nextUrl.pathname)) return NextResponse.next();
  const nonce = randomBytes(18).toString("base64");
  const policy = contentSecurityPolicy(nonce, isServedOverTls());
  const headers = new Headers(request.headers);
  // Next reads the nonce from this request header and sets it on its own scripts.
  headers.set("content-security-policy", policy);
  headers.set("x-nonce", nonce);
  // The sign-in page uses this to return to the requested page.
  headers.set("x-search", request.nextUrl.search);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.headers.set(name, value);
  const cookie = isActivity(request) ? await renewedSessionCookie(request.headers.get("cookie")) : null;
  if (cookie !== null) response.headers.append("set-cookie", cookie);
  return response;
}

/** Behind a gateway, refuses requests from anywhere else, and agents' paths, which the gateway serves itself. */
function refusalOf({ headers, nextUrl: { pathname } }: NextRequest): AppError | null {
  if (!isFromGateway(headers)) return notFromGateway();
  if (!isBehindGateway() || OF_THE_GATEWAY.has(pathname) || !isAgentPath(pathname)) return null;
  return new AppError("not_found", "There is nothing at this address.");
}

/**
 * Whether a person caused this request, which extends the idle deadline of their session: an opened page, or a read
 * that the app marks as theirs. Polls do not count. Neither does a change, which may set a session cookie itself.
 */
function isActivity({ method, headers, nextUrl: { pathname } }: NextRequest): boolean {
  if (method !== "GET" || pathname.startsWith("/api/auth/")) return false;
  return pathname.startsWith("/api/") ? headers.get("x-user-active") === "1" : !headers.has("next-router-prefetch");
}

/** Paths that the gateway and the supervisor request from the app; the gateway never forwards a client's request for them. */
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
    // Development injects style elements without a nonce, and a nonce would disable 'unsafe-inline'.
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
  // Excludes Next's static files, which are public, and the two routes that take documents of 32 MiB: Next buffers a body
  // for this file before the route checks the sender. These two check the gateway's secret themselves (lib/http/route.ts).
  matcher: ["/((?!api/admin/imports$|api/admin/config$|_next/static|_next/image|favicon.ico|icon.svg).*)"],
};
