import { parseAddress, LOOPBACK_HOSTS } from "@/lib/access/model/addresses";
import { knownApp } from "@/lib/server/known-app";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { SERVICE_OPERATIONS } from "@/lib/contracts/operations/service-operations";
import { openRoute } from "@/lib/http/contract-route";
import { GATEWAY_OWN_HEADER, isBehindGateway, isSameText } from "@/lib/http/gateway-secret";
import { Reply } from "@/lib/http/reply";
import { can } from "@/lib/resources/permissions";
import { findUsableToken } from "@/lib/store/people/tokens";
import { metrics } from "@/lib/telemetry/metrics";
import { withProcess } from "@/lib/telemetry/of-process";
import { PROMETHEUS_TYPE, toPrometheus } from "@/lib/telemetry/prometheus";

/**
 * GET /api/metrics: the metrics of this process and of its app, in Prometheus' text format
 * (docs/reference/execution.md#telemetry). Open to this machine, METRICS_TOKEN and personal access tokens.
 */
export const readMetrics = openRoute(SERVICE_OPERATIONS.read_metrics, async ({ request, peer }) => {
  // The app behind a gateway answers only the gateway itself, which adds its own metrics. A client's request that the gateway
  // forwards gets none: Next has more spellings of a path than the gateway refuses, such as `/_next/data/`.
  if (isBehindGateway()) {
    if (!request.headers.has(GATEWAY_OWN_HEADER)) throw stranger();
    return Reply.json(await metrics().registry.collect());
  }
  if (!(await mayRead(request, peer))) throw stranger();
  const [own, ofApp] = await Promise.all([metrics().registry.collect(), knownApp()?.metrics() ?? []]);
  return new Reply(toPrometheus(withProcess(own, ofApp, "app")), 200, { "content-type": PROMETHEUS_TYPE });
});

/** A wrong credential is refused even from this machine. */
async function mayRead(request: Request, peer: string | undefined): Promise<boolean> {
  const authorization = request.headers.get("authorization");
  if (authorization === null) return isThisMachine(request, peer);
  const [, bearer] = /^bearer (\S+)$/i.exec(authorization) ?? [];
  if (bearer === undefined) return false;
  if (env.METRICS_TOKEN !== undefined && isSameText(bearer, env.METRICS_TOKEN)) return true;
  const usable = await findUsableToken(bearer, Date.now());
  return usable !== null && can(usable.token.role, "configuration:read");
}

/**
 * Whether the request comes from a process of this machine. Never true behind a proxy (TRUST_PROXY), which may run on this
 * machine itself. The host name check refuses pages of other sites that resolve to this machine (DNS rebinding).
 */
function isThisMachine(request: Request, peer: string | undefined): boolean {
  const isLocal = parseAddress(peer ?? "")?.range() === "loopback";
  return env.TRUST_PROXY === 0 && isLocal && LOOPBACK_HOSTS.includes(new URL(request.url).hostname);
}

function stranger(): AppError {
  return new AppError(
    "unauthenticated",
    "Metrics need a credential from other machines: send METRICS_TOKEN or a personal access token as `Authorization: Bearer`.",
    { headers: { "www-authenticate": 'Bearer realm="quartermaster-metrics"' } },
  );
}
