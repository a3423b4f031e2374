import { readRuntimeGauges } from "@/lib/store/calls/runtime-gauges";
import { countLinks } from "@/lib/store/keys/linked-account-rows";
import { metrics } from "@/lib/telemetry/metrics";
import type { Metric, Sample } from "@/lib/telemetry/registry";

/** Adds breakers, queues and linked accounts to the metrics. They belong to the installation, so every instance reports the same values. */
export function registerRuntimeGauges(): void {
  metrics().registry.reads("runtime gauges", async () => {
    const { breakers, queues } = await readRuntimeGauges();
    const links = await countLinks();
    return [
      gauge(
        "agent_breaker_state",
        "",
        "A source's circuit breaker: 0 closed, 1 half open, 2 open.",
        breakers.map(({ source, state }) => ({ labels: { source }, value: STATE[state] })),
      ),
      gauge(
        "agent_queue_depth",
        "",
        "Calls and deliveries that could be begun.",
        queues.map(({ queue, waiting }) => ({ labels: { queue }, value: waiting })),
      ),
      gauge(
        "agent_queue_age_seconds",
        "s",
        "How long the longest waiting one has waited.",
        queues.map(({ queue, oldestSeconds }) => ({ labels: { queue }, value: oldestSeconds })),
      ),
      gauge(
        "agent_linked_accounts",
        "",
        "Linked accounts of people.",
        links.map(({ source, state, accounts }) => ({ labels: { source, state }, value: accounts })),
      ),
    ];
  });
}

const STATE = { closed: 0, half_open: 1, open: 2 } as const;

function gauge(name: string, unit: string, help: string, samples: readonly Sample[]): Metric {
  return { name, unit, help, kind: "gauge", samples };
}
