import type { Labels, Metric } from "@/lib/telemetry/registry";

/**
 * Combines the metrics of two processes. The label `process` marks the series of the other one. The values are not
 * summed: a restart of one process would lower the sum, which a collector would read as a restart of both.
 */
export function withProcess(own: readonly Metric[], others: readonly Metric[], name: string): Metric[] {
  const all = new Map(own.map((metric) => [metric.name, metric]));
  for (const metric of others) all.set(metric.name, joined(all.get(metric.name), labelled(metric, { process: name })));
  return [...all.values()];
}

function labelled(metric: Metric, more: Labels): Metric {
  const withMore = <S extends { readonly labels: Labels }>(samples: readonly S[]): S[] =>
    samples.map((sample) => ({ ...sample, labels: { ...sample.labels, ...more } }));
  return metric.kind === "histogram"
    ? { ...metric, samples: withMore(metric.samples) }
    : { ...metric, samples: withMore(metric.samples) };
}

function joined(one: Metric | undefined, other: Metric): Metric {
  if (one === undefined) return other;
  if (one.kind === "histogram" && other.kind === "histogram")
    return { ...one, samples: [...one.samples, ...other.samples] };
  return one.kind !== "histogram" && other.kind !== "histogram"
    ? { ...one, samples: [...one.samples, ...other.samples] }
    : one;
}
