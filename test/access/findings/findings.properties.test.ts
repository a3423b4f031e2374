import { findFindings } from "@/test/access/findings-of";
import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { compile, type Index } from "@/lib/access/compile/compile";
import type { Configuration, JsonObject } from "@/lib/access/model/configuration";
import type { Finding, FindingKind } from "@/lib/access/findings/finding";
import { compareFindings } from "@/lib/access/findings/findings";
import { resolve } from "@/lib/access/decide/resolve";
import { NOW } from "@/test/access/claim-worlds";
import { requestOf } from "@/lib/access/model/request";
import { closeClaims, findingWorlds, tinyClaims, tinyWorlds } from "@/test/access/finding-worlds";
import { seenByOracle } from "@/test/access/seen-by-oracle";

// Thousands of worlds take long on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

const DAY = 86_400_000;

/** The same world with some request policies. */
const requesting = (configuration: Configuration): Configuration => ({
  ...configuration,
  policies: configuration.policies.map((policy) =>
    /[24]$/.test(policy.name) ? { ...policy, effect: "request" as const } : policy,
  ),
});

const asked = fc.record({
  configuration: fc.oneof(findingWorlds, findingWorlds.map(requesting)),
  claims: fc.array(closeClaims, { minLength: 20, maxLength: 20 }),
  later: fc.constantFrom(0, 0, 1, DAY, 29 * DAY),
});

/** Policies with a finding of some kind, each with the other policy that the finding names. */
function pairsOf(findings: readonly Finding[], ...kinds: readonly FindingKind[]) {
  return findings
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ about, what }) => ({ policy: about.name, by: what }));
}

function matchedBy(index: Index, claims: JsonObject, now: number): ReadonlySet<string> {
  return new Set(resolve(index, requestOf(claims), now).matchedPolicies);
}

/**
 * Runs a property over its own worlds by seed, and prints how often its findings occurred: a law without cases proves
 * nothing.
 */
function holds(
  seed: number,
  atLeast: number,
  check: (world: typeof asked extends fc.Arbitrary<infer W> ? W : never) => number,
  numRuns = 1_000,
): void {
  let seen = 0;
  fc.assert(
    fc.property(asked, (world) => {
      seen += check(world);
    }),
    { seed, numRuns },
  );
  expect(seen).toBeGreaterThan(atLeast);
}

test("a policy that never matches matches no claims, now or later", () => {
  holds(7, 600, ({ configuration, claims, later }) => {
    const index = compile(configuration);
    const never = pairsOf(findFindings(index, NOW), "never_matches");
    for (const one of claims) {
      const matched = matchedBy(index, one, NOW + later);
      for (const { policy } of never) expect(matched).not.toContain(policy);
    }
    return never.length;
  });
});

test("a policy that matches everyone matches all claims while it is valid", () => {
  holds(8, 100, ({ configuration, claims }) => {
    const policies = configuration.policies.map((one) => ({ ...one, validFrom: null, validUntil: null }));
    const index = compile({ ...configuration, policies });
    const everyone = pairsOf(findFindings(index, NOW), "matches_everyone");
    if (everyone.length === 0) return 0;
    for (const one of claims) {
      const matched = matchedBy(index, one, NOW);
      for (const { policy } of everyone) expect(matched).toContain(policy);
    }
    return everyone.length;
  });
});

test("the other policy matches everything that a shadowed or redundant one matches, now and later", () => {
  let matches = 0;
  holds(
    9,
    600,
    ({ configuration, claims, later }) => {
      const index = compile(configuration);
      const found = pairsOf(findFindings(index, NOW), "shadowed", "redundant");
      for (const one of claims) {
        const matched = matchedBy(index, one, NOW + later);
        for (const { policy, by } of found) {
          if (!matched.has(policy)) continue;
          matches += 1;
          expect(matched).toContain(by);
        }
      }
      return found.length;
    },
    2_000,
  );
  expect(matches).toBeGreaterThan(1000);
});

test("deleting every policy that never matches, is shadowed or redundant changes no list and no condition", () => {
  holds(10, 600, ({ configuration, claims, later }) => {
    const useless = pairsOf(findFindings(compile(configuration), NOW), "never_matches", "shadowed", "redundant");
    const names = new Set(useless.map(({ policy }) => policy));
    const without = { ...configuration, policies: configuration.policies.filter(({ name }) => !names.has(name)) };
    const [before, after] = [compile(configuration), compile(without)];
    for (const one of claims) {
      const lists = [before, after].map((index) => {
        const { tools, grantedGroups } = resolve(index, requestOf(one), NOW + later);
        return { grantedGroups, tools: tools.map(({ tool, conditional }) => [tool.id, conditional]) };
      });
      expect(lists[1]).toEqual(lists[0]);
    }
    return names.size;
  });
});

test("resolver and oracle confirm a finding on its witness", () => {
  holds(11, 900, ({ configuration }) => {
    const index = compile(configuration);
    const findings = findFindings(index, NOW).filter(({ witness }) => witness !== null);
    for (const { kind, about, what, witness } of findings) {
      const { claims, at, matched, grantedGroups } = witness ?? { claims: {}, at: 0, matched: [], grantedGroups: [] };
      const answer = resolve(index, requestOf(claims), at);
      expect(answer).toMatchObject({ matchedPolicies: matched, grantedGroups });
      const oracle = seenByOracle({ configuration, request: requestOf(claims), now: at });
      expect(oracle.matchedPolicies).toEqual(matched);
      expect(matched.includes(about.name)).toBe(kind !== "never_matches");
      expect(matched).toEqual(expect.arrayContaining(kind === "shadowed" || kind === "redundant" ? [what] : []));
    }
    return findings.length;
  });
});

test("every finding about everyone, shadowed or redundant policies has a witness, or says that there is none", () => {
  const about: readonly FindingKind[] = ["never_matches", "matches_everyone", "shadowed", "redundant"];
  holds(12, 600, ({ configuration }) => {
    const findings = findFindings(compile(configuration), NOW).filter(({ kind }) => about.includes(kind));
    expect(findings.filter(({ witness }) => witness === null)).toEqual([]);
    return findings.length;
  });
});

test("over every value of one claim, `never` and `covered` findings are true", () => {
  const seen = { never: 0, covered: 0, missed: 0 };
  fc.assert(
    fc.property(tinyWorlds, (configuration) => {
      const index = compile(configuration);
      const findings = findFindings(index, NOW);
      const never = pairsOf(findings, "never_matches");
      const covered = pairsOf(findings, "shadowed", "redundant");
      const matching = new Set<string>();
      for (const claims of tinyClaims) {
        const matched = index.policyIndex.matching(claims, NOW).map(({ policy }) => policy.name);
        for (const name of matched) matching.add(name);
        const broken = covered.filter(({ policy, by }) => matched.includes(policy) && !matched.includes(by));
        if (broken.length > 0) throw new Error(`${JSON.stringify(claims)}: ${JSON.stringify(broken)}`);
      }
      for (const { policy } of never) expect(matching).not.toContain(policy);
      seen.never += never.length;
      seen.covered += covered.length;
      seen.missed += configuration.policies.length - matching.size - never.length;
    }),
    { seed: 11, numRuns: 3000 },
  );
  expect(seen.never).toBeGreaterThan(500);
  expect(seen.covered).toBeGreaterThan(100);
  // Without a solver some contradictions stay unproven, but most are found.
  expect(seen.missed).toBeLessThan(seen.never / 2);
});

test("a change adds what its reversal removes, and a configuration that stays has no changed finding", () => {
  let changed = 0;
  fc.assert(
    fc.property(findingWorlds, findingWorlds, (one, other) => {
      const [before, after] = [one, other].map((configuration) => findFindings(compile(configuration), NOW));
      const there = compareFindings(before ?? [], after ?? []);
      expect(compareFindings(after ?? [], before ?? [])).toEqual({ added: there.removed, removed: there.added });
      expect(compareFindings(before ?? [], before ?? [])).toEqual({ added: [], removed: [] });
      changed += there.added.length;
    }),
    { seed: 13, numRuns: 300 },
  );
  expect(changed).toBeGreaterThan(100);
});
