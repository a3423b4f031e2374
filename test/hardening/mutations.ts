import * as fc from "fast-check";
import type { Asked } from "@/test/support/described-api";

/** A test's request, with its query as pairs, so that a mutation can add to it. */
export interface Generated extends Omit<Asked, "query" | "body" | "until"> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body?: unknown;
  /** How it was made wrong; `null` = as the description allows. */
  readonly mutation: string | null;
}

/** A way to make a request wrong, or nearly so. */
type Mutation = (request: Generated) => Generated;

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

/** Unexpected values for a field: wrong types, extremes, text that breaks careless code. */
const SURPRISES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  2 ** 53,
  "",
  " ",
  "*",
  "\0",
  "a\0b",
  "\ud800",
  "\u202Egnp.exe",
  "‮\u200B\u{E0041}",
  "../../../etc/passwd",
  "%2e%2e%2f",
  "'; DROP TABLE execution; --",
  "${jndi:ldap://127.0.0.1/a}",
  "{{constructor.constructor('return process')()}}",
  "line\r\nset-cookie: a=b",
  "__proto__",
  "9".repeat(400),
  "é".repeat(70_000),
  [],
  {},
  [[]],
  Array.from({ length: 2_000 }, () => "x"),
  JSON.parse(deep(40)),
  JSON.parse(deep(200)),
  JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}'),
];
const ADDED = ["__proto__", "constructor", "prototype", "toString", "isAdmin", "role", "\0", "", "a.b", "permission"];
const IDS = [
  "../../admin/users",
  "..%2f..",
  "a".repeat(5_000),
  "\0",
  "__proto__",
  "constructor",
  "-1",
  "1e99",
  "9".repeat(40),
  "00000000-0000-4000-8000-000000000000",
  "é\u202E",
  "a:b:c",
  " ",
  "*",
  "' or 1=1 --",
];
const QUERY_TEXTS = [...IDS, "", "null", "[]", "NaN", "Infinity", "true", "bm90IGEgY3Vyc29y", "WzEsMl0", "eyJhIjoxfQ"];
const QUERY_NAMES = [
  "limit",
  "cursor",
  "sort",
  "q",
  "nonsense",
  "__proto__",
  "constructor",
  "dryRun",
  "a[b]",
  "from",
  "to",
];
const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ["if-match", "*"],
  ["if-match", 'W/"1"'],
  ["if-match", '"99999999999999999999"'],
  ["if-match", '"-1", "2"'],
  ["if-none-match", '"'.repeat(100)],
  ["idempotency-key", "a".repeat(5_000)],
  ["idempotency-key", "\u00e9"],
  ["content-type", "text/plain"],
  ["content-type", "application/xml"],
  ["content-type", "multipart/form-data; boundary="],
  ["content-type", "application/json; charset=utf-16"],
  ["content-length", "-1"],
  ["content-length", "99999999"],
  ["content-encoding", "gzip"],
  ["accept", "text/event-stream, */*;q=0"],
  ["accept", "application/\u00ff"],
  ["x-request-id", "<script>alert(1)</script>"],
  ["x-forwarded-for", "127.0.0.1, ::1"],
  ["x-forwarded-host", "evil.example"],
  ["x-http-method-override", "DELETE"],
  ["traceparent", "00-zz-zz-01"],
  ["last-event-id", "\u00a0"],
];

/** Makes a request that the description allows into one that it mostly does not. */
export function mutated(request: Generated): fc.Arbitrary<Generated> {
  const kinds = [queryMutation(), headerMutation()];
  if (Object.keys(request.params).length > 0) kinds.push(idMutation(Object.keys(request.params)));
  if (request.body !== undefined)
    kinds.push(fieldMutation(request.body), fieldMutation(request.body), fieldMutation(request.body), textMutation());
  return fc.oneof(...kinds).map((mutate) => mutate(request));
}

function queryMutation(): fc.Arbitrary<Mutation> {
  return fc
    .tuple(fc.constantFrom(...QUERY_NAMES), fc.constantFrom(...QUERY_TEXTS), fc.boolean())
    .map(([name, value, twice]) => (request) => ({
      ...request,
      query: [...request.query, [name, value], ...(twice ? [[name, "again"] as const] : [])],
      mutation: `query ${name}=${value.slice(0, 40)}${twice ? ", twice" : ""}`,
    }));
}

function headerMutation(): fc.Arbitrary<Mutation> {
  return fc.constantFrom(...HEADERS).map(([name, value]) => (request) => ({
    ...request,
    headers: { ...request.headers, [name]: value },
    mutation: `header ${name}: ${value.slice(0, 40)}`,
  }));
}

function idMutation(names: readonly string[]): fc.Arbitrary<Mutation> {
  return fc.tuple(fc.constantFrom(...names), fc.constantFrom(...IDS)).map(([name, value]) => (request) => ({
    ...request,
    params: { ...request.params, [name]: value },
    mutation: `path ${name}=${value.slice(0, 40)}`,
  }));
}

/** The path of a value in the body: keys from its root. */
type Path = readonly string[];

function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...at, key]))];
}

/** A field that is another value, is gone, or has company. */
function fieldMutation(body: unknown): fc.Arbitrary<Mutation> {
  return fc
    .tuple(
      fc.constantFrom(...pathsOf(body)),
      fc.constantFrom("replace", "replace", "remove", "add"),
      fc.constantFrom(...SURPRISES),
      fc.constantFrom(...ADDED),
    )
    .map(([path, how, surprise, key]) => (request) => ({
      ...request,
      body: changed(request.body, how === "add" ? [...path, key] : path, how === "remove" ? undefined : surprise),
      mutation: `${how} ${[...path, ...(how === "add" ? [key] : [])].join(".")}`,
    }));
}

/** A copy with another value at a path; `undefined` = without it. Keys such as `__proto__` become own ones. */
function changed(value: unknown, [key, ...rest]: Path, surprise: unknown): unknown {
  if (key === undefined) return surprise;
  if (typeof value !== "object" || value === null) return { [key]: surprise };
  const entries = Object.entries(value).filter(([name]) => name !== key);
  const own = Object.entries(value).find(([name]) => name === key)?.[1] as unknown;
  const put = changed(own, rest, surprise);
  const all = put === undefined ? entries : [...entries, [key, put] as const];
  return Array.isArray(value) ? all.map(([, item]) => item as unknown) : Object.fromEntries(all);
}

/** The body's text is no JSON, or unusual JSON. */
const TEXTS: readonly (readonly [what: string, of: (text: string) => string])[] = [
  ["cut off", (text) => text.slice(0, -1)],
  ["with a tail", (text) => `${text} garbage`],
  ["with a byte order mark", (text) => `\uFEFF${text}`],
  ["empty", () => ""],
  ["null", () => "null"],
  ["a list around it", (text) => `[${text}]`],
  ["a text", (text) => JSON.stringify(text)],
  ["every key twice", (text) => text.replace(/^\{(.+)\}$/s, "{$1,$1}")],
  ["nested 5,000 levels deep", () => deep(5_000)],
  ["nested 100,000 lists deep", () => "[".repeat(100_000)],
  ["one byte above 1 MiB", () => JSON.stringify("x".repeat(1024 * 1024 - 1))],
  ["NUL in front", (text) => `\0${text}`],
  ["NaN", () => "NaN"],
  ["1e999", () => '{"limit":1e999,"confidence":-1e999}'],
];

function textMutation(): fc.Arbitrary<Mutation> {
  return fc.constantFrom(...TEXTS).map(([what, of]) => ({ body, ...request }) => ({
    ...request,
    text: of(JSON.stringify(body)),
    mutation: `text: ${what}`,
  }));
}
