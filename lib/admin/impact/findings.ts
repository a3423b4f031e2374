import type { Index } from "@/lib/access/compile/compile";
import { findingId, type Finding } from "@/lib/access/findings/finding";
import { compareFindings, findFindingsInParts } from "@/lib/access/findings/findings";
import { findUnseenClaims, type SeenClaims } from "@/lib/access/findings/seen";
import type { Parts } from "@/lib/access/model/parts";
import { MAX_NAMED_FINDINGS, type ImpactOutput } from "@/lib/contracts/decisions/impact";

/**
 * The findings that a change adds and removes: those about the rules, and those about the claims of recent callers. Leaves
 * out findings about unused rows and about results, because they depend on the log and not on the rules.
 *
 * @param now epoch milliseconds
 */
export function* compareFindingsOf(
  before: Index,
  after: Index,
  seen: SeenClaims,
  now: number,
): Parts<ImpactOutput["findings"]> {
  const was = [...(yield* findFindingsInParts(before, now)), ...findUnseenClaims(before, seen)];
  yield;
  const is = [...(yield* findFindingsInParts(after, now)), ...findUnseenClaims(after, seen)];
  const { added, removed } = compareFindings(was, is);
  return { added: firstOf(added), removed: firstOf(removed) };
}

function firstOf(findings: readonly Finding[]): ImpactOutput["findings"]["added"] {
  const items = findings.slice(0, MAX_NAMED_FINDINGS).map((finding) => {
    const { kind, severity, about, text } = finding;
    return { id: findingId(finding), kind, severity, about, text };
  });
  return { count: findings.length, items };
}
