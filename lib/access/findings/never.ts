import type { Effect } from "@/lib/access/model/configuration";
import { alwaysHolds, needsClaim, pathKey, type Constraint, type Constraints } from "@/lib/access/findings/constraints";
import { isEmptyRange, numberRange, versionRange } from "@/lib/access/findings/ranges";
import { isUnconditional } from "@/lib/access/compile/policies";
import { scalarForms } from "@/lib/access/findings/values";

/** Why a policy can never match anybody, and the matchers (from 0) that together prove it. */
export interface Never {
  readonly why: string;
  readonly matchers: readonly number[];
}

/**
 * Proves that no claims satisfy a policy at any time; `null` when there is no proof. No solver: finds only
 * contradictions among the constraints on one path, and among the shapes that paths need
 * (docs/reference/decision.md#findings). `null` does not mean that somebody matches.
 */
export function neverMatches(constraints: Constraints): Never | null {
  const { compiled, broken, all, byPath } = constraints;
  const { effect } = compiled.policy;
  if (!(compiled.from < compiled.until)) return { why: "its validity period is empty", matchers: [] };
  if (compiled.matchers.length === 0)
    return isUnconditional(compiled) ? null : { why: "it has neither conditions nor `everyone`", matchers: [] };
  if (effect !== "deny" && broken.length > 0)
    return { why: `${numbered(broken)} cannot be evaluated, so no caller matches`, matchers: broken };
  const hopeless = all.find((one) => one.path.hopeless && !alwaysHolds(effect, one));
  if (hopeless !== undefined)
    return { why: `no claim can exist at \`${hopeless.path.text}\``, matchers: [hopeless.at] };
  for (const same of byPath.values()) {
    const never = contradictsPresence(effect, same) ?? (effect !== "deny" ? noValue(same) : null);
    if (never !== null) return never;
  }
  return contradictsShape(effect, constraints);
}

/** "condition 2", "conditions 1 and 3": as the editor numbers them. */
export function numbered(matchers: readonly number[]): string {
  const numbers = matchers.map((at) => String(at + 1));
  return numbers.length < 2
    ? `condition ${numbers.join()}`
    : `conditions ${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;
}

/** The claim must be both present and absent. */
function contradictsPresence(effect: Effect, same: readonly Constraint[]): Never | null {
  const absent = same.find(({ demand }) => demand === "absent");
  const present = same.find((one) => needsClaim(effect, one));
  if (absent === undefined || present === undefined) return null;
  const matchers = [absent.at, present.at].toSorted((left, right) => left - right);
  return { why: `${numbered(matchers)} require \`${absent.path.text}\` to be both absent and present`, matchers };
}

/** For an allow policy: no scalar, list or object at the path satisfies all its matchers. */
function noValue(same: readonly Constraint[]): Never | null {
  if (!noScalar(same) || !noList(same)) return null;
  const matchers = same.map(({ at }) => at);
  const path = same[0]?.path.text ?? "";
  const why =
    matchers.length === 1
      ? `no value of \`${path}\` satisfies ${numbered(matchers)}`
      : `no value of \`${path}\` satisfies ${numbered(matchers)} together`;
  return { why, matchers };
}

function noScalar(same: readonly Constraint[]): boolean {
  if (isEmptyRange(numberRange(same)) || isEmptyRange(versionRange(same))) return true;
  if (same.some(({ family }) => family === "number") && same.some(({ family }) => family === "version")) return true;
  return same.some((one) => {
    if (one.demand !== "some" || one.texts === null) return false;
    if (one.words) return one.texts.every((word) => lacksWord(same, one, word));
    if (one.folded) return one.texts.every((text) => same.some((other) => other.folded && forbids(other, text)));
    return one.texts.flatMap(scalarForms).every((claim) => !same.every(({ accepts }) => accepts(claim)));
  });
}

/** No scope string can contain the word: it is not one word, or another matcher forbids it. */
function lacksWord(same: readonly Constraint[], one: Constraint, word: string): boolean {
  if (!one.accepts(word)) return true;
  return same.some((other) => other.words && (other.folded || !one.folded) && forbids(other, word));
}

function noList(same: readonly Constraint[]): boolean {
  if (same.some(({ demand }) => demand === "one")) return true;
  return same.some((one) => {
    if (one.demand !== "some" || one.texts === null) return false;
    const left = elementsLeft(same, one);
    return one.operator === "contains_all" ? left.length < one.texts.length : left.length === 0;
  });
}

/**
 * The texts of a positive matcher that a list may hold despite the negative matchers; exact unless the matcher ignores
 * case.
 */
export function elementsLeft(same: readonly Constraint[], one: Constraint): readonly string[] {
  return (one.texts ?? []).filter(
    (text) => !same.some((other) => (other.folded || !one.folded) && other.demand === "none" && !other.accepts([text])),
  );
}

function forbids(other: Constraint, text: string): boolean {
  return other.demand === "none" && !other.accepts(text);
}

/**
 * A path that must exist requires objects or lists at its prefixes. These shapes can contradict each other or a matcher
 * on a prefix.
 */
function contradictsShape(effect: Effect, { all, byPath }: Constraints): Never | null {
  const shapes = new Map<string, { readonly list: boolean; readonly one: Constraint }>();
  for (const one of all) {
    if (!needsClaim(effect, one)) continue;
    for (let length = 0; length < one.path.steps.length; length += 1) {
      const key = pathKey(one.path.steps.slice(0, length));
      const list = typeof one.path.steps[length] === "number";
      const known = shapes.get(key);
      if (known === undefined) shapes.set(key, { list, one });
      else if (known.list !== list)
        return clash(
          known.one,
          one,
          `one of \`${known.one.path.text}\` and \`${one.path.text}\` needs a list, the other an object`,
        );
    }
  }
  for (const [key, { list, one }] of shapes) {
    const on = (byPath.get(key) ?? []).find(({ demand }) => refusesShape(effect, demand, list));
    if (on === undefined) continue;
    const shape = list ? "a list" : "an object";
    return clash(
      on,
      one,
      `\`${one.path.text}\` makes \`${on.path.text}\` ${shape}, which ${numbered([on.at])} does not accept`,
    );
  }
  return null;
}

function refusesShape(effect: Effect, demand: Constraint["demand"], list: boolean): boolean {
  if (demand === "absent") return true;
  if (effect === "deny" || demand === "present") return false;
  return !list || demand === "one";
}

function clash(left: Constraint, right: Constraint, why: string): Never {
  return { why, matchers: [left.at, right.at].toSorted((a, b) => a - b) };
}
