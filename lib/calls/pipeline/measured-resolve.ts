import type { Resolver } from "@/lib/access/decide/remember";
import type { Resolution } from "@/lib/access/decide/resolution";
import { resolver } from "@/lib/store/snapshot/snapshot";
import { metrics } from "@/lib/telemetry/metrics";

/** The resolver caches the returned object itself, so an object that is in this set came from its cache. */
const returned = new WeakSet<Resolution>();

const COMPUTED = { cached: "no" } as const;
const CACHED = { cached: "yes" } as const;

/** Resolves and records metrics (docs/reference/execution.md#telemetry). `lib/access` is pure and records none. */
export const measuredResolve: Resolver["resolve"] = (index, request, now, options) => {
  const started = performance.now();
  const resolution = resolver().resolve(index, request, now, options);
  const milliseconds = performance.now() - started;
  const labels = returned.has(resolution) ? CACHED : COMPUTED;
  returned.add(resolution);
  const { resolutions, resolutionTime, toolsResolved } = metrics();
  resolutions.of(labels).add();
  resolutionTime.of(labels).record(milliseconds);
  toolsResolved.of({}).add(resolution.tools.length);
  return resolution;
};
