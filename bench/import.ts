import { upgrade } from "@scalar/openapi-upgrader";
import { importThroughServer } from "@/bench/support/import-through-server";
import { hugeDocument, largeDocument } from "@/bench/support/large-document";
import { cpuMilliseconds, median, report } from "@/bench/support/measure";
import { importOpenApi } from "@/lib/sources/openapi/import-openapi";
import { asObject } from "@/lib/sources/openapi/json-view";
import { endpointKey } from "@/lib/sources/openapi/operation-names";
import { readOpenApi } from "@/lib/sources/openapi/read-document";

// Measures reading a document of GitHub's size into tools, against only parsing and upgrading it, which every reader must
// do. Then measures the whole import into our server: read in its thread, planned, applied, and the index compiled anew.

const { name, text } = largeDocument();

const bare = () => upgrade(JSON.parse(text) as Record<string, unknown>, "3.1");
const whole = () => importOpenApi(readOpenApi(text), { source: "bench", url: null, known: new Map() });

const rounds = Array.from({ length: 7 }, () => ({ alone: cpuMilliseconds(bare), all: cpuMilliseconds(whole) })).slice(
  2,
);
const took = median(rounds.map(({ all }) => all.milliseconds));
const { tools, findings } = rounds[0]?.all.made ?? { tools: [], findings: [] };

console.log(`  ${name}, ${(text.length / 1e6).toFixed(1)} MB: ${tools.length} tools, ${findings.length} findings`);
report("CPU of an import", took, { atMost: 5000 }, " ms");
report(
  "CPU of an import / of JSON.parse and the upgrade alone",
  median(rounds.map(({ alone, all }) => all.milliseconds / alone.milliseconds)),
  { atMost: 10 },
);

// A new operation before all others that claims the name of a known one.
const document = readOpenApi(text);
const known = new Map(
  tools.flatMap(({ method, path, operation }): [string, string][] =>
    method === null || path === null ? [] : [[endpointKey({ method, path }), operation]],
  ),
);
const [first] = known.values();
const inserted = {
  ...document,
  paths: { "/inserted": { get: { operationId: first ?? "" } }, ...asObject(document["paths"]) },
};
const again = importOpenApi(inserted, { source: "bench", url: null, known });
const names = new Map(again.tools.map(({ method, path, operation }) => [`${method} ${path}`, operation]));
const moved = [...known].filter(([key, operation]) => names.get(key) !== operation);
report(`names of ${known.size} that an inserted operation moves`, moved.length, { atMost: 0 });

const runs = await importThroughServer(text, hugeDocument());
for (const { what, seconds, longest, atRest, added, unchanged } of runs.slice(0, 2)) {
  console.log(
    `  ${what}: ${added} tools added, ${unchanged} unchanged; held up for ${longest.all.toFixed(0)} ms, ` +
      `a process at rest beside for ${atRest.all.toFixed(0)} ms`,
  );
  report(`${what}, from the document to the tools in use`, seconds, { atMost: 60 }, " s");
  report(`${what}, the longest that its work held up the server`, longest.own, { atMost: 200 }, " ms");
}

// 20 MB with 11,422 operations: time must be linear and memory bounded.
for (const { planned, seconds, longest, memory, added, refused } of runs.slice(2)) {
  const what = "20 MB, 11,422 operations";
  console.log(`  ${what}: ${added} tools added; held up for ${longest.all.toFixed(0)} ms`);
  report(`${what}, to the plan`, planned, { atMost: 20 }, " s");
  report(`${what}, to the tools in use`, seconds, { atMost: 90 }, " s");
  report(`${what}, that agents were told to come again`, refused, { atMost: 0 }, " s");
  report(`${what}, the longest that its work held up the server`, longest.own, { atMost: 50 }, " ms");
  report(`${what}, memory above rest`, memory, { atMost: 1000 }, " MB");
}
