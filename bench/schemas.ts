import { median, report } from "@/bench/support/measure";
import { buildPrograms } from "@/bin/boot/build.mjs";
import { sharedSchemaTrials } from "@/lib/calls/schemas/schema-trial";
import { problemsOf } from "@/lib/calls/schemas/validators";
import { hostileSchemas, watchHold } from "@/test/support/hostile-schemas";

// Measures the longest hold of the serving thread while it checks values against hostile schemas of upstreams, and what
// the check of an ordinary value costs.

// Includes the thread that checks schemas.
await buildPrograms(process.cwd());

const ordinary = {
  definitionHash: "ordinary",
  inputSchema: {
    type: "object",
    properties: {
      customer: { type: "string", pattern: "^[A-Z]{3}-[0-9]{4}$" },
      limit: { type: "integer", minimum: 1, maximum: 100 },
      tags: { type: "array", items: { type: "string" } },
    },
    required: ["customer"],
    additionalProperties: false,
  },
  outputSchema: null,
};
const value = { customer: "ABC-1234", limit: 10, tags: ["one", "two", "three"] };
const check = () => problemsOf(value, ordinary, "inputSchema", undefined);

await check();
for (let warm = 0; warm < 2_000; warm += 1) await check();
const took: number[] = [];
for (let round = 0; round < 5_000; round += 1) {
  const start = performance.now();
  await check();
  took.push(performance.now() - start);
}
console.log(`        an ordinary check takes ${(median(took) * 1_000).toFixed(1)} µs`);

const watch = watchHold();
const holds: (readonly [what: string, milliseconds: number])[] = [];
for (const [at, { what, schema, values }] of hostileSchemas().entries())
  for (const hostile of values) {
    watch.longest();
    const tool = { definitionHash: `hostile ${at}`, inputSchema: schema, outputSchema: null };
    await problemsOf(hostile, tool, "inputSchema", undefined).catch(() => []);
    await new Promise((resolve) => setTimeout(resolve, 2));
    holds.push([what, watch.longest()]);
  }
watch.stop();
sharedSchemaTrials().close();

const longest = holds.toSorted(([, left], [, right]) => right - left);
for (const [what, milliseconds] of longest.slice(0, 5)) console.log(`        ${milliseconds.toFixed(1)} ms: ${what}`);
report("longest hold by a hostile schema", longest[0]?.[1] ?? Number.NaN, { atMost: 50 }, " ms");
