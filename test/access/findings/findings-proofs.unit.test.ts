import { findFindings } from "@/test/access/findings-of";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compile, type Index } from "@/lib/access/compile/compile";
import type { Configuration, JsonObject } from "@/lib/access/model/configuration";
import type { Finding, FindingKind } from "@/lib/access/findings/finding";
import { closeClaims, findingWorlds, tinyClaims, tinyWorlds } from "@/test/access/finding-worlds";
import { NOW } from "@/test/access/claim-worlds";

// The laws of findings.properties.test.ts over fewer, fixed worlds: every proof must be true, and the number of proofs
// must not fall. When it rises, write the larger number down.

/** The findings of a world about which policies match. */
function proofsIn(index: Index) {
  const findings = findFindings(index, NOW);
  const of = (...kinds: readonly FindingKind[]) => findings.filter(({ kind }) => kinds.includes(kind));
  return {
    never: of("never_matches"),
    everyone: of("matches_everyone"),
    covered: of("shadowed", "redundant"),
    unshown: of("not_analysed").filter(({ text }) => text.includes("seems")),
  };
}
type Proofs = ReturnType<typeof proofsIn>;

const matchedBy = (index: Index, claims: JsonObject): readonly string[] =>
  index.policyIndex.matching(claims, NOW).map(({ policy }) => policy.name);

/** Findings about these claims that are false. */
function refuted({ never, everyone, covered }: Proofs, matched: readonly string[]): readonly Finding[] {
  const matches = (name: string): boolean => matched.includes(name);
  return [
    ...never.filter(({ about }) => matches(about.name)),
    ...everyone.filter(({ about }) => !matches(about.name)),
    ...covered.filter(({ about, what }) => matches(about.name) && !matches(what)),
  ];
}

/** Findings whose witness does not show them. */
function unshown(index: Index, { never, everyone, covered }: Proofs): readonly Finding[] {
  const witnessed = (finding: Finding): readonly string[] => matchedBy(index, finding.witness?.claims ?? {});
  return [
    ...never.filter((one) => witnessed(one).includes(one.about.name)),
    ...everyone.filter((one) => !witnessed(one).includes(one.about.name)),
    ...covered.filter((one) => [one.about.name, one.what].some((name) => !witnessed(one).includes(name))),
  ];
}

function prove(configurations: readonly Configuration[], claims: readonly JsonObject[]) {
  const proven = { never: 0, close: 0, everyone: 0, covered: 0, unshown: 0 };
  for (const configuration of configurations) {
    const index = compile(configuration);
    const proofs = proofsIn(index);
    for (const one of claims) {
      const wrong = refuted(proofs, matchedBy(index, one));
      if (wrong.length > 0) throw new Error(`${JSON.stringify(one)}: ${JSON.stringify(wrong)}`);
    }
    expect(unshown(index, proofs)).toEqual([]);
    proven.never += proofs.never.length;
    proven.close += proofs.never.filter(({ witness }) => Object.keys(witness?.claims ?? {}).length > 0).length;
    proven.everyone += proofs.everyone.length;
    proven.covered += proofs.covered.length;
    proven.unshown += proofs.unshown.length;
  }
  return proven;
}

/** The policies at any time: other tests cover validity. */
const timeless = (configuration: Configuration): Configuration => ({
  ...configuration,
  policies: configuration.policies.map((one) => ({ ...one, validFrom: null, validUntil: null })),
});

/** The number of proofs must not fall, and the number of proofs without a witness must not rise. */
function expectProven(actual: ReturnType<typeof prove>, once: ReturnType<typeof prove>): void {
  const { unshown: without, ...shown } = once;
  for (const [what, count] of Object.entries(shown))
    expect(actual[what as keyof typeof shown]).toBeGreaterThanOrEqual(count);
  expect(actual.unshown).toBeLessThanOrEqual(without);
}

test("over every value of one claim", () => {
  const proven = prove(fc.sample(tinyWorlds, { seed: 11, numRuns: 120 }), tinyClaims);
  expectProven(proven, { never: 33, close: 23, everyone: 0, covered: 11, unshown: 0 });
});

test("over claims that come close", () => {
  const configurations = fc.sample(findingWorlds, { seed: 7, numRuns: 120 }).map(timeless);
  const proven = prove(configurations, fc.sample(closeClaims, { seed: 7, numRuns: 60 }));
  expectProven(proven, { never: 78, close: 63, everyone: 100, covered: 69, unshown: 1 });
});
