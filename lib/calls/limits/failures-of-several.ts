import type { IBreaker } from "cockatiel";

/** Of the failures that open a source's breaker, so many may be of one caller: alone it does not open it. */
const FAILURES_OF_ONE = 3;

/** Failures of a source in a row, of which one caller's count `FAILURES_OF_ONE` times at most. */
export class FailuresOfSeveral implements IBreaker {
  state: unknown = null;
  readonly #failuresToOpen: number;
  readonly #byCaller = new Map<string, number>();
  #counted = 0;

  constructor(failuresToOpen: number) {
    this.#failuresToOpen = failuresToOpen;
  }

  /** Told before the breaker hears of the failure. */
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
