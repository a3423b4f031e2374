/** A contender: does its work for the `n`-th time. */
export type Work = (n: number) => unknown;

/** Holds the last result, so that no work is optimised away. */
export const sink: { last: unknown } = { last: undefined };

/** Milliseconds per call, as the median over rounds; contenders take turns, so that noise affects all alike. */
export function compare<Name extends string>(
  contenders: Record<Name, { readonly work: Work; readonly calls: number }>,
  rounds = 15,
): Record<Name, number> {
  const names = Object.keys(contenders) as Name[];
  const times = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = -2; round < rounds; round += 1) {
    for (const name of names) {
      const { work, calls } = contenders[name];
      const start = performance.now();
      for (let n = 0; n < calls; n += 1) sink.last = work(n);
      if (round >= 0) times.get(name)?.push((performance.now() - start) / calls);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<Name, number>;
}

export function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? Number.NaN;
}

/** The smallest value that at least `percent` percent of all values do not exceed (nearest rank). */
export function percentile(values: readonly number[], percent: number): number {
  return values.toSorted((left, right) => left - right)[Math.ceil((values.length * percent) / 100) - 1] ?? Number.NaN;
}

/** Runs `work` once and measures its CPU time in milliseconds. */
export function cpuMilliseconds<Made>(work: () => Made): { readonly milliseconds: number; readonly made: Made } {
  const start = process.cpuUsage();
  const made = work();
  const used = process.cpuUsage(start);
  return { milliseconds: (used.user + used.system) / 1000, made };
}

/** Prints a figure and its goal; a missed goal makes the script fail. */
export function report(
  figure: string,
  measured: number,
  goal: { readonly atMost?: number; readonly atLeast?: number },
  unit = "",
): void {
  const held =
    measured <= (goal.atMost ?? Number.POSITIVE_INFINITY) && measured >= (goal.atLeast ?? Number.NEGATIVE_INFINITY);
  const bounds = [
    ...(goal.atMost === undefined ? [] : [`≤ ${number(goal.atMost)}`]),
    ...(goal.atLeast === undefined ? [] : [`≥ ${number(goal.atLeast)}`]),
  ];
  const verdict = bounds.length === 0 ? "      " : held ? "  ok  " : "MISSED";
  const wanted = bounds.map((bound) => `   goal ${bound}${unit}`).join("");
  console.log(`${verdict}  ${figure.padEnd(72)} ${number(measured).padStart(9)}${unit}${wanted}`);
  if (!held) process.exitCode = 1;
}

function number(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
