import { isInRange, parseRange } from "@/lib/access/model/addresses";
import { isSameJson } from "@/lib/access/model/canonical";
import type { Effect, Json, Policy } from "@/lib/access/model/configuration";
import { alwaysHolds, needsClaim, pathKey, type Constraint, type Constraints } from "@/lib/access/findings/constraints";
import { elementsLeft } from "@/lib/access/findings/never";
import { isEmptyRange, liesWithin, numberRange, versionRange } from "@/lib/access/findings/ranges";
import { scalarForms } from "@/lib/access/findings/values";
import { isUnconditional } from "@/lib/access/compile/policies";

/** A budget for the tests of single texts in proofs. */
export interface Work {
  left: number;
}

/** Whether `wide` shows its tools, or offers them for as long and with the same approvers as `narrow`. */
export function offersAsMuch(wide: Policy, narrow: Policy): boolean {
  if (wide.effect === "allow") return true;
  if (narrow.effect === "allow" || (wide.maxHours ?? 0) < (narrow.maxHours ?? 0)) return false;
  return isSameJson(wide.approvers?.toSorted() ?? null, narrow.approvers?.toSorted() ?? null);
}

/**
 * Proves that everything `narrow` matches, `wide` matches too, at any instant at which both apply: each matcher of
 * `wide` follows from matchers of `narrow` on the same path. `narrow` must be able to match.
 * `false` proves nothing (docs/reference/decision.md#findings: no solver). In an allow policy every matcher really
 * matches. In a deny a matcher may hold because a claim is uncomparable, so only operators that find the same claims
 * uncomparable count.
 * @param work the remaining budget; when it is used up, nothing more is proven
 */
export function covers(wide: Constraints, narrow: Constraints, work: Work): boolean {
  const [from, to]: [Effect, Effect] = [narrow.compiled.policy.effect, wide.compiled.policy.effect];
  if (from === "deny" && to !== "deny") return false;
  if (wide.compiled.matchers.length === 0) return isUnconditional(wide.compiled);
  if (to !== "deny" && wide.broken.length > 0) return false;
  return wide.all.every((wanted) => alwaysHolds(to, wanted) || follows(narrow, from, wanted, work));
}

function follows(narrow: Constraints, from: Effect, wanted: Constraint, work: Work): boolean {
  work.left -= 1;
  if (work.left < 0) return false;
  const same = narrow.byPath.get(wanted.key) ?? [];
  if (same.some(({ question }) => question === wanted.question)) return true;
  if (wanted.demand === "present") return isPresent(narrow, from, wanted);
  if (wanted.demand === "absent") return isAbsent(narrow, wanted);
  const known = from !== "deny" ? same : same.filter(({ family }) => family === wanted.family);
  switch (wanted.demand) {
    case "one":
      return isOneFollowing(known, wanted);
    case "some":
      return wanted.operator === "contains_all"
        ? each(wanted.texts ?? [], work, (text) => known.some((one) => promises(known, one, text, wanted, work)))
        : known.some((one) => leadsTo(known, one, wanted, work));
    case "none":
      return isForbidden(known, wanted, work);
  }
}

/** Whether all values pass, while the budget lasts. */
function each<T>(values: readonly T[], work: Work, test: (value: T) => boolean): boolean {
  return values.every((value) => (work.left -= 1) >= 0 && test(value));
}

/** Some matcher on the path, or on a path below it, can hold only while the claim is present. */
function isPresent({ all }: Constraints, from: Effect, { path }: Constraint): boolean {
  const beginning = pathKey(path.steps);
  return all.some(
    (one) =>
      one.path.steps.length >= path.steps.length &&
      needsClaim(from, one) &&
      pathKey(one.path.steps.slice(0, path.steps.length)) === beginning,
  );
}

/** A parent of the path is absent. */
function isAbsent({ byPath }: Constraints, { path }: Constraint): boolean {
  return path.steps.some((_, length) =>
    (byPath.get(pathKey(path.steps.slice(0, length))) ?? []).some(({ demand }) => demand === "absent"),
  );
}

/** Number and version comparisons are ranges. Times and windows are not analysed. */
function isOneFollowing(known: readonly Constraint[], wanted: Constraint): boolean {
  const family = known.filter((one) => one.family === wanted.family);
  if (family.length === 0) return false;
  if (wanted.family === "number") {
    const range = numberRange(family);
    return !isEmptyRange(range) && liesWithin(range, numberRange([wanted]));
  }
  if (wanted.family !== "version") return false;
  const range = versionRange(family);
  return !isEmptyRange(range) && liesWithin(range, versionRange([wanted]));
}

/** One positive matcher implies the wanted matcher, which any element can satisfy. */
function leadsTo(known: readonly Constraint[], one: Constraint, wanted: Constraint, work: Work): boolean {
  if (one.demand !== "some") return false;
  if (one.texts === null) return isNarrower(one, wanted);
  if (one.folded && (!wanted.folded || wanted.family !== "text")) return false;
  if (one.words) return wanted.words && one.texts.every((word) => wanted.accepts(word) && wanted.accepts([word]));
  if (one.operator === "contains_all") {
    work.left -= one.texts.length;
    return one.texts.some((text) => wanted.accepts([text]) && scalarForms(text).every(wanted.accepts));
  }
  const { elements, scalars } = leftOf(known, one, work);
  return (
    each(elements, work, (text) => wanted.accepts([text])) && each(scalars, work, (claim) => wanted.accepts(claim))
  );
}

/** The possible values of a claim that satisfies a matcher of exact texts, given the other matchers on its path. */
interface Left {
  readonly elements: readonly string[];
  readonly scalars: readonly Json[];
}

/** The possible values depend on one policy alone, so they are computed once per constraint. */
const leftovers = new WeakMap<Constraint, Left>();

function leftOf(same: readonly Constraint[], one: Constraint, work: Work): Left {
  const found = leftovers.get(one);
  if (found !== undefined) return found;
  const elements = elementsLeft(same, one);
  const forms = one.folded ? elements : (one.texts ?? []).flatMap(scalarForms);
  const scalars = one.folded ? forms : forms.filter((claim) => same.every(({ accepts }) => accepts(claim)));
  work.left -= forms.length * same.length;
  const left = { elements, scalars };
  leftovers.set(one, left);
  return left;
}

/** A prefix of a prefix, a suffix of a suffix, a text inside a text, or a range inside a range. */
function isNarrower(one: Constraint, wanted: Constraint): boolean {
  const [inner, outer] = [one.matcher.value, wanted.matcher.value];
  if (typeof inner !== "string" || typeof outer !== "string") return false;
  if (one.operator === "cidr" && wanted.operator === "cidr") {
    const [small, large] = [parseRange(inner), parseRange(outer)];
    return small !== null && large !== null && small.bits >= large.bits && isInRange(small.address, large);
  }
  // The lower case of a letter depends on its neighbours: only constraints with the same folding are comparable.
  if (one.folded !== wanted.folded) return false;
  const [text, part] = wanted.folded ? [inner.toLowerCase(), outer.toLowerCase()] : [inner, outer];
  if (wanted.operator === "starts_with") return one.operator === "starts_with" && text.startsWith(part);
  if (wanted.operator === "ends_with") return one.operator === "ends_with" && text.endsWith(part);
  return wanted.operator === "text_contains" && AFFIXES.has(one.operator) && text.includes(part);
}

const AFFIXES: ReadonlySet<string> = new Set(["starts_with", "ends_with", "text_contains"]);

/** One matcher guarantees that the claim carries a text that `contains_all` wants. */
function promises(same: readonly Constraint[], one: Constraint, text: string, wanted: Constraint, work: Work): boolean {
  if (one.demand !== "some" || one.texts === null || one.words || (one.folded && !wanted.folded)) return false;
  const is = (other: string): boolean => (wanted.folded ? other.toLowerCase() : other) === text;
  if (one.operator === "contains_all") {
    work.left -= one.texts.length;
    return one.texts.some(is);
  }
  const { elements } = leftOf(same, one, work);
  return elements.length > 0 && elements.every(is);
}

/**
 * Another matcher already refuses each text that the wanted negative operator refuses. A comparison must have happened:
 * an object claim satisfies `exists` and no negative operator.
 */
function isForbidden(known: readonly Constraint[], wanted: Constraint, work: Work): boolean {
  if (!known.some(({ demand }) => demand !== "present" && demand !== "absent")) return false;
  return each(wanted.texts ?? [], work, (text) =>
    known.some(
      (one) =>
        one.demand === "none" &&
        (one.folded || !wanted.folded) &&
        (one.words || !wanted.words) &&
        !one.accepts(text) &&
        !one.accepts([text]),
    ),
  );
}
