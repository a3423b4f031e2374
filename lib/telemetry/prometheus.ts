import type { Distribution, Labels, Metric } from "@/lib/telemetry/registry";

/** The content type of this text format (Prometheus, Exposition formats, 0.0.4). */
export const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Metrics in Prometheus' text format 0.0.4, without metrics that have no series. */
export function toPrometheus(metrics: readonly Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .map((metric) => {
      const name = metric.kind === "counter" ? `${metric.name}_total` : metric.name;
      const head = `# HELP ${name} ${escaped(metric.help)}\n# TYPE ${name} ${metric.kind}\n`;
      return head + linesOf(name, metric).join("");
    })
    .join("");
}

function linesOf(name: string, metric: Metric): string[] {
  if (metric.kind !== "histogram") return metric.samples.map(({ labels, value }) => line(name, labels, value));
  return metric.samples.flatMap((sample) => bucketsOf(name, metric.bounds, sample));
}

/** Buckets are cumulative, and the last one is the count. */
function bucketsOf(name: string, bounds: readonly number[], { labels, counts, sum }: Distribution): string[] {
  let count = 0;
  const buckets = counts.map((more, place) => {
    count += more;
    return line(`${name}_bucket`, { ...labels, le: textOf(bounds[place] ?? Number.POSITIVE_INFINITY) }, count);
  });
  return [...buckets, line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, count)];
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(
    ([label, text]) => `${label}="${escaped(text).replaceAll('"', String.raw`\"`)}"`,
  );
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${textOf(value)}\n`;
}

function textOf(value: number): string {
  if (Number.isFinite(value) || Number.isNaN(value)) return String(value);
  return value > 0 ? "+Inf" : "-Inf";
}

function escaped(text: string): string {
  return text.replaceAll("\\", String.raw`\\`).replaceAll("\n", String.raw`\n`);
}
