/** Why a piece of configuration cannot be used: one sentence that names the fix. Returned, never thrown. */
export interface Problem {
  readonly problem: string;
}

/** Distinguishes a refused value from a compiled one. */
export function isProblem(value: object): value is Problem {
  return "problem" in value;
}
