import type { Index } from "@/lib/access/compile/compile";
import { FINDING_KINDS, findingId, type Finding, type FindingKind } from "@/lib/access/findings/finding";
import { findHiddenTexts, findInProfiles, findInStates, findStatedStates } from "@/lib/access/findings/catalogue";
import { findAnonymousSideEffects, findWildcardGrants } from "@/lib/access/findings/exposure";
import { findInGrants, findInGroups } from "@/lib/access/findings/groups";
import { findInFlows } from "@/lib/access/findings/flows";
import { findGrantedByDefault, findIdleDenies, findUngrantedTools } from "@/lib/access/findings/reach";
import { findInPolicies } from "@/lib/access/findings/policies";
import type { Parts } from "@/lib/access/model/parts";
import { byCodeUnit } from "@/lib/access/model/scalars";

/**
 * Finds what in a configuration is probably not meant (docs/reference/decision.md#findings). Static analysis without a
 * solver, at an instant (`now`, epoch ms). Sorted by kind, then by the subject's name. Pauses before each policy, after
 * each kind of rule, and before each tool where the work depends on its texts or groups.
 */
export function* findFindingsInParts(index: Index, now: number): Parts<readonly Finding[]> {
  const { findings, granting, requesting, denying, universalDenies } = yield* findInPolicies(index, now);
  const reaching = [...granting, ...requesting];
  const finders: readonly (() => readonly Finding[])[] = [
    () => findInGrants(index),
    () => findInGroups(index),
    () => findAnonymousSideEffects(index, granting, universalDenies),
    () => findWildcardGrants(granting),
    () => findIdleDenies(index, denying, reaching),
    () => findGrantedByDefault(index, granting),
    () => findInStates(index),
    () => findInFlows(index),
    () => findInProfiles(index),
    () => findStatedStates(index),
  ];
  const all = [...findings];
  for (const find of finders) {
    yield;
    all.push(...find());
  }
  all.push(...(yield* findUngrantedTools(index, reaching, universalDenies)), ...(yield* findHiddenTexts(index)));
  return inOrder(all);
}

interface FindingsChange {
  readonly added: readonly Finding[];
  readonly removed: readonly Finding[];
}

/** Compares the findings of two configurations by their ids. */
export function compareFindings(before: readonly Finding[], after: readonly Finding[]): FindingsChange {
  const [had, has] = [before, after].map((findings) => new Set(findings.map(findingId)));
  return {
    added: after.filter((finding) => had?.has(findingId(finding)) !== true),
    removed: before.filter((finding) => has?.has(findingId(finding)) !== true),
  };
}

/** Sorts notes last, then by kind, name and part. */
export function inOrder(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted(
    (left, right) =>
      Number(left.severity === "info") - Number(right.severity === "info") ||
      place(left.kind) - place(right.kind) ||
      byCodeUnit(left.about.name, right.about.name) ||
      byCodeUnit(left.what, right.what),
  );
}

const places = new Map((Object.keys(FINDING_KINDS) as FindingKind[]).map((kind, at) => [kind, at]));

function place(kind: FindingKind): number {
  return places.get(kind) ?? 0;
}

/** The instant (epoch ms) until which the findings stay valid: the next start or end of a policy. */
export function findingsHoldUntil({ policies }: Index, now: number): number {
  return Math.min(
    ...policies
      .flatMap(({ from, until, grant }) => (grant === null ? [from, until] : []))
      .filter((instant) => instant > now),
    Number.POSITIVE_INFINITY,
  );
}
