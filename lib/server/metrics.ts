import { knownApp } from "@/lib/server/known-app";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { toProblem } from "@/lib/http/problem";
import { newRequestId } from "@/lib/http/request-id";
import { isBehindGateway, isFromGateway, isSameText } from "@/lib/http/gateway-secret";
import type { RouteContext } from "@/lib/http/route";
import { can } from "@/lib/resources/permissions";
import { findUsableToken } from "@/lib/store/people/tokens";
import { metrics } from "@/lib/telemetry/metrics";
import { withProcess } from "@/lib/telemetry/of-process";
import { PROMETHEUS_TYPE, toPrometheus } from "@/lib/telemetry/prometheus";

/**
 * GET /api/metrics: what this process counted, and the app that it forwards to, in Prometheus' text format (docs/reference/execution.md#telemetry), for this machine itself,
 * the holder of METRICS_TOKEN and personal access tokens.
 */
export async function readMetrics(request: Request, context?: RouteContext): Promise<Response> {
  const requestId = newRequestId(request);
  try {
    // The app behind a gateway answers the gateway alone, which adds its own.
    if (isBehindGateway() && isFromGateway(request.headers)) return Response.json(await metrics().registry.collect());
    if (!(await mayRead(request, context?.peer))) throw stranger();
    const [own, ofApp] = await Promise.all([metrics().registry.collect(), knownApp()?.metrics() ?? []]);
    const text = toPrometheus(withProcess(own, ofApp, "app"));
    const headers = { "content-type": PROMETHEUS_TYPE, "cache-control": "no-store", "x-request-id": requestId };
    return new Response(text, { headers });
  } catch (error) {
    return toProblem(error, requestId).toResponse();
  }
}

/** A credential is never left aside: a wrong one is refused wherever it comes from. */
async function mayRead(request: Request, peer: string | undefined): Promise<boolean> {
  const authorization = request.headers.get("authorization");
  if (authorization === null) return isThisMachine(request, peer);
  const [, bearer] = /^bearer (\S+)$/i.exec(authorization) ?? [];
  if (bearer === undefined) return false;
  if (env.METRICS_TOKEN !== undefined && isSameText(bearer, env.METRICS_TOKEN)) return true;
  const usable = await findUsableToken(bearer, Date.now());
  return usable !== null && can(usable.token.role, "configuration:read");
}

const LOOPBACK = /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^::1$/;
const OWN_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Whether a process of this machine asks, for itself. Behind a proxy on this machine everybody would seem to: so not where
 * TRUST_PROXY says that there is one. The name keeps out pages whose own host name leads here (DNS rebinding).
 */
function isThisMachine(request: Request, peer: string | undefined): boolean {
  return env.TRUST_PROXY === 0 && LOOPBACK.test(peer ?? "") && OWN_HOSTS.has(new URL(request.url).hostname);
}

function stranger(): AppError {
  return new AppError(
    "unauthenticated",
    "Metrics are for this machine itself: from elsewhere, send METRICS_TOKEN or a personal access token as `Authorization: Bearer`.",
    { headers: { "www-authenticate": 'Bearer realm="quartermaster-metrics"' } },
  );
}
