import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import type { Configuration } from "@/lib/access/model/configuration";
import { trace } from "@/lib/access/explain/explain";
import { createResolver } from "@/lib/access/decide/remember";
import { resolve } from "@/lib/access/decide/resolve";
import { configurations } from "@/test/access/configuration-worlds";
import { chosen, law, seed, some } from "@/test/access/law";
import { expectOneDecision } from "@/test/access/one-decision";
import { oneFieldAway, requestsTo, times } from "@/test/access/worlds";

// Thousands of worlds take long on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

test("each step only removes", () => {
  law(fc.constant(null), ({ configuration, request, now }) => {
    const index = compile(configuration);
    const { steps } = trace(index, request, now);
    expect(steps[0]?.before).toBe(configuration.tools.length);
    steps.forEach(({ before, after }, at) => {
      expect(after).toBeLessThanOrEqual(before);
      expect(steps[at + 1]?.before ?? after).toBe(after);
    });
    expect(steps.at(-1)?.after).toBe(resolve(index, request, now).tools.length);
  });
});

test("list, check, reasons and explanation are one decision", () => {
  law(fc.constant(null), (world) => expectOneDecision(world));
});

test("a cached answer is correct: caches on equal caches off over interleaved revisions, requests and times", () => {
  const asked = (configuration: Configuration) =>
    fc.array(requestsTo(configuration), { minLength: 2, maxLength: 4, size: "max" }).map((requests) => ({
      configuration,
      requests: requests.flatMap((request) => [request, ...oneFieldAway(requests[0]!, request)]),
    }));
  const moments = fc.array(fc.record({ which: some, request: some, now: times, skipCache: fc.boolean() }), {
    minLength: 8,
    maxLength: 24,
    size: "max",
  });
  const revisions = fc.uniqueArray(configurations, {
    minLength: 1,
    maxLength: 2,
    selector: ({ revision }) => revision,
  });
  const scenario = fc.record({ pools: revisions.chain((all) => fc.tuple(...all.map(asked))), moments });
  fc.assert(
    fc.property(scenario, ({ pools, moments: sequence }) => {
      const remembering = createResolver();
      const compiled = pools.map(({ configuration, requests }) => ({ index: compile(configuration), requests }));
      for (const { which, request: at, now, skipCache } of sequence) {
        const { index, requests } = chosen(compiled, which)!;
        // An equal request in another object: nothing may depend on identity.
        const request = structuredClone(chosen(requests, at)!);
        expect(remembering.resolve(index, request, now, { skipCache })).toEqual(resolve(index, request, now));
      }
    }),
    { seed, numRuns: 1_000 },
  );
});
