import { z } from "zod";
import type { AppAddress } from "@/lib/server/front/forward";
import { setKnownApp } from "@/lib/server/known-app";
import { GATEWAY_OWN_HEADER, GATEWAY_SECRET_HEADER } from "@/lib/http/gateway-secret";
import type { Metric } from "@/lib/telemetry/registry";

/** Milliseconds that the app has to send its metrics. */
const METRICS_MS = 1_000;

/** The supervisor's message (bin/boot/supervise.mjs) when the app begins to answer, and when it ends. */
const supervisorMessage = z.object({ app: z.object({ port: z.int(), secret: z.string() }).nullable() });

/** Keeps the app's present address; `null` while the app does not answer. */
export function followApp(): () => AppAddress | null {
  let app: AppAddress | null = null;
  process.on("message", (message) => {
    const known = supervisorMessage.safeParse(message);
    if (known.success) app = known.data.app;
  });
  setKnownApp({ isReady: () => app !== null, metrics: async () => (app === null ? [] : metricsOf(app)) });
  return () => app;
}

/** Reads the app's metrics. An app that is too busy to answer in time is left out, so that nobody waits for it. */
async function metricsOf({ port, secret }: AppAddress): Promise<readonly Metric[]> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/api/metrics`, {
      headers: { [GATEWAY_SECRET_HEADER]: secret, [GATEWAY_OWN_HEADER]: "1" },
      signal: AbortSignal.timeout(METRICS_MS),
    });
    return answer.ok ? ((await answer.json()) as Metric[]) : [];
  } catch {
    return [];
  }
}
