import type { Resolver } from "@/lib/access/decide/remember";
import type { Resolution } from "@/lib/access/decide/resolution";
import { resolver } from "@/lib/store/snapshot/snapshot";
import { metrics } from "@/lib/telemetry/metrics";

/** Resolutions that were returned before: the resolver caches the object itself. */
const given = new WeakSet<Resolution>();

const COMPUTED = { cached: "no" } as const;
const CACHED = { cached: "yes" } as const;

/** The process's resolver, counted and timed (docs/reference/execution.md#telemetry): deciding itself is pure. */
export const measuredResolve: Resolver["resolve"] = (index, request, now, options) => {
  const started = performance.now();
  const resolution = resolver().resolve(index, request, now, options);
  const milliseconds = performance.now() - started;
  const labels = given.has(resolution) ? CACHED : COMPUTED;
  given.add(resolution);
  const { resolutions, resolutionTime, toolsResolved } = metrics();
  resolutions.of(labels).add();
  resolutionTime.of(labels).record(milliseconds);
  toolsResolved.of({}).add(resolution.tools.length);
  return resolution;
};
