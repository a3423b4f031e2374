import { memoryUsage } from "node:process";
import { report } from "@/bench/support/measure";
import { callersOf, configurationOf, DENSE, STATED } from "@/bench/support/workload";
import { requestOf } from "@/lib/access/model/request";
import { compile } from "@/lib/access/compile/compile";
import { createResolver } from "@/lib/access/decide/remember";
import { encodeList, listText } from "@/lib/agents/rest/list-text";
import { toolList } from "@/lib/agents/rest/tool-list";
import type { CallContext } from "@/lib/calls/pipeline/call-context";
import { entriesInParts } from "@/lib/manifest/entries";
import { mcpTexts } from "@/lib/manifest/mcp";

// Measures what a gateway keeps of many callers: their decisions, their lists as text, and the tools that lists share. Each
// caller asks for its list by REST and by MCP, as the routes answer it. One process, after garbage collections.

const CALLERS = 1_000;
const NOW = Date.UTC(2026, 0, 1);
const MEGABYTE = 1024 * 1024;

const index = compile(configurationOf(STATED, 1, DENSE));
const resolver = createResolver();
const requests = callersOf(CALLERS, 2, DENSE).map(requestOf);

const rest = held();
let listed = 0;
let bytes = 0;
const start = performance.now();
for (const request of requests) {
  const resolution = resolver.resolve(index, request, NOW);
  const context = { snapshot: { index }, request, resolution, now: NOW } as unknown as CallContext;
  const shown = { format: "native", listing: "full", defer_loading: undefined } as const;
  const text = await (await toolList(context, shown)).text();
  const mcp = await listText(resolution, "mcp", function* () {
    const entries = yield* entriesInParts({ index, request, resolution, now: NOW });
    return yield* encodeList("", yield* mcpTexts(entries, "object"), "");
  });
  bytes += text.length + mcp.length;
  listed += resolution.tools.length;
}
const milliseconds = (performance.now() - start) / CALLERS;
const { access, manifests } = resolver.size(index);
console.log(
  `        ${(listed / CALLERS).toFixed(0)} tools a caller, ${(bytes / CALLERS / MEGABYTE).toFixed(2)} MB of both lists, made in ${milliseconds.toFixed(1)} ms; ${access} callers' policies and ${manifests} decisions kept`,
);
report(`memory above rest after ${CALLERS} distinct callers`, held() - rest, { atMost: 64 }, " MB");

/** Megabytes that this process holds after garbage collections. */
function held(): number {
  for (let round = 0; round < 3; round += 1) globalThis.gc?.();
  const { heapUsed, external } = memoryUsage();
  return (heapUsed + external) / MEGABYTE;
}
