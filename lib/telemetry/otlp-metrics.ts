import { ValueType, type HrTime } from "@opentelemetry/api";
import { AggregationTemporality, DataPointType, type MetricData, type ScopeMetrics } from "@opentelemetry/sdk-metrics";
import type { Labels, Metric } from "@/lib/telemetry/registry";

/** The metrics in the form of the library's exporters: cumulative since the start of the process. */
export function toScopeMetrics(metrics: readonly Metric[]): ScopeMetrics {
  const endTime = toHrTime(Date.now());
  return {
    scope: { name: "quartermaster" },
    metrics: metrics.filter(({ samples }) => samples.length > 0).map((metric) => toData(metric, endTime)),
  };
}

const startTime = toHrTime(performance.timeOrigin);

function toData(metric: Metric, endTime: HrTime): MetricData {
  const { name, help: description, unit } = metric;
  const common = {
    descriptor: { name, description, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const point = <Value>(labels: Labels, value: Value) => ({ startTime, endTime, attributes: { ...labels }, value });
  if (metric.kind === "histogram")
    return {
      ...common,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: metric.samples.map(({ labels, counts, sum }) => {
        const buckets = { boundaries: [...metric.bounds], counts: [...counts] };
        return point(labels, { buckets, sum, count: counts.reduce((all, more) => all + more, 0) });
      }),
    };
  const dataPoints = metric.samples.map(({ labels, value }) => point(labels, value));
  if (metric.kind === "gauge") return { ...common, dataPointType: DataPointType.GAUGE, dataPoints };
  return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
}

/** Converts milliseconds to seconds and nanoseconds. */
function toHrTime(milliseconds: number): HrTime {
  const seconds = Math.trunc(milliseconds / 1000);
  return [seconds, Math.round((milliseconds - seconds * 1000) * 1e6)];
}
