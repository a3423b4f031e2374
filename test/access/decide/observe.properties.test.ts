import { describe, expect, test, vi } from "vitest";
import { checkArguments } from "@/lib/access/decide/arguments";
import { compile, type Index } from "@/lib/access/compile/compile";
import type { Configuration } from "@/lib/access/model/configuration";
import { check, resolve } from "@/lib/access/decide/resolve";
import { chosen, law, some } from "@/test/access/law";
import type { World } from "@/test/access/worlds";

// Thousands of worlds take long on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

/** Everything that a caller can learn: the list with its etag, each tool's verdict, and each call's. */
function answers(index: Index, { configuration, request, now, calls }: World) {
  return {
    list: resolve(index, request, now),
    tools: configuration.tools.map(({ id }) => check(index, request, id, now)),
    calls: calls.map((call) => checkArguments(index, request, call.tool, call.arguments, now)),
  };
}

const without = (configuration: Configuration): Configuration => ({
  ...configuration,
  policies: configuration.policies.filter(({ mode }) => mode !== "observe"),
  flows: configuration.flows.filter(({ mode }) => mode !== "observe"),
});

/** The world with one policy and one flow rule observed, in addition to its own observed rules. */
function observing({ configuration }: World, number: number): Configuration {
  const [policy, flow] = [chosen(configuration.policies, number), chosen(configuration.flows, number)];
  return {
    ...configuration,
    policies: configuration.policies.map((one) => (one === policy ? { ...one, mode: "observe" as const } : one)),
    flows: configuration.flows.map((one) => (one === flow ? { ...one, mode: "observe" as const } : one)),
  };
}

describe("an observed rule", () => {
  test("changes nothing in any answer", () => {
    law(some, (world, number) => {
      const observed = observing(world, number);
      // A grant whose request policy is observed holds no longer, as if the policy were gone.
      expect(answers(compile(observed), world)).toEqual(answers(compile(without(observed)), world));
    });
  });

  test("changes nothing in an index made from the one before", () => {
    law(some, (world, number) => {
      const observed = observing(world, number);
      const next = compile(observed, compile(world.configuration));
      expect(answers(next, world)).toEqual(answers(compile(without(observed)), world));
    });
  });
});
