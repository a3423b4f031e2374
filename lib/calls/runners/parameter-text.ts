import { isList } from "@/lib/access/model/json";
import type { Json } from "@/lib/access/model/configuration";
import { AppError } from "@/lib/errors";
import type { Style } from "@/lib/resources/parts/run";

/** An argument to send: its value, and the parts of `run` that define its form in the request. */
export interface Given {
  readonly property: string;
  readonly name: string;
  readonly value: Json;
  readonly style?: Style | undefined;
  readonly explode?: boolean | undefined;
  readonly allowReserved?: boolean | undefined;
  /** Names with another meaning in the same place: a member may not have one of them. */
  readonly taken?: ReadonlySet<string> | undefined;
}

/** A value as texts: one, a list, or members by name. */
type Texts =
  | { readonly one: string }
  | { readonly list: readonly string[] }
  | { readonly members: readonly (readonly [string, string])[] };

/** Characters that a parser would read as the end of an item. */
const DELIMITERS = { spaceDelimited: " ", pipeDelimited: "|" } as const;

/** Characters that some router between here and the operation may take for the end of a path segment. */
const LEAVES_SEGMENT = /[/\\?#%\p{Cc}\u2028\u2029]/u;

/**
 * A path argument by its style (OpenAPI 3.1, Style Values; RFC 6570): `simple`, `label`, `matrix` or `json`.
 * Refuses an empty or blank value, which would address another resource, and a value that could leave its segment.
 *
 * @throws AppError `invalid_arguments`
 */
export function toPathText(given: Given): string {
  const { property, name, style = "simple", explode = false } = given;
  const texts = textsOf(given);
  const parts = partsOf(texts);
  if (given.allowReserved !== true && parts.some((part) => LEAVES_SEGMENT.test(part)))
    throw refused(
      property,
      "must not contain `/`, `\\`, `?`, `#`, `%` or control characters: it is part of the address",
    );
  // A server that trims reads a blank value as an empty one.
  if (parts.length === 0 || (style !== "matrix" && parts.every((part) => part.trim() === "")))
    throw refused(
      property,
      "must not be empty or blank, because it is part of the address: send a value with a visible character",
    );
  return pathText(texts, style, explode, encodeURIComponent(name));
}

function pathText(texts: Texts, style: Style, explode: boolean, name: string): string {
  if (style === "label") return `.${joined(texts, explode, explode ? "." : ",", encodeLabel)}`;
  if (style !== "matrix") return joined(texts, explode, ",", encodeURIComponent);
  const pair = (text: string) => (text === "" ? `;${name}` : `;${name}=${text}`);
  if (!explode || "one" in texts) return pair(joined(texts, false, ",", encodeURIComponent));
  if ("list" in texts) return texts.list.map((item) => pair(encodeURIComponent(item))).join("");
  return texts.members.map(([key, text]) => `;${encodeURIComponent(key)}=${encodeURIComponent(text)}`).join("");
}

/**
 * A header's value, style `simple`: nothing is escaped in headers, so an item that would be read as two, or with
 * blanks that servers drop, is refused. `null` for an empty list: the header is then absent.
 *
 * @throws AppError `invalid_arguments`
 */
export function toHeaderText(given: Given): string | null {
  const texts = textsOf(given);
  if (("list" in texts && texts.list.length === 0) || isWithoutMembers(texts)) return null;
  const asIs = (text: string) => {
    if (!("one" in texts) && text.includes(","))
      throw refused(given.property, "must not contain a comma, which would split this header");
    return text;
  };
  const text = joined(texts, given.explode ?? false, ",", asIs);
  if (text !== text.trim())
    throw refused(given.property, "must not begin or end with a space, which a header would lose");
  return text;
}

/**
 * Pairs of a query or of a form, percent-encoded: `form`, `spaceDelimited`, `pipeDelimited`, `deepObject` or `json`.
 * Lists and objects without members are no pair at all.
 *
 * @throws AppError `invalid_arguments`
 */
export function toPairs(given: Given): string[] {
  const { name, style = "form" } = given;
  const key = encodeURIComponent(name);
  const encode = given.allowReserved === true ? encodeUnreserved : encodeURIComponent;
  if (style === "deepObject")
    return deepPairs(given, name, given.value).map(([own, text]) => `${encodeURIComponent(own)}=${encode(text)}`);
  const texts = textsOf(given);
  if ("one" in texts) return [`${key}=${encode(texts.one)}`];
  if (given.explode ?? style === "form") {
    if ("list" in texts) return texts.list.map((item) => `${key}=${encode(item)}`);
    requireNoMethod(given.property, given.value);
    for (const [own] of texts.members) requireFree(given, own, baseName(own));
    return texts.members.map(([own, text]) => `${encodeURIComponent(own)}=${encode(text)}`);
  }
  const items = "list" in texts ? texts.list : texts.members.flat();
  if (items.length === 0) return [];
  if (style !== "spaceDelimited" && style !== "pipeDelimited")
    return [`${key}=${items.map(encodeURIComponent).join(",")}`];
  const delimiter = DELIMITERS[style];
  if (items.some((item) => item.includes(delimiter)))
    throw refused(given.property, `an item must not contain \`${delimiter}\`, which separates items`);
  return [`${key}=${items.map(encode).join(encodeURIComponent(delimiter))}`];
}

/**
 * Refuses a member that frameworks read as the request's method (Rails, Laravel, Symfony): it would make another
 * operation. A parameter that the operation itself names so passes.
 *
 * @throws AppError `invalid_arguments`
 */
export function requireNoMethod(property: string, value: Json): void {
  if (typeof value !== "object" || value === null || isList(value)) return;
  if (Object.keys(value).some((name) => name.toLowerCase() === "_method"))
    throw refused(property, "the member `_method` could change the operation");
}

/** Refuses a member by whose names a server may read another parameter; some servers ignore case. */
function requireFree({ property, taken }: Given, own: string, ...others: readonly string[]): void {
  if ([own, ...others].some((name) => taken?.has(name.toLowerCase()) === true))
    throw refused(property, `the member \`${own.slice(0, 200)}\` has the name of another parameter`);
}

/** The name that servers read from one with brackets or dots: `filter` of `filter[price]`, `a` of `a.b`. */
function baseName(name: string): string {
  return name.split(/[[.]/)[0] ?? name;
}

/** The names of all other parameters in the same place, in lower case. */
export function otherParameterNames<One extends { readonly name: string; readonly property: string }>(
  all: readonly One[],
  { property }: { readonly property: string },
  fixed: Iterable<string> = [],
): ReadonlySet<string> {
  const names = all.flatMap((one) => (one.property === property ? [] : [one.name, baseName(one.name)]));
  return new Set([...names, ...fixed].map((name) => name.toLowerCase()));
}

/**
 * `filter[price][min]=1`, as names and texts. OpenAPI does not define lists here; they repeat their name, as servers
 * expect.
 */
function deepPairs(given: Given, name: string, value: Json): (readonly [string, string])[] {
  if (name !== given.name) requireFree(given, name);
  if (isList(value)) return value.map((item) => [name, scalarText(given.property, item)] as const);
  if (typeof value !== "object" || value === null) return [[name, scalarText(given.property, value)]];
  return Object.entries(value)
    .filter(([, item]) => item !== null)
    .flatMap(([own, item]) => deepPairs(given, `${name}[${own}]`, item));
}

function joined(texts: Texts, explode: boolean, delimiter: string, encode: (text: string) => string): string {
  if ("one" in texts) return encode(texts.one);
  if ("list" in texts) return texts.list.map(encode).join(delimiter);
  const between = explode ? "=" : ",";
  return texts.members.map((pair) => pair.map(encode).join(between)).join(explode ? delimiter : ",");
}

function textsOf({ property, style, value }: Given): Texts {
  if (style === "json") return { one: JSON.stringify(value) };
  if (isList(value)) return { list: value.map((item) => scalarText(property, item)) };
  if (typeof value !== "object" || value === null) return { one: scalarText(property, value) };
  const members = Object.entries(value).filter(([, item]) => item !== null);
  return { members: members.map(([key, item]) => [key, scalarText(property, item)] as const) };
}

function partsOf(texts: Texts): readonly string[] {
  if ("one" in texts) return [texts.one];
  return "list" in texts ? texts.list : texts.members.flat();
}

function isWithoutMembers(texts: Texts): boolean {
  return "members" in texts && texts.members.length === 0;
}

/** Text as it is, numbers and flags as JSON. @throws AppError `invalid_arguments` for a list or an object */
export function scalarText(property: string, value: Json): string {
  if (typeof value === "string") return value;
  if (typeof value === "object") throw refused(property, "nested values and null cannot be sent in this place");
  return String(value);
}

/** In a label a dot stands between items. */
function encodeLabel(text: string): string {
  return encodeURIComponent(text).replaceAll(".", "%2E");
}

/** `allowReserved`: reserved characters stay, but for those that end a value or a pair (RFC 3986, 2.2 and 3.4). */
function encodeUnreserved(text: string): string {
  return encodeURIComponent(text).replaceAll(/%(?:3A|2F|3F|40|24|2C|3B)/g, decodeURIComponent);
}

/** The error for arguments that cannot be sent; it names the argument when that is known. */
export function refused(path: string, message: string): AppError {
  const where = path === "" ? "" : `\`${path}\`: `;
  return new AppError("invalid_arguments", `The arguments cannot be sent. ${where}${message}.`, {
    errors: [{ path, message }],
  });
}
