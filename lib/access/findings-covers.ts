import { isInRange, parseRange } from "@/lib/access/addresses";
import { canonicalText } from "@/lib/access/canonical";
import { alwaysHolds, needsClaim, pathKey, type Constraint, type Constraints } from "@/lib/access/findings-constraints";
import { elementsLeft } from "@/lib/access/findings-never";
import { isEmptyRange, liesWithin, numberRange, versionRange } from "@/lib/access/findings-ranges";
import { scalarForms } from "@/lib/access/findings-values";
import { standsAlone } from "@/lib/access/policies";

type Effect = "allow" | "deny";

/**
 * A proof that whatever the one policy matches the other matches too, at any instant at which both are in
 * force: each matcher of the other follows from the one's matchers on the same path. The one must be able to
 * match at all. `false` does not mean that callers tell them apart (2-access, Findings: no solver).
 *
 * What is known differs by effect: in an allow policy every matcher really matches; in a deny it may also
 * hold for want of a comparison, so only operators that find the same claims uncomparable count.
 */
export function covers(wide: Constraints, narrow: Constraints): boolean {
  const [from, to]: [Effect, Effect] = [narrow.compiled.policy.effect, wide.compiled.policy.effect];
  if (from === "deny" && to === "allow") return false;
  if (wide.compiled.matchers.length === 0) return standsAlone(wide.compiled);
  if (to === "allow" && wide.broken.length > 0) return false;
  return wide.all.every((wanted) => alwaysHolds(to, wanted) || follows(narrow, from, wanted));
}

function follows(narrow: Constraints, from: Effect, wanted: Constraint): boolean {
  const same = narrow.byPath.get(wanted.key) ?? [];
  if (same.some((one) => asksTheSame(one, wanted))) return true;
  if (wanted.demand === "present") return isPresent(narrow, from, wanted);
  if (wanted.demand === "absent") return isAbsent(narrow, wanted);
  const known = from === "allow" ? same : same.filter(({ family }) => family === wanted.family);
  switch (wanted.demand) {
    case "one":
      return isOneFollowing(known, wanted);
    case "some":
      return wanted.operator === "contains_all"
        ? (wanted.texts ?? []).every((text) => known.some((one) => promises(known, one, text, wanted)))
        : known.some((one) => leadsTo(known, one, wanted));
    case "none":
      return isForbidden(known, wanted);
  }
}

function asksTheSame(one: Constraint, wanted: Constraint): boolean {
  return (
    one.operator === wanted.operator &&
    one.matcher.ignoreCase === wanted.matcher.ignoreCase &&
    canonicalText(one.matcher.value) === canonicalText(wanted.matcher.value)
  );
}

/** Some matcher on the path, or on one below it, can only hold while the claim is there. */
function isPresent({ all }: Constraints, from: Effect, { path }: Constraint): boolean {
  const beginning = pathKey(path.steps);
  return all.some(
    (one) =>
      one.path.steps.length >= path.steps.length &&
      needsClaim(from, one) &&
      pathKey(one.path.steps.slice(0, path.steps.length)) === beginning,
  );
}

/** What the path lies in is absent. */
function isAbsent({ byPath }: Constraints, { path }: Constraint): boolean {
  return path.steps.some((_, length) =>
    (byPath.get(pathKey(path.steps.slice(0, length))) ?? []).some(({ demand }) => demand === "absent"),
  );
}

/** Comparisons of numbers and of versions are ranges; times and windows are not analysed. */
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

/** One positive matcher means that the wanted one, which any element satisfies, holds as well. */
function leadsTo(known: readonly Constraint[], one: Constraint, wanted: Constraint): boolean {
  if (one.demand !== "some") return false;
  if (one.texts === null) return isNarrower(one, wanted);
  if (one.folded && (!wanted.folded || wanted.family !== "text")) return false;
  if (one.words) return wanted.words && one.texts.every((word) => wanted.accepts(word) && wanted.accepts([word]));
  if (one.operator === "contains_all")
    return one.texts.some((text) => wanted.accepts([text]) && scalarForms(text).every(wanted.accepts));
  const elements = elementsLeft(known, one);
  const scalars = one.folded
    ? elements
    : one.texts.flatMap(scalarForms).filter((claim) => known.every(({ accepts }) => accepts(claim)));
  return elements.every((text) => wanted.accepts([text])) && scalars.every(wanted.accepts);
}

/** A prefix of a prefix, a suffix of a suffix, a text inside a text, a range inside a range. */
function isNarrower(one: Constraint, wanted: Constraint): boolean {
  const [inner, outer] = [one.matcher.value, wanted.matcher.value];
  if (typeof inner !== "string" || typeof outer !== "string") return false;
  if (one.operator === "cidr" && wanted.operator === "cidr") {
    const [small, large] = [parseRange(inner), parseRange(outer)];
    return small !== null && large !== null && small.bits >= large.bits && isInRange(small.address, large);
  }
  // Lower case depends on what surrounds a letter: only what is compared in the same way is compared here.
  if (one.folded !== wanted.folded) return false;
  const [text, part] = wanted.folded ? [inner.toLowerCase(), outer.toLowerCase()] : [inner, outer];
  if (wanted.operator === "starts_with") return one.operator === "starts_with" && text.startsWith(part);
  if (wanted.operator === "ends_with") return one.operator === "ends_with" && text.endsWith(part);
  return wanted.operator === "text_contains" && AFFIXES.has(one.operator) && text.includes(part);
}

const AFFIXES: ReadonlySet<string> = new Set(["starts_with", "ends_with", "text_contains"]);

/** One matcher guarantees that the claim carries a text which `contains_all` wants. */
function promises(known: readonly Constraint[], one: Constraint, text: string, wanted: Constraint): boolean {
  if (one.demand !== "some" || one.texts === null || one.words || (one.folded && !wanted.folded)) return false;
  const is = (other: string): boolean => (wanted.folded ? other.toLowerCase() : other) === text;
  if (one.operator === "contains_all") return one.texts.some(is);
  const left = elementsLeft(known, one);
  return left.length > 0 && left.every(is);
}

/**
 * Each text that the wanted negative operator refuses is refused already. Something must have been compared:
 * an object claim satisfies `exists` and no negative operator.
 */
function isForbidden(known: readonly Constraint[], wanted: Constraint): boolean {
  if (!known.some(({ demand }) => demand !== "present" && demand !== "absent")) return false;
  return (wanted.texts ?? []).every((text) =>
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
