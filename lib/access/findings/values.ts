import type { Effect, Json } from "@/lib/access/model/configuration";
import type { Constraint } from "@/lib/access/findings/constraints";
import { readNumber, readTime } from "@/lib/access/matching/orders";
import { isScalar, scalarText } from "@/lib/access/model/scalars";

/** Every scalar with this text: the text itself, and the number or boolean written like it. */
export function scalarForms(text: string): readonly Json[] {
  const forms: Json[] = [text];
  if (text === "true" || text === "false") forms.push(text === "true");
  const number = readNumber(text);
  if (number !== null && scalarText(number) === text) forms.push(number);
  return forms;
}

/** Examples use at most this many texts of one list. */
const MAX_TEXTS = 20;

/**
 * Values that may satisfy one constraint, most likely first, for building examples. They are guesses to be tested; for
 * a regular expression only its own text without anchors. `at` is in epoch milliseconds.
 */
export function valuesFor(constraint: Constraint, at: number): readonly Json[] {
  const { demand, texts, matcher, operator } = constraint;
  if (demand === "absent") return [];
  if (demand === "present") return ["any"];
  if (demand === "none") return ["other", "something-else"];
  if (texts !== null) return texts.slice(0, MAX_TEXTS).flatMap((text) => [text, ...variants(text, constraint.folded)]);
  const value = isScalar(matcher.value) ? matcher.value : "";
  const text = scalarText(value);
  switch (operator) {
    case "starts_with":
      return [text, `${text}x`, ...variants(text, constraint.folded)];
    case "ends_with":
      return [text, `x${text}`];
    case "text_contains":
      return [text, `x${text}x`];
    case "glob":
      return [text.replaceAll("*", "").replaceAll("?", "x"), text.replaceAll(/[*?]/g, "x")];
    case "matches":
      return [text.replaceAll(/^\^|\$$/g, ""), text.replaceAll(/[\^$()\\]|\.\*|[*+?]/g, "")];
    case "cidr":
      return [text.split("/")[0] ?? ""];
    case "semver_gte":
      return [text];
    case "semver_lt":
      return ["0.0.0", "0.0.0-0", `${text.split(/[-+]/)[0] ?? ""}-0`];
    case "within_last":
    case "within_next":
      return [new Date(at).toISOString()];
    default:
      return around(value);
  }
}

function variants(text: string, folded: boolean): readonly string[] {
  return folded && text.toUpperCase() !== text ? [text.toUpperCase()] : [];
}

/** For a comparison: the value, and a value on each side of it. */
function around(value: string | number | boolean): readonly Json[] {
  const number = readNumber(value);
  if (number !== null) return [number, number + 1, number - 1];
  const time = readTime(value);
  if (time === null) return [];
  return [0, 1000, -1000].map((step) => new Date(time + step).toISOString());
}

/**
 * Values that satisfy all constraints on one path, simplest first, as far as the guesses allow. For a deny policy also
 * uncomparable values, which count as held. `undefined` = the claim is left out.
 */
export function valuesAt(same: readonly Constraint[], effect: Effect, at: number): readonly (Json | undefined)[] {
  const guesses = new Map(same.map((one) => [one, valuesFor(one, at)]));
  const scalars = [...guesses.values()].flat();
  const numbers = scalars.filter((value) => typeof value === "number").toSorted((left, right) => left - right);
  const between = numbers.slice(1).map((value, i) => (value + (numbers[i] ?? value)) / 2);
  const words = same.flatMap((one) => (one.words && one.demand === "some" ? (one.texts ?? []) : []));
  const elements = same.flatMap((one) => elementsFor(one, guesses.get(one) ?? [], same));
  const absent = same.every(({ demand }) => demand === "absent" || (effect === "deny" && demand === "none"));
  const every: readonly (Json | undefined)[] = [
    ...(absent ? [undefined] : []),
    ...(elements.length > 1 ? [] : scalars),
    ...(words.length > 1 ? [words.join(" ")] : []),
    elements,
    ...scalars,
    ...between,
    ...(effect === "deny" ? [{}] : []),
  ];
  return every.filter((value, i) => i < MAX_VALUES || i > every.length - 2);
}

const MAX_VALUES = 200;

/** The list elements that one positive constraint wants and no negative constraint refuses. */
function elementsFor(one: Constraint, guesses: readonly Json[], same: readonly Constraint[]): readonly Json[] {
  if (one.demand !== "some") return [];
  if (one.operator === "contains_all") return one.texts ?? [];
  const fits = guesses.find(
    (value) => one.accepts([value]) && same.every((other) => other.demand !== "none" || other.accepts([value])),
  );
  return fits === undefined ? [] : [fits];
}
