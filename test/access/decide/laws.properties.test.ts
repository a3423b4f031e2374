import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { UNGROUPED, type Configuration, type Policy } from "@/lib/access/model/configuration";
import type { Matcher } from "@/lib/access/model/matcher";
import type { ResolveRequest } from "@/lib/access/decide/resolution";
import { expectSame } from "@/test/access/agreement";
import { answer, visible } from "@/test/access/answer";
import { matchers } from "@/test/access/claim-worlds";
import { configurations } from "@/test/access/configuration-worlds";
import { chosen, law, some } from "@/test/access/law";
import { isBrokenGroup, isMember } from "@/test/access/oracle/groups";
import { readPath } from "@/test/access/oracle/read-path";
import { LABELS } from "@/test/access/pools";
import type { Question } from "@/test/access/seen";
import { seenByCore } from "@/test/access/seen-by-core";
import type { World } from "@/test/access/worlds";

// Thousands of worlds take long on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

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

const EVERYONE_DENIED: Policy = {
  name: "another-deny",
  description: "",
  effect: "deny",
  priority: 0,
  active: true,
  validFrom: null,
  validUntil: null,
  matchers: [],
  everyone: true,
  arguments: [],
  groups: [],
};

/** The policy with one more matcher: a policy for everyone becomes one for some callers. */
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

  test("a group member, unless a deny names that group, or the caller holds all tools in no group and the tool becomes one", () => {
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
      const { policies } = world.configuration;
      if (policies.some(({ effect, groups }) => effect === "deny" && groups.includes(group.name))) return;
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

describe("a deny withholds its groups' tools", () => {
  test("through whatever group they would come", () => {
    law(some, (world, number) => {
      const group = chosen(world.configuration.groups, number);
      if (group === null) return;
      const deny: Policy = { ...EVERYONE_DENIED, groups: [group.name] };
      const after = withPolicies(world, [...world.configuration.policies, deny]);
      const members = world.configuration.tools.filter((tool) => isMember(world.configuration, group.name, tool));
      expect(visible(after).filter((id) => members.some((tool) => tool.id === id))).toEqual([]);
    });
  });

  test("and no other tools", () => {
    law(some, (world, number) => {
      const group = chosen(world.configuration.groups, number);
      if (group === null || isBrokenGroup(group)) return;
      const deny: Policy = { ...EVERYONE_DENIED, groups: [group.name] };
      const after = visible(withPolicies(world, [...world.configuration.policies, deny]));
      const others = world.configuration.tools.filter((tool) => !isMember(world.configuration, group.name, tool));
      const kept = visible(world).filter((id) => others.some((tool) => tool.id === id));
      expect(after).toEqual(kept);
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

  // A stored policy with neither matchers nor `everyone` never matches: its first matcher would repair it.
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

describe("labels", () => {
  const holding = (world: World, labels: readonly string[]): World => ({
    ...world,
    request: { ...world.request, labels },
  });

  test("more of them never show more tools, and never change what policies grant", () => {
    law(some, (world, number) => {
      const label = chosen(LABELS, number) ?? "";
      const more = holding(world, [...world.request.labels, label]);
      expectNothingAdded(world, more);
      const [before, after] = [answer(world), answer(more)];
      expect(after.grantedGroups).toEqual(before.grantedGroups);
      expect(after.matchedPolicies).toEqual(before.matchedPolicies);
    });
  });

  test("change nothing without an enforced rule", () => {
    law(some, (world) => {
      const flows = world.configuration.flows.map((rule) => ({ ...rule, mode: "observe" as const }));
      const observed = { ...world, configuration: { ...world.configuration, flows } };
      expect(visible(holding(observed, LABELS))).toEqual(visible(holding(observed, [])));
    });
  });

  test("a rule never adds a tool", () => {
    law(some, (world, number) => {
      const { flows } = world.configuration;
      const rule = chosen(flows, number);
      if (rule === null) return;
      const without = {
        ...world,
        configuration: { ...world.configuration, flows: flows.filter((one) => one !== rule) },
      };
      expectNothingAdded(without, world);
    });
  });
});
