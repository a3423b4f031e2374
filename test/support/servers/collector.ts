import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An attribute as OTLP's JSON has it. */
interface Pair {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string; readonly doubleValue?: number };
}

/** A span as received (OpenTelemetry protocol 1.x, JSON). */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly name: string;
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
}

/** The last data of a metric as received. */
export interface ReceivedMetric {
  readonly name: string;
  readonly sum?: {
    readonly isMonotonic: boolean;
    readonly aggregationTemporality: number;
    readonly dataPoints: object[];
  };
  readonly gauge?: { readonly dataPoints: object[] };
  readonly histogram?: {
    readonly dataPoints: { readonly explicitBounds: number[]; readonly bucketCounts: (number | string)[] }[];
  };
}

/** A collector on loopback that reads OTLP over HTTP as JSON. */
export interface Collector {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  readonly metrics: Map<string, ReceivedMetric>;
  /** The attributes of the sender. */
  readonly resource: Record<string, unknown>;
  /** Everything that came, as text. */
  readonly bodies: string[];
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const metrics = new Map<string, ReceivedMetric>();
  const resource: Record<string, unknown> = {};
  const bodies: string[] = [];
  const read = (path: string, text: string) => {
    bodies.push(text);
    const message = JSON.parse(text) as Record<string, Resourced[]>;
    if (path === "/v1/traces")
      for (const part of message["resourceSpans"] ?? []) {
        Object.assign(resource, flat(part.resource.attributes));
        const received = part.scopeSpans?.flatMap((scope) => scope.spans) ?? [];
        spans.push(...received.map((span) => ({ ...span, attributes: flat(span.attributes) })));
      }
    else if (path === "/v1/metrics")
      for (const part of message["resourceMetrics"] ?? [])
        for (const metric of part.scopeMetrics?.flatMap((scope) => scope.metrics) ?? [])
          metrics.set(metric.name, metric);
    else throw new Error(`Nothing of OTLP is at ${path}.`);
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const isJson = request.headers["content-type"] === "application/json";
      if (isJson) read(request.url ?? "", Buffer.concat(chunks).toString());
      response.writeHead(isJson ? 200 : 415, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metrics,
    resource,
    bodies,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

interface Resourced {
  readonly resource: { readonly attributes: readonly Pair[] };
  readonly scopeSpans?: readonly {
    readonly spans: readonly (Omit<ReceivedSpan, "attributes"> & { readonly attributes: readonly Pair[] })[];
  }[];
  readonly scopeMetrics?: readonly { readonly metrics: readonly ReceivedMetric[] }[];
}

function flat(attributes: readonly Pair[]): Record<string, string | number | undefined> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.doubleValue ?? Number(value.intValue)]),
  );
}
