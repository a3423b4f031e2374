import type { ClaimTest } from "@/lib/access/matching/claim-tests";
import type { Json } from "@/lib/access/model/configuration";
import type { Problem } from "@/lib/access/model/problem";

/** The kind of value that an operator needs. An editor chooses its input field by it. */
export type ValueKind =
  "none" | "scalar" | "list" | "number_or_time" | "duration" | "pattern" | "glob" | "version" | "cidr";

/** A matcher's value, compiled once per revision. */
export interface Compiled {
  /** Judges a claim that is present and not null. */
  readonly test: ClaimTest;
  /**
   * A claim matches only if it has one of these texts, as an element or a scope word. The policy index finds policies
   * by them. `null` when no such texts are known.
   */
  readonly keys: {
    readonly kind: "element" | "word";
    readonly texts: readonly string[];
  } | null;
  /** The first instant, at or after `now`, from which the verdict on the same claim may differ; `null` = never. */
  readonly nextChange: ((claim: Json, now: number) => number) | null;
  /** Why a new matcher with this value is refused. A stored one is still evaluated. */
  readonly problemOnSave?: string;
}

/**
 * What a matcher requires at its path: the claim's presence or absence, some matching element, no matching element, or
 * one matching value.
 */
export type Demand = "present" | "absent" | "some" | "none" | "one";

/** Operators of one family find the same claims uncomparable. */
export type Family = "presence" | "text" | "pattern" | "address" | "number" | "time" | "version" | "window";

/** How findings reason about an operator (docs/reference/decision.md#findings). */
export interface FindingConstraint {
  readonly demand: Demand;
  /** `number_or_time`: the matcher's value says which of the two. */
  readonly family: Family | "number_or_time";
  /** The value is a finite set of texts, compared with the claim's elements. */
  readonly hasFiniteTexts: boolean;
  /** A text claim is compared word by word. */
  readonly byWord: boolean;
}

/** The parts of an operator menu, in display order: what a person wants to say, common conditions first. */
export const OPERATOR_MENU = {
  common: "Common",
  lists: "Lists and scopes",
  text: "Text patterns",
  numbers: "Numbers and times",
  other: "Versions and addresses",
} as const;

/** One operator, with all facts that the resolver, the editor, explanations and findings need. */
export interface OperatorSpec {
  /** The part of the menu that offers it. */
  readonly menu: keyof typeof OPERATOR_MENU;
  readonly value: ValueKind;
  /** True for operators that count a missing claim as held in a deny policy (docs/reference/decision.md#operators). */
  readonly negative?: true;
  readonly constraint: FindingConstraint;
  readonly compile: (value: Json, ignoreCase: boolean) => Compiled | Problem;
}
