import { z } from "zod";
import type { AppAddress } from "@/bin/forward";
import { setKnownApp } from "@/lib/server/known-app";
import { GATEWAY_SECRET_HEADER } from "@/lib/http/gateway-secret";
import type { Metric } from "@/lib/telemetry/registry";

/** Milliseconds that the app has for saying what it counted. */
const METRICS_MS = 1_000;

/** What the supervisor (bin/supervise.mjs) says whenever the app starts to answer, or ends. */
const told = z.object({ app: z.object({ port: z.int(), secret: z.string() }).nullable() });

/** Follows where the app answers; `null` while it does not. */
export function followApp(): () => AppAddress | null {
  let app: AppAddress | null = null;
  process.on("message", (message) => {
    const known = told.safeParse(message);
    if (known.success) app = known.data.app;
  });
  setKnownApp({ isReady: () => app !== null, metrics: async () => (app === null ? [] : metricsOf(app)) });
  return () => app;
}

/** An app that is too busy to answer is left out: nobody waits for it. */
async function metricsOf({ port, secret }: AppAddress): Promise<readonly Metric[]> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/api/metrics`, {
      headers: { [GATEWAY_SECRET_HEADER]: secret },
      signal: AbortSignal.timeout(METRICS_MS),
    });
    return answer.ok ? ((await answer.json()) as Metric[]) : [];
  } catch {
    return [];
  }
}
