/** A sample of a scrape. */
export interface Scraped {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A scrape, read. */
export interface Scrape {
  /** Metric names (families) with their types. */
  readonly types: ReadonlyMap<string, string>;
  readonly samples: readonly Scraped[];
  /** The value of the one sample with this name and at least these labels; 0 when there is none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number;
}

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;

/**
 * Reads Prometheus' text format 0.0.4, written down a second time on purpose: each family once, HELP and TYPE before its
 * samples, each series once, buckets that go up to a `+Inf` which is the count.
 *
 * @throws Error naming the line
 */
export function readScrape(text: string): Scrape {
  if (!text.endsWith("\n")) throw new Error("The last line does not end.");
  const types = new Map<string, string>();
  const helped = new Set<string>();
  const samples: Scraped[] = [];
  let family = "";
  for (const line of text.split("\n").slice(0, -1)) {
    const [, word, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (word === "HELP") {
      if (helped.has(name)) throw new Error(`Twice: ${line}`);
      helped.add(name);
    } else if (word === "TYPE") {
      if (types.has(name) || !helped.has(name)) throw new Error(`Twice, or without HELP: ${line}`);
      if (!["counter", "gauge", "histogram"].includes(rest)) throw new Error(`No type: ${line}`);
      types.set(name, rest);
      family = name;
    } else samples.push(readSample(line, family, types));
  }
  const keys = samples.map(({ name, labels }) => JSON.stringify([name, Object.entries(labels).toSorted()]));
  if (new Set(keys).size !== keys.length) throw new Error("A series is there twice.");
  for (const [name, type] of types) if (type === "histogram") checkBuckets(name, samples);
  return {
    types,
    samples,
    value: (name, labels = {}) => {
      const found = samples.filter((sample) => sample.name === name && hasAll(sample.labels, labels));
      if (found.length > 1) throw new Error(`${found.length} samples are ${name} ${JSON.stringify(labels)}.`);
      return found[0]?.value ?? 0;
    },
  };
}

function hasAll(labels: Scraped["labels"], wanted: Scraped["labels"]): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value);
}

function readSample(line: string, family: string, types: ReadonlyMap<string, string>): Scraped {
  const [, name = "", pairs = "", value = ""] = LINE.exec(line) ?? [];
  const suffixes = types.get(family) === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
  if (!suffixes.some((suffix) => name === family + suffix)) throw new Error(`Not of ${family}: ${line}`);
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  for (let at = 0; at < pairs.length; at = LABEL.lastIndex) {
    const [, label, text] = LABEL.exec(pairs) ?? [];
    if (label === undefined || text === undefined || label in labels) throw new Error(`Labels: ${line}`);
    labels[label] = text.replaceAll(/\\(["\\n])/g, (_, escaped: string) => (escaped === "n" ? "\n" : escaped));
  }
  const number = { "+Inf": Infinity, "-Inf": -Infinity, NaN: Number.NaN }[value] ?? Number(value);
  if (Number.isNaN(number) && value !== "NaN") throw new Error(`No number: ${line}`);
  return { name, labels, value: number };
}

function checkBuckets(name: string, samples: readonly Scraped[]): void {
  for (const count of samples.filter((sample) => sample.name === `${name}_count`)) {
    const own = Object.keys(count.labels).length + 1;
    const buckets = samples.filter(
      (each) =>
        each.name === `${name}_bucket` && Object.keys(each.labels).length === own && hasAll(each.labels, count.labels),
    );
    const bounds = buckets.map(({ labels }) => (labels["le"] === "+Inf" ? Infinity : Number(labels["le"])));
    if (!bounds.every((bound, at) => at === 0 || bound > bounds[at - 1]!)) throw new Error(`${name}: bounds`);
    if (!buckets.every(({ value }, at) => at === 0 || value >= buckets[at - 1]!.value))
      throw new Error(`${name}: falls`);
    if (bounds.at(-1) !== Infinity || buckets.at(-1)!.value !== count.value) throw new Error(`${name}: no +Inf`);
  }
}
