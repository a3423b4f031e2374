/** The limits of one check of a value against a schema. */
export interface CheckBudget {
  readonly milliseconds: number;
  /** Steps of one pattern match, which nothing can interrupt. */
  readonly patternSteps: number;
}

/** A check used up its budget. Whether the value fits is unknown. */
export class BudgetSpent extends Error {}

/** Checks are synchronous, so there is one at a time. */
let budget: CheckBudget = { milliseconds: Infinity, patternSteps: Infinity };
let deadline = Infinity;

/** Runs a check within a budget. @throws BudgetSpent */
export function withinBudget<T>(given: CheckBudget, check: () => T): T {
  budget = given;
  deadline = performance.now() + given.milliseconds;
  try {
    return check();
  } finally {
    deadline = Infinity;
  }
}

/** Every loop whose length a schema or a value chooses calls this. @throws BudgetSpent */
export function spend(): void {
  if (performance.now() > deadline)
    throw new BudgetSpent(`checking against the schema takes longer than ${budget.milliseconds} ms`);
}

/** Called before each pattern match. @param steps the most that the match may take @throws BudgetSpent */
export function spendSteps(steps: number): void {
  spend();
  if (deadline !== Infinity && steps > budget.patternSteps)
    throw new BudgetSpent("a text is too long to be checked against its pattern");
}
