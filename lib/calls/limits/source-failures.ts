import type { IBreaker } from "cockatiel";

/** The most failures of one caller that count towards a source's breaker. One caller alone cannot open it. */
const MAX_PER_CALLER = 3;

/** Counts a source's failures in a row. Counts at most `MAX_PER_CALLER` of each caller. */
export class SourceFailures implements IBreaker {
  state: unknown = null;
  readonly #failuresToOpen: number;
  readonly #byCaller = new Map<string, number>();
  #counted = 0;

  constructor(failuresToOpen: number) {
    this.#failuresToOpen = failuresToOpen;
  }

  /** Counts a caller's failure. Call it before the breaker sees the failure. */
  count(caller: string): void {
    const failures = (this.#byCaller.get(caller) ?? 0) + 1;
    if (failures > MAX_PER_CALLER) return;
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
