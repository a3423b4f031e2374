import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { compile } from "@/lib/access/compile";
import { UNGROUPED, type Configuration, type Matcher, type Policy } from "@/lib/access/configuration";
import { explain, trace } from "@/lib/access/explain";
import { reasons } from "@/lib/access/hidden";
import { createResolver } from "@/lib/access/remember";
import { check, findByExposedName, resolve } from "@/lib/access/resolve";
import type { ResolveRequest, Resolution } from "@/lib/access/resolution";
import { matchers } from "@/test/access/claim-worlds";
import { isMember } from "@/test/access/oracle/groups";
import { readPath } from "@/test/access/oracle/read-path";
import { expectSame } from "@/test/access/agreement";
import type { Question } from "@/test/access/seen";
import { seenByCore } from "@/test/access/seen-by-core";
import { configurations, requestsTo, times, worlds, type World } from "@/test/access/worlds";

// Thousands of worlds on a busy machine take their time.
vi.setConfig({ testTimeout: 600_000 });

const seed = 1789;

/** A law over worlds and some free choice within each. */
function law<Choice>(
  choice: fc.Arbitrary<Choice>,
  holds: (world: World, choice: Choice) => void,
  numRuns = 1_000,
): void {
  fc.assert(fc.property(worlds, choice, holds), { seed, numRuns });
}

/** Picks an element by a free number; `null` when there is none. */
const some = fc.nat({ max: 1_000 });
const chosen = <Value>(values: readonly Value[], number: number): Value | null =>
  values[number % Math.max(values.length, 1)] ?? null;

function answer({ configuration, request, now }: Question): Resolution {
  return resolve(compile(configuration), request, now);
}

function visible(question: Question): readonly string[] {
  return answer(question).tools.map(({ tool }) => tool.id);
}

function expectNothingAdded(before: Question, after: Question): void {
  const shown = visible(before);
  expect(visible(after).filter((id) => !shown.includes(id))).toEqual([]);
}

const withPolicies = (world: World, policies: readonly Policy[]): Question => ({
  ...world,
  configuration: { ...world.configuration, policies },
});

function replaced<Row>(rows: readonly Row[], old: Row, row: Row): readonly Row[] {
  return rows.map((candidate) => (candidate === old ? row : candidate));
}

/** The policy with one more matcher: a policy for everyone becomes one for some. */
const narrowed = (policy: Policy, matcher: Matcher): Policy => ({
  ...policy,
  matchers: [...policy.matchers, matcher],
  everyone: false,
});

describe("order never matters", () => {
  test("of policies, tools and groups", () => {
    law(
      fc.infiniteStream(some),
      (world, numbers) => {
        const shuffled = <Row>(rows: readonly Row[]): readonly Row[] =>
          rows
            .map((row) => ({ row, key: numbers.next().value ?? 0 }))
            .toSorted((a, b) => a.key - b.key)
            .map(({ row }) => row);
        const { configuration } = world;
        const other: Configuration = {
          ...configuration,
          policies: shuffled(configuration.policies),
          tools: shuffled(configuration.tools),
          groups: shuffled(configuration.groups),
        };
        expectSame(seenByCore({ ...world, configuration: other }, world.calls), seenByCore(world, world.calls));
        expect(answer({ ...world, configuration: other }).etag).toBe(answer(world).etag);
      },
      400,
    );
  });
});

describe("taking away never adds a tool", () => {
  test("an allow policy", () => {
    law(some, (world, number) => {
      const { policies } = world.configuration;
      const gone = chosen(
        policies.filter(({ effect }) => effect === "allow"),
        number,
      );
      expectNothingAdded(
        world,
        withPolicies(
          world,
          policies.filter((policy) => policy !== gone),
        ),
      );
    });
  });

  test("a grant of an allow policy", () => {
    law(fc.tuple(some, some), (world, [number, at]) => {
      const { policies } = world.configuration;
      const policy = chosen(
        policies.filter(({ effect }) => effect === "allow"),
        number,
      );
      const group = policy === null ? null : chosen(policy.groups, at);
      if (policy === null || group === null) return;
      const poorer = { ...policy, groups: policy.groups.filter((name) => name !== group) };
      expectNothingAdded(world, withPolicies(world, replaced(policies, policy, poorer)));
    });
  });

  test("a group member, unless it falls into the tools in no group and the caller holds them all", () => {
    law(fc.tuple(some, some), (world, [number, at]) => {
      const group = chosen(world.configuration.groups, number);
      const tool =
        group === null
          ? null
          : chosen(
              world.configuration.tools.filter((one) => isMember(world.configuration, group.name, one)),
              at,
            );
      if (group === null || tool === null) return;
      const exclusion = { tool: tool.id, who: null, when: null, reason: "" };
      const smaller = replaced(world.configuration.groups, group, { ...group, exclude: [...group.exclude, exclusion] });
      const after = { ...world, configuration: { ...world.configuration, groups: smaller } };
      if (answer(after).grantedGroups.includes(UNGROUPED) && isMember(after.configuration, UNGROUPED, tool)) return;
      expectNothingAdded(world, after);
    });
  });

  test("a claim, unless a not_exists or a deny reads it", () => {
    law(
      some,
      (world, number) => {
        const guarded = world.configuration.policies.flatMap(({ effect, matchers: all }) =>
          all.filter(({ operator }) => effect === "deny" || operator === "not_exists"),
        );
        const roots = guarded
          .map(({ claim }) => readPath(claim)?.[0])
          .map((step) => (step !== undefined && "key" in step ? step.key : null));
        const { claims } = world.request;
        const gone = chosen(
          Object.keys(claims).filter((name) => !roots.includes(name)),
          number,
        );
        const fewer = Object.fromEntries(Object.entries(claims).filter(([name]) => name !== gone));
        expectNothingAdded(world, { ...world, request: { ...world.request, claims: fewer } });
      },
      2_000,
    );
  });

  test("a capability", () => {
    law(some, (world, number) => {
      const { capabilities } = world.request;
      const gone = chosen(capabilities, number);
      expectNothingAdded(world, {
        ...world,
        request: { ...world.request, capabilities: capabilities.filter((name) => name !== gone) },
      });
    });
  });
});

describe("narrowing never adds a tool", () => {
  test("another deny policy", () => {
    law(fc.tuple(some, configurations), (world, [number, other]) => {
      const found = chosen(other.policies, number);
      if (found === null) return;
      const deny: Policy = { ...found, name: "another-deny", effect: "deny" };
      expectNothingAdded(world, withPolicies(world, [...world.configuration.policies, deny]));
    });
  });

  // A stored policy with neither matchers nor `everyone` never matches: a first matcher repairs it.
  test("another matcher on an allow policy", () => {
    law(fc.tuple(some, matchers), (world, [number, matcher]) => {
      const { policies } = world.configuration;
      const policy = chosen(
        policies.filter(({ effect }) => effect === "allow"),
        number,
      );
      if (policy === null || (policy.matchers.length === 0 && !policy.everyone)) return;
      expectNothingAdded(world, withPolicies(world, replaced(policies, policy, narrowed(policy, matcher))));
    });
  });

  test("another argument condition changes no list", () => {
    law(fc.tuple(some, matchers), (world, [number, matcher]) => {
      const { policies } = world.configuration;
      const policy = chosen(
        policies.filter(({ effect }) => effect === "allow"),
        number,
      );
      if (policy === null) return;
      const conditional = { ...policy, arguments: [...policy.arguments, matcher] };
      expect(visible(withPolicies(world, replaced(policies, policy, conditional)))).toEqual(visible(world));
    });
  });

  test.each<[string, Partial<ResolveRequest>]>([
    ["requested groups", { group: null }],
    ["a profile", { profiles: [] }],
    ["an intent", { intent: null }],
    ["an intent, against escalation", { escalated: true }],
    ["leaving out what is disabled", { includeDisabled: true }],
  ])("%s", (_name, open) => {
    law(fc.constant(null), (world) => {
      expectNothingAdded({ ...world, request: { ...world.request, ...open } }, world);
    });
  });
});

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
