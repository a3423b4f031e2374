import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { compile } from "@/lib/access/compile";
import type { Configuration } from "@/lib/access/configuration";
import { explain, trace } from "@/lib/access/explain";
import { reasons } from "@/lib/access/hidden";
import { createResolver } from "@/lib/access/remember";
import { check, findByExposedName, resolve } from "@/lib/access/resolve";
import type { ResolveRequest } from "@/lib/access/resolution";
import { configurations } from "@/test/access/configuration-worlds";
import { chosen, law, seed, some } from "@/test/access/law";
import { requestsTo, times } from "@/test/access/worlds";

// Thousands of worlds on a busy machine take their time.
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
  law(fc.constant(null), ({ configuration, request, now }) => {
    const index = compile(configuration);
    const list = resolve(index, request, now);
    const hidden = reasons(index, request, now);
    expect(list.tools.length + hidden.length).toBe(configuration.tools.length);
    for (const { id } of configuration.tools) {
      const [listed, withheld] = [
        list.tools.find(({ tool }) => tool.id === id),
        hidden.find(({ tool }) => tool.id === id),
      ];
      const [checked, explained] = [check(index, request, id, now), explain(index, request, id, now)];
      expect(explained?.visible).toBe(listed !== undefined);
      expect(checked).toEqual(
        listed === undefined ? { verdict: "hidden", ...withheld } : { verdict: "visible", tool: listed },
      );
      expect(explained).toMatchObject(
        listed === undefined
          ? { decidedBy: withheld?.decidedBy, reason: withheld?.reason }
          : { decidedBy: null, callable: listed.callable },
      );
    }
    for (const listed of list.tools) expect(findByExposedName(list, listed.exposedName)).toEqual([listed]);
    expect(check(index, request, "no:such", now)).toEqual({ verdict: "unknown" });
    expect(explain(index, request, "no:such", now)).toBeNull();
  });
});

/** The first request with one field of the other: what must not share an entry with it. */
function oneFieldAway(first: ResolveRequest, other: ResolveRequest): readonly ResolveRequest[] {
  const fields = Object.keys(first) as (keyof ResolveRequest)[];
  return fields.map((field) => ({ ...first, [field]: other[field] }));
}

test("a remembered answer is the answer: caches on equal caches off over interleaved revisions, requests and times", () => {
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
        // The same meaning in another object: nothing may hang on identity.
        const request = structuredClone(chosen(requests, at)!);
        expect(remembering.resolve(index, request, now, { skipCache })).toEqual(resolve(index, request, now));
      }
    }),
    { seed, numRuns: 1_000 },
  );
});
