import { setTimeout as delay } from "node:timers/promises";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { sharedSchemaTrials } from "@/lib/calls/schemas/schema-trial";
import { problemsOf } from "@/lib/calls/schemas/validators";
import { hostileSchemas, watchHold } from "@/test/support/hostile-schemas";

// `npm run bench -- schemas` holds all hundred to 50 ms. Here: of each family the smallest and the largest, with a margin,
// because a busy machine pauses a process for longer. Without the budget they held the thread for seconds.
const schemas = hostileSchemas().filter((_schema, at) => [0, 9].includes(at % 10));

afterAll(() => sharedSchemaTrials().close());

it.each(schemas.map((one) => [one.what, one] as const))(
  "a schema of %s never holds the thread that serves for half a second",
  { timeout: 60_000 },
  async (what, { schema, values }) => {
    const watch = watchHold();
    onTestFinished(watch.stop);
    const tool = { definitionHash: `hostile ${what}`, inputSchema: schema, outputSchema: null };
    const ended: string[] = [];
    for (const value of values) {
      const check = problemsOf(value, tool, "inputSchema", undefined);
      ended.push(await check.then(() => "checked").catch(() => "refused"));
      await delay(3);
    }
    expect(watch.longest()).toBeLessThan(500);
    expect(ended).toHaveLength(values.length);
  },
);
