import { isObject } from "@/lib/access/model/json";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { REVIEW_MODES } from "@/lib/resources/parts/words";
import { lesserRole, ROLES, type Role } from "@/lib/resources/permissions";

// Rules that judge a changed field by its old and new value: does the change let callers do less or more?

/** What a change of one field does to access: `narrower` permits less than before, `wider` more. */
export type Direction = "same" | "narrower" | "wider" | "unknown";

/** Judges one changed field by its values. `undefined` stands for a row that does not exist on that side. */
export type JudgeField = (before: Json | undefined, after: Json | undefined) => Direction;

/** A guard that is on or off: switching it on narrows. */
export const guard: JudgeField = (before, after) =>
  before === after ? "same" : after === true ? "narrower" : before === true ? "wider" : "unknown";

/** Something that lets more through while it is on: switching it on widens. */
export const opening: JudgeField = (before, after) => {
  const direction = guard(before, after);
  return direction === "narrower" ? "wider" : direction === "wider" ? "narrower" : direction;
};

/** Names that are each a right: fewer narrow. A new one is `unknown`, because nobody can prove what its holder does. */
export const rights: JudgeField = (before, after) => (isSubset(after, before) ? "narrower" : "unknown");

/** Names that are each a restriction: more narrow, fewer widen. */
export const restrictions: JudgeField = (before, after) =>
  isSubset(before, after) ? "narrower" : isSubset(after, before) ? "wider" : "unknown";

function isSubset(inner: Json | undefined, outer: Json | undefined): boolean {
  return Array.isArray(inner) && Array.isArray(outer) && inner.every((one) => outer.includes(one));
}

/** A number: a lower one is stricter. */
export const lessIsStricter: JudgeField = (before, after) => {
  if (typeof before !== "number" || typeof after !== "number") return "unknown";
  return after === before ? "same" : after < before ? "narrower" : "wider";
};

/** Minutes for which a restriction holds; `null` = without an end. */
export const longerIsStricter: JudgeField = (before, after) => {
  const [was, is] = [before, after].map((value) => value ?? Number.POSITIVE_INFINITY);
  if (typeof was !== "number" || typeof is !== "number") return "unknown";
  return is === was ? "same" : is > was ? "narrower" : "wider";
};

/** Checks of outputs: `withhold` is the strictest. `null` follows another setting. */
export const outputCheckRule: JudgeField = (_before, after) =>
  after === "withhold" ? "narrower" : after === "warn" ? "wider" : "unknown";

/** A role: fewer permissions narrow. Any other change of a role is a binding of a person. */
export const roleRule: JudgeField = (before, after) => {
  const [was, is] = [roleOf(before), roleOf(after)];
  return was !== null && is !== null && lesserRole(was, is) === is ? "narrower" : "unknown";
};

const roleOf = (value: Json | undefined): Role | null => ROLES.find((role) => role === value) ?? null;

/** Limits, field by field: `null` = no limit. A field of another form is `unknown`. */
export const limitsRule: JudgeField = (before, after) => {
  if (!isObject(before) || !isObject(after)) return "unknown";
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return worst(fields.map((field) => limitRule(field, before[field] ?? null, after[field] ?? null)));
};

/** For these fields `null` is a default, not "no limit". */
const WITH_DEFAULT: ReadonlySet<string> = new Set(["timeoutSeconds", "retries", "answerMiB"]);

function limitRule(field: string, before: Json, after: Json): Direction {
  if (JSON.stringify(before) === JSON.stringify(after)) return "same";
  if (field === "perCaller") return limitsRule(before, after);
  if (before === null || after === null)
    return WITH_DEFAULT.has(field) ? "unknown" : before === null ? "narrower" : "wider";
  if (field === "rate") return rateRule(before, after);
  return lessIsStricter(before, after);
}

function rateRule(before: Json, after: Json): Direction {
  const [was, is] = [rateOf(before), rateOf(after)];
  if (was === null || is === null) return "unknown";
  // No more points in a window that is at least as long: no interval can have more calls than before.
  return is.points <= was.points && is.seconds >= was.seconds ? "narrower" : "wider";
}

function rateOf(value: Json): { readonly points: number; readonly seconds: number } | null {
  const { points, seconds } = isObject(value) ? (value as JsonObject) : {};
  return typeof points === "number" && typeof seconds === "number" ? { points, seconds } : null;
}

const ORDER: readonly Direction[] = ["wider", "unknown", "narrower", "same"];

/** The verdict of several: the first of `wider`, `unknown`, `narrower`, `same`. */
export function worst(all: readonly Direction[]): Direction {
  return ORDER.find((one) => all.includes(one)) ?? "same";
}

/** The mode of reviews: less review widens. */
export const reviewRule: JudgeField = (before, after) => {
  const [was, is] = [strictnessOf(before), strictnessOf(after)];
  if (was < 0 || is < 0) return "unknown";
  return is >= was ? "narrower" : "wider";
};

const strictnessOf = (mode: Json | undefined): number => REVIEW_MODES.findIndex((known) => known === (mode ?? "off"));

/** The end of a credential or a grant: an earlier one narrows. */
export const earlier: JudgeField = (before, after) => {
  if (typeof before !== "string" || typeof after !== "string") return "unknown";
  return Date.parse(after) <= Date.parse(before) ? "narrower" : "wider";
};

/** The end of the secret that a rotation replaced. `null` = that secret has ended, which narrows. */
export const earlierOrEnded: JudgeField = (before, after) => (after === null ? "narrower" : earlier(before, after));
