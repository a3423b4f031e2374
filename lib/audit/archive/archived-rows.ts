import type { ArchivedSeals } from "@/lib/contracts/log/retention";

/** Ascending numbers as runs: 1, 2, 3, 7 → [[1, 3], [7, 7]]. */
export function toRuns(numbers: Iterable<number>): [number, number][] {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last !== undefined && number === last[1] + 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs;
}

/** The sealed rows in some archives, by seal and index. */
export class ArchivedRows {
  readonly #whole: ArchivedSeals["whole"] = [];
  readonly #mixed = new Map<number, ArchivedSeals["whole"]>();

  add({ whole, mixed }: ArchivedSeals): void {
    this.#whole.push(...whole);
    for (const { seal, rows } of mixed) this.#mixed.set(seal, [...(this.#mixed.get(seal) ?? []), ...rows]);
  }

  /** Whether an archive holds the row at this index of a seal. */
  has(seal: number, index: number): boolean {
    return isIn(this.#whole, seal) || isIn(this.#mixed.get(seal) ?? [], index);
  }
}

function isIn(runs: ArchivedSeals["whole"], number: number): boolean {
  return runs.some(([first, last]) => first <= number && number <= last);
}
