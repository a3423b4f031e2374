import type { IBreaker } from "cockatiel";

/** The most failures of one caller that count towards a source's breaker. One caller alone cannot open it. */
const FAILURES_OF_ONE = 3;

/** Counts a source's failures in a row. Counts at most `FAILURES_OF_ONE` of each caller. */
export class FailuresOfSeveral implements IBreaker {
  state: unknown = null;
  readonly #failuresToOpen: number;
  readonly #byCaller = new Map<string, number>();
  #counted = 0;

  constructor(failuresToOpen: number) {
    this.#failuresToOpen = failuresToOpen;
  }

  /** Counts a caller's failure. Call it before the breaker sees the failure. */
  blame(caller: string): void {
    const failures = (this.#byCaller.get(caller) ?? 0) + 1;
    if (failures > FAILURES_OF_ONE) return;
    this.#byCaller.set(caller, failures);
    this.#counted += 1;
  }

  success(): void {
    this.#byCaller.clear();
    this.#counted = 0;
  }

  failure(): boolean {
    return this.#counted >= this.#failuresToOpen;
  }
}
