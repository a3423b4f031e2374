import type { ClaimTest } from "@/lib/access/matching/claim-tests";
import type { Json } from "@/lib/access/model/configuration";
import type { Problem } from "@/lib/access/model/problem";

/** What an operator wants as its value; an editor picks its field by this. */
export type ValueKind =
  "none" | "scalar" | "list" | "number_or_time" | "duration" | "pattern" | "glob" | "version" | "cidr";

/** A matcher's value, compiled once per revision. */
export interface Compiled {
  /** Judges a claim that is present and not null. */
  readonly test: ClaimTest;
  /**
   * Texts of which the claim must carry at least one for a match, as elements or as scope words; `null` when
   * no such set is known. The policy index finds its candidates by these. `sufficient`: carrying one is a match.
   */
  readonly keys: {
    readonly kind: "element" | "word";
    readonly texts: readonly string[];
    readonly sufficient: boolean;
  } | null;
  /** The first instant after `now` at which the same claim may be judged otherwise; `null` = never. */
  readonly flips: ((claim: Json, now: number) => number) | null;
}

/**
 * What a matcher demands of the claim at its path: that it is there or is not, that some element of it is so,
 * that no element is so, or that it is one value that is so.
 */
export type Demand = "present" | "absent" | "some" | "none" | "one";

/** Operators of one family judge the same claims as uncomparable. */
export type Family = "presence" | "text" | "pattern" | "address" | "number" | "time" | "version" | "window";

/** How findings reason about an operator (docs/reference/decision.md#findings). */
export interface FindingConstraint {
  readonly demand: Demand;
  /** `number_or_time`: the matcher's value says which of the two. */
  readonly family: Family | "number_or_time";
  /** The value is a finite set of texts, which the claim's elements are compared with. */
  readonly hasFiniteTexts: boolean;
  /** A text claim is compared word by word. */
  readonly byWord: boolean;
}

/** One operator: everything that the resolver, the editor, the explanation and the findings know of it. */
export interface OperatorSpec {
  /** For a list of operators. */
  readonly label: string;
  /** The words between the claim and the value: "`roles` *contains* `admin`". */
  readonly sentence: string;
  readonly value: ValueKind;
  /** In a deny policy a missing claim counts as held for these (docs/reference/decision.md#operators). */
  readonly negative: boolean;
  readonly constraint: FindingConstraint;
  readonly compile: (value: Json, ignoreCase: boolean) => Compiled | Problem;
}
