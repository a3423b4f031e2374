/** Labels of one series by their names. Their values come from the configuration or from closed sets, never from a caller. */
export type Labels = Readonly<Record<string, string>>;

/** One number, and what it is the number of. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** One distribution. `counts` has one place for each bound (values up to it, and above the one before) and one for what is above all. */
export interface Distribution {
  readonly labels: Labels;
  readonly counts: readonly number[];
  readonly sum: number;
}

/** What a metric is called and means. */
export interface About {
  /** As OpenTelemetry has it; in the Prometheus format a counter's ends with `_total`. */
  readonly name: string;
  readonly help: string;
  /** UCUM, such as `ms`; empty for a mere number. */
  readonly unit: string;
}

/** A metric as it is when it is collected. */
export type Metric = About &
  (
    | { readonly kind: "counter" | "gauge"; readonly samples: readonly Sample[] }
    | { readonly kind: "histogram"; readonly bounds: readonly number[]; readonly samples: readonly Distribution[] }
  );

/** Series that a metric has at most; what would be one more is counted together, under `(other)`. */
export const MOST_SERIES = 2_000;
/** The value of every label of what is counted together. */
export const OTHER = "(other)";
/** Milliseconds that a reader has; what is later is left out. */
const READ_MS = 1_000;

/** One series, to be kept by whoever counts often. */
export interface Series {
  add(value?: number): void;
}

/** One distribution, to be kept by whoever measures often. */
export interface Measured {
  record(value: number): void;
}

/** Its series by labels: plain numbers, so that counting costs no more than that. */
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
    if (this.#all.size >= MOST_SERIES)
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

/** A number that goes up (counter), or up and down (gauge), by labels. */
export class Tally {
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

  /** The series of these labels: all those that the metric was made with. */
  of(labels: Labels): Series {
    return this.#family.of(labels);
  }

  collect(): Metric {
    return { ...this.#about, samples: this.#family.all().map(({ labels, value }) => ({ labels, value })) };
  }
}

/** How values are distributed, by labels. */
export class Histogram {
  readonly #about: About;
  readonly #bounds: readonly number[];
  readonly #family: Family<Measured & { readonly read: () => Distribution }>;

  /** @param bounds ascending; a value that equals one belongs to it */
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

  /** The distribution of these labels: all those that the metric was made with. */
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

/** What is known only by asking for it. */
type Reader = () => Promise<readonly Metric[]>;

/** The metrics of a process. What is counted is kept here; what can be read is read when it is collected. */
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

  /** Has something read whenever metrics are collected; `name` says what, and has one reader: the last. */
  reads(name: string, read: Reader): void {
    this.#readers.set(name, { read, reading: null });
  }

  /** Everything, now. A reader that fails, or does not answer within a second, is left out. */
  async collect(): Promise<Metric[]> {
    const read = [...this.#readers.values()].map(async (reader) => {
      // Two who ask at once are told the same: a store that is slow is not asked more often.
      reader.reading ??= reader.read().finally(() => {
        reader.reading = null;
      });
      return withinTime(reader.reading);
    });
    return [...this.#kept.map((one) => one.collect()), ...(await Promise.all(read)).flat()];
  }

  #keep<One extends Tally | Histogram>(one: One): One {
    this.#kept.push(one);
    return one;
  }
}

async function withinTime(reading: Promise<readonly Metric[]>): Promise<readonly Metric[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Metric[]>((resolve) => {
    timer = setTimeout(resolve, READ_MS, []);
  });
  try {
    return await Promise.race([reading, late]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}
