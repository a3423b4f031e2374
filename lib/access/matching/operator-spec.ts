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

/** One operator: everything that the resolver, the editor and the explanation know of it. */
export interface OperatorSpec {
  /** For a list of operators. */
  readonly label: string;
  /** The words between the claim and the value: "`roles` *contains* `admin`". */
  readonly sentence: string;
  readonly value: ValueKind;
  /** In a deny policy a missing claim counts as held for these (docs/reference/decision.md#operators). */
  readonly negative: boolean;
  readonly compile: (value: Json, ignoreCase: boolean) => Compiled | Problem;
}
