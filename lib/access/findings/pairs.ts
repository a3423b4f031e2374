import { oncePer } from "@/lib/access/model/once-per";
import { canonicalText } from "@/lib/access/model/canonical";
import { ALL } from "@/lib/access/model/configuration";
import { append } from "@/lib/access/model/lists";
import type { Parts } from "@/lib/access/model/parts";
import type { Matcher } from "@/lib/access/model/matcher";
import type { Constraint, Constraints } from "@/lib/access/findings/constraints";
import { covers, offersAsMuch, type Work } from "@/lib/access/findings/covers";

/** The effect of one policy on another that matches only callers whom the first matches too. */
export interface Pair {
  /**
   * `shadowed`: a deny takes back everything that the policy grants. `redundant`: another policy already grants (or
   * denies) all of it.
   */
  readonly kind: "shadowed" | "redundant";
  readonly policy: Constraints;
  readonly by: Constraints;
}

/** The pairs found, and the policies for which the search was abandoned. */
interface Pairs {
  readonly pairs: readonly Pair[];
  readonly unfinished: readonly Constraints[];
}

/** The budget of one analysis, in comparisons of single matchers and texts: about one second. */
const MAX_WORK = 3_000_000;

/**
 * Finds policies that change nothing because of another policy. Compares only policies whose indexed groups and texts
 * allow a cover.
 * Of two policies that cover each other, the later in evaluation order is redundant, so all findings can be deleted
 * together. Pauses before each policy.
 *
 * @param policies that apply now or later and can match
 * @param now epoch milliseconds: earlier validity does not count
 */
export function* findPairs(policies: readonly Constraints[], now: number): Parts<Pairs> {
  const postings = post(policies);
  const pairs: Pair[] = [];
  const unfinished: Constraints[] = [];
  const work: Work = { left: MAX_WORK };
  for (const narrow of policies) {
    yield;
    if (narrow.compiled.groups.length === 0) continue;
    const candidates = candidatesFor(narrow, postings);
    work.left -= candidates.length;
    const by = candidates.find((wide) => work.left > 0 && isBetter(wide, narrow) && outlasts(wide, narrow, now, work));
    if (work.left <= 0) unfinished.push(narrow);
    if (by === undefined || work.left <= 0) continue;
    const isShadowed = by.compiled.policy.effect === "deny" && narrow.compiled.policy.effect !== "deny";
    const kind = isShadowed ? "shadowed" : "redundant";
    pairs.push({ kind, policy: narrow, by });
  }
  return { pairs, unfinished };
}

/**
 * `wide` has the same effect and offers as much, denies what `narrow` allows or offers, or allows what `narrow` only
 * offers. It has no argument conditions, or equal ones.
 */
function isBetter(wide: Constraints, narrow: Constraints): boolean {
  if (wide === narrow) return false;
  const [big, small] = [wide.compiled.policy, narrow.compiled.policy];
  if (big.effect !== small.effect) {
    const decides = big.effect === "deny" || (big.effect === "allow" && small.effect === "request");
    return decides && big.arguments.length === 0;
  }
  if (!offersAsMuch(big, small)) return false;
  if (big.arguments.length === 0) return true;
  return conditionsText(big.arguments) === conditionsText(small.arguments);
}

function conditionsText(conditions: readonly Matcher[]): string {
  return canonicalText(
    conditions.map(({ claim, operator, value, ignoreCase }) => [claim, operator, value, ignoreCase]),
  );
}

function outlasts(wide: Constraints, narrow: Constraints, now: number, work: Work): boolean {
  const [big, small] = [wide.compiled, narrow.compiled];
  if (big.from > Math.max(small.from, now) || big.until < small.until) return false;
  if (!includesAll(groupsOf(wide), groupsOf(narrow)) || !covers(wide, narrow, work)) return false;
  if (big.policy.effect !== small.policy.effect) return true;
  return big.number < small.number || !isEqual(wide, narrow, now, work);
}

/** Whether two policies cover each other. Then only the later one is redundant. */
function isEqual(wide: Constraints, narrow: Constraints, now: number, work: Work): boolean {
  const [big, small] = [wide.compiled, narrow.compiled];
  return (
    isBetter(narrow, wide) &&
    small.from <= Math.max(big.from, now) &&
    small.until >= big.until &&
    includesAll(groupsOf(narrow), groupsOf(wide)) &&
    covers(narrow, wide, work)
  );
}

const groupsOf = oncePer(({ compiled }: Constraints): readonly number[] =>
  compiled.groups.toSorted((left, right) => left - right),
);

/** Both lists are ascending. */
function includesAll(wide: readonly number[], narrow: readonly number[]): boolean {
  if (wide.length < narrow.length) return false;
  let at = 0;
  for (const number of narrow) {
    while (at < wide.length && (wide[at] ?? 0) < number) at += 1;
    if (wide[at] !== number) return false;
  }
  return true;
}

/** The keys under which wide policies are found. */
interface Postings {
  readonly byGroup: ReadonlyMap<number, readonly Constraints[]>;
  readonly toEveryGroup: readonly Constraints[];
  readonly byHandle: ReadonlyMap<string, readonly Constraints[]>;
}

function post(policies: readonly Constraints[]): Postings {
  const byGroup = new Map<number, Constraints[]>();
  const byHandle = new Map<string, Constraints[]>();
  const toEveryGroup: Constraints[] = [];
  for (const policy of policies) {
    if (policy.compiled.policy.groups.includes(ALL)) toEveryGroup.push(policy);
    else for (const group of policy.compiled.groups) append(byGroup, group, policy);
    for (const handle of handlesOf(policy)) append(byHandle, handle, policy);
  }
  return { byGroup, toEveryGroup, byHandle };
}

/**
 * The texts of one exact positive matcher: a covered policy needs one of them at the same path. `[""]` when there is no
 * such matcher.
 */
function handlesOf(policy: Constraints): readonly string[] {
  const exact = policy.all.filter(isExact).toSorted((a, b) => (a.texts?.length ?? 0) - (b.texts?.length ?? 0))[0];
  return exact === undefined ? [""] : slots(exact);
}

function isExact({ demand, texts, folded, path }: Constraint): boolean {
  return demand === "some" && texts !== null && texts.length > 0 && !folded && !path.hopeless;
}

function slots({ key, texts }: Constraint): readonly string[] {
  return (texts ?? []).map((text) => `${key}${text}`);
}

/** The smaller of two supersets: policies that share the rarest group, and policies found by the same texts. */
function candidatesFor(narrow: Constraints, { byGroup, toEveryGroup, byHandle }: Postings): readonly Constraints[] {
  const lists = narrow.compiled.policy.groups.includes(ALL)
    ? [[]]
    : narrow.compiled.groups.map((group) => byGroup.get(group) ?? []);
  const rarest = lists.toSorted((left, right) => left.length - right.length)[0] ?? [];
  const posted = ["", ...narrow.all.filter(isExact).flatMap(slots)].map((handle) => byHandle.get(handle) ?? []);
  const found = posted.reduce((sum, list) => sum + list.length, 0);
  const smaller = rarest.length + toEveryGroup.length < found ? [...rarest, ...toEveryGroup] : posted.flat();
  return [...new Set(smaller)].toSorted((left, right) => left.compiled.number - right.compiled.number);
}
