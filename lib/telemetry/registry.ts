import { withTimeout } from "@/lib/process/timeout";

/** Labels of one series by name. Their values come from the configuration or from closed sets, never from a caller. */
export type Labels = Readonly<Record<string, string>>;

/** One number with its labels. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/**
 * One distribution. `counts` has one entry per bound (values up to it and above the previous bound), and one for values
 * above all bounds.
 */
export interface Distribution {
  readonly labels: Labels;
  readonly counts: readonly number[];
  readonly sum: number;
}

/** The name and meaning of a metric. */
interface About {
  /** The OpenTelemetry name. In the Prometheus format a counter's name ends with `_total`. */
  readonly name: string;
  readonly help: string;
  /** UCUM, such as `ms`; empty for a plain number. */
  readonly unit: string;
}

/** A metric at collection time. */
export type Metric = About &
  (
    | { readonly kind: "counter" | "gauge"; readonly samples: readonly Sample[] }
    | { readonly kind: "histogram"; readonly bounds: readonly number[]; readonly samples: readonly Distribution[] }
  );

/** The most series of a metric; further ones are counted together under `(other)`. */
export const MAX_SERIES = 2_000;
/** The value of every label of the series counted together. */
export const OTHER = "(other)";
/** Milliseconds until a reader times out; its metrics are then left out. */
const READ_MS = 1_000;

/** One series. Frequent counters keep it. */
interface Series {
  add(value?: number): void;
}

/** One distribution. Frequent measurements keep it. */
interface Measured {
  record(value: number): void;
}

/** The series of a metric by labels. Plain numbers, so that counting stays cheap. */
class Family<One> {
  readonly #names: readonly string[];
  readonly #make: (labels: Labels) => One;
  readonly #all = new Map<string, One>();

  constructor(names: readonly string[], make: (labels: Labels) => One) {
    this.#names = names;
    this.#make = make;
  }

  of(labels: Labels): One {
    let key = "";
    for (const name of this.#names) key += `${labels[name]}\n`;
    const known = this.#all.get(key);
    if (known !== undefined) return known;
    if (this.#all.size >= MAX_SERIES)
      return this.#add("", Object.fromEntries(this.#names.map((name) => [name, OTHER])));
    return this.#add(key, labels);
  }

  #add(key: string, labels: Labels): One {
    const known = this.#all.get(key);
    if (known !== undefined) return known;
    const made = this.#make(labels);
    this.#all.set(key, made);
    return made;
  }

  all(): One[] {
    return [...this.#all.values()];
  }
}

/** A number that increases (counter), or increases and decreases (gauge), by labels. */
class Tally {
  readonly #about: About & { readonly kind: "counter" | "gauge" };
  readonly #family: Family<Series & Sample>;

  constructor(about: About & { readonly kind: "counter" | "gauge" }, names: readonly string[]) {
    this.#about = about;
    this.#family = new Family(names, (labels) => {
      const series = {
        labels,
        value: 0,
        add: (by = 1) => {
          series.value += by;
        },
      };
      return series;
    });
  }

  /** The series of these labels, which must be all labels of the metric. */
  of(labels: Labels): Series {
    return this.#family.of(labels);
  }

  collect(): Metric {
    return { ...this.#about, samples: this.#family.all().map(({ labels, value }) => ({ labels, value })) };
  }
}

/** The distribution of values, by labels. */
class Histogram {
  readonly #about: About;
  readonly #bounds: readonly number[];
  readonly #family: Family<Measured & { readonly read: () => Distribution }>;

  /** @param bounds ascending; a value equal to a bound belongs to it */
  constructor(about: About, names: readonly string[], bounds: readonly number[]) {
    this.#about = about;
    this.#bounds = bounds;
    this.#family = new Family(names, (labels) => {
      const counts = bounds.map(() => 0).concat(0);
      let sum = 0;
      return {
        record: (value) => {
          let place = 0;
          while (place < bounds.length && value > (bounds[place] ?? 0)) place += 1;
          counts[place] = (counts[place] ?? 0) + 1;
          sum += value;
        },
        read: () => ({ labels, counts: [...counts], sum }),
      };
    });
  }

  /** The distribution of these labels, which must be all labels of the metric. */
  of(labels: Labels): Measured {
    return this.#family.of(labels);
  }

  collect(): Metric {
    return {
      ...this.#about,
      kind: "histogram",
      bounds: this.#bounds,
      samples: this.#family.all().map(({ read }) => read()),
    };
  }
}

/** Reads metrics that are known only on request. */
type Reader = () => Promise<readonly Metric[]>;

/** The metrics of a process. Counted metrics are kept here; others are read at collection. */
export class Registry {
  readonly #kept: (Tally | Histogram)[] = [];
  readonly #readers = new Map<string, { readonly read: Reader; reading: Promise<readonly Metric[]> | null }>();

  counter(name: string, help: string, labels: readonly string[]): Tally {
    return this.#keep(new Tally({ name, help, unit: "", kind: "counter" }, labels));
  }

  gauge(name: string, help: string, labels: readonly string[]): Tally {
    return this.#keep(new Tally({ name, help, unit: "", kind: "gauge" }, labels));
  }

  /** @param bounds in milliseconds */
  histogram(name: string, help: string, labels: readonly string[], bounds: readonly number[]): Histogram {
    return this.#keep(new Histogram({ name, help, unit: "ms" }, labels, bounds));
  }

  /** Registers a reader, called at each collection. A `name` has one reader: the last one. */
  reads(name: string, read: Reader): void {
    this.#readers.set(name, { read, reading: null });
  }

  /** Collects all metrics. Leaves out a reader that fails, or does not answer within a second. */
  async collect(): Promise<Metric[]> {
    const read = [...this.#readers.values()].map(async (reader) => {
      // Concurrent collections share one reading, so that a slow store is not read more often.
      reader.reading ??= reader.read().finally(() => {
        reader.reading = null;
      });
      return withTimeout(reader.reading, READ_MS, []).catch(() => []);
    });
    return [...this.#kept.map((one) => one.collect()), ...(await Promise.all(read)).flat()];
  }

  #keep<One extends Tally | Histogram>(one: One): One {
    this.#kept.push(one);
    return one;
  }
}
