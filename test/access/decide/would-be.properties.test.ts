import { describe, expect, test, vi } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import type { Configuration } from "@/lib/access/model/configuration";
import { checkArguments } from "@/lib/access/decide/arguments";
import { listChanges, observedIn, rulesMatching, wouldBe } from "@/lib/access/decide/observed";
import { compareCall } from "@/lib/access/decide/observed-call";
import { check, resolve } from "@/lib/access/decide/resolve";
import { law, some } from "@/test/access/law";
import type { World } from "@/test/access/worlds";

// Thousands of worlds take long on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

const HOUR_MS = 3_600_000;

/** About half of the rules observed, by a free number. */
function observing({ configuration }: World, number: number): Configuration {
  const watched = <Rule extends object>(rules: readonly Rule[]) =>
    rules.map((rule, at) => ((number >> at) % 2 === 0 ? { ...rule, mode: "observe" as const } : rule));
  return { ...configuration, policies: watched(configuration.policies), flows: watched(configuration.flows) };
}

const enforcing = (configuration: Configuration): Configuration => ({
  ...configuration,
  policies: configuration.policies.map((policy) => ({ ...policy, mode: "enforce" as const })),
  flows: configuration.flows.map((rule) => ({ ...rule, mode: "enforce" as const })),
});

/** The index with observed rules, and that of a configuration which enforces them. */
function sidesOf(...[world, number]: Parameters<typeof observing>) {
  const configuration = observing(world, number);
  const index = compile(configuration);
  return { index, enforced: compile(enforcing(configuration)), observed: observedIn(index) };
}

describe("what observed rules would change", () => {
  test("is exactly the difference to a configuration that enforces them", () => {
    law(some, (world, number) => {
      const { index, enforced, observed } = sidesOf(world, number);
      if (observed === null) return;
      const { request, now } = world;
      const matching = rulesMatching(observed, request, now);
      for (const { tool: toolId, arguments: args } of world.calls) {
        const [was, is] = [index, enforced].map((one) => {
          const found = check(one, request, toolId, now);
          const allowed = found.verdict === "visible" && checkArguments(one, request, toolId, args, now).allowed;
          return {
            visible: found.verdict === "visible",
            reason: found.verdict === "hidden" ? found.reason : null,
            allowed,
          };
        });
        const found = wouldBe(index, observed, { request, toolId, args }, matching, now);
        const differs = JSON.stringify(was) !== JSON.stringify(is);
        expect(found === null).toBe(!differs && found?.reason !== "approval_required");
        expect(found === null ? was?.visible : found.visible).toBe(is?.visible);
        expect(matching).toEqual(expect.arrayContaining(found === null ? [] : [found.rule]));
      }
    });
  });

  test("of a caller's next call is the same, and tests no condition on its claims", () => {
    let withoutReads = 0;
    law(some, (world, number) => {
      const { index, observed } = sidesOf(world, number);
      if (observed === null) return;
      const { now } = world;
      let reads = 0;
      const claims = new Proxy(world.request.claims, {
        get: (all, name) => ((reads += 1), Reflect.get(all, name)),
        ownKeys: (all) => ((reads += 1), Reflect.ownKeys(all)),
      });
      const request = { ...world.request, claims };
      for (const { tool: toolId, arguments: args } of world.calls) {
        const call = { request, toolId, args, isAllowed: false };
        const matching = rulesMatching(observed, request, now);
        const expected = { matching, wouldBe: wouldBe(index, observed, call, matching, now) };
        expect(compareCall(index, observed, call, now)).toMatchObject(expected);
        reads = 0;
        expect(compareCall(index, observed, call, now)).toMatchObject(expected);
        if (reads === 0) withoutReads += 1;
        for (const at of [now + HOUR_MS, now - HOUR_MS, now + 1_000 * HOUR_MS]) {
          const rules = rulesMatching(observed, request, at);
          const wanted = { matching: rules, wouldBe: wouldBe(index, observed, call, rules, at) };
          expect(compareCall(index, observed, call, at)).toMatchObject(wanted);
        }
        for (const labels of [[], ["private", "untrusted"]]) {
          const other = { ...call, request: { ...request, labels } };
          const rules = rulesMatching(observed, other.request, now);
          const wanted = { matching: rules, wouldBe: wouldBe(index, observed, other, rules, now) };
          expect(compareCall(index, observed, other, now)).toMatchObject(wanted);
        }
      }
    });
    expect(withoutReads).toBeGreaterThan(0);
  });

  test("in a list is exactly the difference of the lists", () => {
    law(some, (world, number) => {
      const { index, enforced, observed } = sidesOf(world, number);
      if (observed === null) return;
      const { request, now } = world;
      const [was, is] = [index, enforced].map((one) => resolve(one, request, now).tools.map(({ tool }) => tool.id));
      const changes = listChanges(index, observed, request, rulesMatching(observed, request, now), now, 1_000);
      const of = (change: string) => changes.filter((one) => one.change === change).map(({ tool }) => tool);
      expect(of("shown").toSorted()).toEqual(is?.filter((id) => was?.includes(id) !== true).toSorted());
      expect(of("hidden").toSorted()).toEqual(was?.filter((id) => is?.includes(id) !== true).toSorted());
    });
  });

  test("is nothing for a caller whom no observed rule matches", () => {
    law(some, (world, number) => {
      const index = compile(observing(world, number));
      const observed = observedIn(index);
      if (observed === null || rulesMatching(observed, world.request, world.now).length > 0) return;
      const { request, now } = world;
      // Grants of an observed request policy hold only with it, and the policy then matches.
      expect(listChanges(index, observed, request, [], now, 1_000)).toEqual([]);
    });
  });
});
