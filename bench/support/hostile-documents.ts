/** A document that is made to hold the server up. */
export interface HostileDocument {
  readonly name: string;
  readonly text: string;
}

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join("\n");

/** Kinds of hostile documents, each by a size from 0 to 1. */
const KINDS: readonly ((size: number) => HostileDocument)[] = [
  (size) => ({ name: "a map of many keys", text: lines(scaled(size, 60_000), (at) => `key${at}: 1`) }),
  (size) => ({ name: "a flow map of many keys", text: `a: {${lines(scaled(size, 60_000), (at) => `key${at}: 1,`)}}` }),
  (size) => ({ name: "one key many times", text: lines(scaled(size, 60_000), () => "key: 1") }),
  (size) => ({ name: "deep lists", text: "[".repeat(scaled(size, 100_000)) }),
  (size) => ({ name: "deep blocks", text: lines(scaled(size, 1_300), (at) => `${" ".repeat(at)}a:`) }),
  (size) => ({
    name: "anchors and aliases",
    text: lines(scaled(size, 20_000), (at) => `k${at}: &a${at} 1\nj${at}: *a${at}`),
  }),
  (size) => ({ name: "a bomb of aliases", text: `a: &a [x]\nb: &b [${"*a,".repeat(scaled(size, 100_000))}]` }),
  (size) => ({ name: "merge keys", text: `b: &b {x: 1}\n${lines(scaled(size, 20_000), (at) => `m${at}: {<<: *b}`)}` }),
  (size) => ({ name: "a long scalar", text: `a: "${"\\u0041".repeat(scaled(size, 150_000))}"` }),
  (size) => ({ name: "a folded scalar", text: `a: '${"x\n ".repeat(scaled(size, 300_000))}'` }),
  (size) => ({ name: "comments", text: "# c\n".repeat(scaled(size, 200_000)) }),
  (size) => ({ name: "errors", text: "a: b: c\n".repeat(scaled(size, 100_000)) }),
  (size) => ({
    name: "a valid document of many policies",
    text: `apiVersion: quartermaster/v1\npolicies:\n${lines(scaled(size, 15_000), (at) => `- {name: p${at}, everyone: true, groups: ["*"]}`)}`,
  }),
  (size) => ({
    name: "a valid document of many groups",
    text: JSON.stringify({
      apiVersion: "quartermaster/v1",
      groups: Array.from({ length: scaled(size, 20_000) }, (_, at) => ({
        name: `g${at}`,
        selectors: [{ name: "*a*" }],
      })),
    }),
  }),
  (size) => ({
    name: "a valid document of many tools",
    text: JSON.stringify({
      apiVersion: "quartermaster/v1",
      sources: [{ name: "s", kind: "http" }],
      tools: Array.from({ length: scaled(size, 10_000) }, (_, at) => ({
        id: `s:t${at}`,
        description: "d",
        inputSchema: {},
      })),
    }),
  }),
  (size) => ({
    name: "wide JSON of no document",
    text: JSON.stringify(Array.from({ length: scaled(size, 300_000) }, () => 1)),
  }),
];

/** `count` documents of at most 1 MB: every kind, in sizes up to its largest. */
export function* hostileDocuments(count: number): Generator<HostileDocument> {
  for (let at = 0; at < count; at += 1) {
    const kind = KINDS[at % KINDS.length] ?? KINDS[0];
    const size = 1 - Math.floor(at / KINDS.length) / Math.ceil(count / KINDS.length);
    if (kind !== undefined) yield kind(size);
  }
}

/** Documents of 31 to 33 MB. */
export function importDocuments(): readonly HostileDocument[] {
  const paths = Object.fromEntries(Array.from({ length: 700_000 }, (_, at) => [`/path${at}`, { get: {} }]));
  return [
    {
      name: "JSON of 31 MB",
      text: JSON.stringify({ openapi: "3.1.0", info: { x: "d".repeat(31_000_000) }, paths: {} }),
    },
    {
      name: "700,000 paths",
      text: JSON.stringify({ openapi: "3.1.0", servers: [{ url: "https://a.example" }], paths }),
    },
    { name: "YAML of 31 MB", text: lines(2_000_000, (at) => `key${at}: 1`) },
    { name: "33 MB", text: "x".repeat(33 * 1024 * 1024) },
  ];
}

function scaled(size: number, most: number): number {
  return Math.max(1, Math.round(size * most));
}
