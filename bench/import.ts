import { upgrade } from "@scalar/openapi-upgrader";
import { existsSync, readFileSync } from "node:fs";
import { cpuMilliseconds, median, report } from "@/bench/support/measure";
import type { JsonObject } from "@/lib/access/configuration";
import { importOpenApi } from "@/lib/sources/openapi/import-openapi";
import { asObject } from "@/lib/sources/openapi/json-view";
import { endpointKey } from "@/lib/sources/openapi/operation-names";
import { readOpenApi } from "@/lib/sources/openapi/read-document";

// A document of GitHub's size, read into tools, beside only parsing and upgrading it, which nobody can do without.
// GitHub's own (13 MB, 1,223 operations) is not installed: `npm pack @octokit/openapi` elsewhere, unpack
// generated/api.github.com.json and name it in OPENAPI_DOCUMENT.

const file = process.env["OPENAPI_DOCUMENT"];
const name = file !== undefined && existsSync(file) ? file : "made up: 1,000 operations";
const text = file !== undefined && existsSync(file) ? readFileSync(file, "utf8") : JSON.stringify(madeUp());

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

// A new operation in front of all others, which wants the name of one that is known.
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

/** A thousand operations over two thousand schemas that all refer to each other. */
function madeUp(): JsonObject {
  const schemas = Object.fromEntries(
    Array.from({ length: 2000 }, (_, index) => [
      `S${index}`,
      {
        type: "object",
        description: "d".repeat(3000),
        properties: Object.fromEntries(
          [1, 7, 31].map((step) => [`p${step}`, { $ref: `#/components/schemas/S${(index * step + 1) % 2000}` }]),
        ),
      },
    ]),
  );
  const paths = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => {
      const content = { "application/json": { schema: { $ref: `#/components/schemas/S${index}` } } };
      const responses = { 200: { description: "It.", content } };
      return [`/items/${index}/{id}`, { put: { requestBody: { required: true, content }, responses } }];
    }),
  );
  return { openapi: "3.0.3", servers: [{ url: "https://api.example" }], paths, components: { schemas } };
}
