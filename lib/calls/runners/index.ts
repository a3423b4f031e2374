import type { SourceKind } from "@/lib/resources/source-kinds";
import { runBuiltin } from "@/lib/calls/runners/builtin";
import { runHttp } from "@/lib/calls/runners/http";
import { runMcp } from "@/lib/calls/runners/mcp";
import type { Runner } from "@/lib/calls/runners/runner";
import { runScript } from "@/lib/calls/runners/script";

/** One runner for each kind of source. */
export type Runners = Readonly<Record<SourceKind, Runner>>;

const runRequest: Runner = ({ context, hasListener, ...call }) =>
  runHttp({ ...call, correlationId: context.correlationId, onChunk: hasListener ? context.emit : null });

/** How the tools of each kind of source are run. */
export const runners = {
  openapi: runRequest,
  mcp: (call) => runMcp(call),
  http: runRequest,
  script: (call) => runScript(call),
  builtin: runBuiltin,
} satisfies Runners;
