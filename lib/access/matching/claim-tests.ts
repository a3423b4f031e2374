import { isList } from "@/lib/access/model/json";
import type { Json } from "@/lib/access/model/configuration";
import type { Outcome } from "@/lib/access/decide/resolution";
import { isScalar, scalarText } from "@/lib/access/model/scalars";

/** Judges one claim that is present and not null, at `now` (epoch milliseconds). */
export type ClaimTest = (claim: Json, now: number) => Outcome;

/**
 * The result of a test on one text. `null`: the text is of another kind, such as no address. `"doubt"`: the kind fits, but
 * the text cannot be compared.
 */
export type TextTest = (text: string) => boolean | null | "doubt";

const outcome = (held: boolean): Outcome => (held ? "match" : "no_match");

/**
 * Tests whether any element matches (docs/reference/decision.md#operators). A scalar is a list of one element. Elements
 * that cannot be compared are ignored; a list of nothing else is uncomparable, and so is an object.
 * One element in doubt makes the list uncomparable unless another matches: padding must not evade a deny.
 */
export function anyText(test: TextTest): ClaimTest {
  return (claim) => {
    if (isScalar(claim)) return judged(test(scalarText(claim)));
    if (!isList(claim)) return "uncomparable";
    let compared = claim.length === 0;
    let doubt = false;
    for (const element of claim) {
      if (!isScalar(element)) continue;
      const held = test(scalarText(element));
      if (held === true) return "match";
      doubt ||= held === "doubt";
      compared ||= held !== null;
    }
    return compared && !doubt ? "no_match" : "uncomparable";
  };
}

function judged(held: boolean | null | "doubt"): Outcome {
  return typeof held === "boolean" ? outcome(held) : "uncomparable";
}

/** Tests whether a claim's texts contain all wanted texts. `wanted` must not be empty. */
export function everyText(wanted: ReadonlySet<string>, fold: (text: string) => string): ClaimTest {
  return (claim) => {
    const texts = textsOf(claim);
    if (texts === null) return "uncomparable";
    const present = new Set(texts.map(fold));
    return outcome([...wanted].every((text) => present.has(text)));
  };
}

/** Tests for a whole word of a scope string, or an exact element of a list. */
export function anyWord(word: string, fold: (text: string) => string): ClaimTest {
  const anyElement = anyText((text) => fold(text) === word);
  return (claim, now) =>
    isScalar(claim) ? outcome(scopeWords(claim).some((text) => fold(text) === word)) : anyElement(claim, now);
}

/** The words of a space-separated scope string (RFC 6749 §3.3). */
export function scopeWords(claim: string | number | boolean): readonly string[] {
  return scalarText(claim)
    .split(" ")
    .filter((word) => word !== "");
}

/** Tests a single value: lists and objects are uncomparable. */
export function oneValue(test: (claim: string | number | boolean, now: number) => boolean | null): ClaimTest {
  return (claim, now) => (isScalar(claim) ? judged(test(claim, now)) : "uncomparable");
}

/** The negative counterpart: swaps match and no match, keeps doubt. */
export function opposite(test: ClaimTest): ClaimTest {
  return (claim, now) => {
    const positive = test(claim, now);
    return positive === "match" ? "no_match" : positive === "no_match" ? "match" : positive;
  };
}

/** The texts of a scalar or of a list's scalars; `null` when the claim has no comparable text. */
export function textsOf(claim: Json): readonly string[] | null {
  if (isScalar(claim)) return [scalarText(claim)];
  if (!isList(claim)) return null;
  const texts = claim.filter(isScalar).map(scalarText);
  return texts.length === 0 && claim.length > 0 ? null : texts;
}
