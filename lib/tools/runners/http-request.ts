import type { Json, JsonObject } from "@/lib/access/configuration";
import { AppError } from "@/lib/errors";
import { problemOfHeader } from "@/lib/outbound/forbidden-headers";
import type { HttpRun } from "@/lib/resources/run";

/** A request as it will be sent, before credentials. */
export interface BuiltRequest {
  readonly method: HttpRun["method"];
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

/**
 * The request that a call's arguments make of a tool's `run`. The arguments are valid by the tool's
 * schema; what may not leave the house is refused here nevertheless (4-execution, Outbound HTTP).
 *
 * @throws AppError `invalid_arguments`
 */
export function toHttpRequest(run: HttpRun, args: JsonObject): BuiltRequest {
  const given = run.parameters.flatMap((parameter) => {
    const value = Object.hasOwn(args, parameter.property) ? args[parameter.property] : undefined;
    return value === undefined || value === null ? [] : [{ ...parameter, value }];
  });
  const cookie = given.find((parameter) => parameter.in === "cookie");
  if (cookie !== undefined) throw refused(cookie.property, "cookies cannot be set by arguments");
  const headers = toHeaders(
    run,
    given.filter((parameter) => parameter.in === "header"),
  );
  const path = new Map(given.filter((parameter) => parameter.in === "path").map((one) => [one.name, one]));
  const query = given.filter((parameter) => parameter.in === "query").flatMap(toQueryPairs);
  const body = run.method === "GET" || run.method === "HEAD" ? null : toBody(run, args);
  return {
    method: run.method,
    url: toUrl(run.url, path, query),
    headers: body === null ? headers : { "content-type": "application/json", ...headers },
    body,
  };
}

interface Given {
  readonly property: string;
  readonly name: string;
  readonly value: Json;
}

function toUrl(
  template: string,
  path: ReadonlyMap<string, Given>,
  query: readonly (readonly [string, string])[],
): string {
  const [, origin = "", rest = "", fixed = ""] = /^(https?:\/\/[^/?#]*)([^?#]*)(\?[^#]*)?/.exec(template) ?? [];
  // Arguments choose neither the host nor, by leaving something out, another address.
  if (/[{}]/.test(origin + fixed)) throw refused("", "the tool's address has a gap that no argument may fill");
  const filled = rest.replaceAll(/\{([^{}]*)\}/g, (_gap, name: string) => {
    const given = path.get(name);
    if (given === undefined) throw refused(name, "the tool's address needs this argument");
    return toPathText(given);
  });
  for (const segment of filled.split("/"))
    if (isDotSegment(segment)) throw refused("", "a path argument may not lead out of its place with `.` or `..`");
  const pairs = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const search = [fixed.slice(1), ...pairs].filter((part) => part !== "").join("&");
  return `${origin}${filled}${search === "" ? "" : `?${search}`}`;
}

/** Style `simple`: a list is joined by commas. Nothing at all would address another resource. */
function toPathText({ property, value }: Given): string {
  const items = isList(value) ? value : [value];
  const text = items.map((item) => encodeURIComponent(toText(property, item))).join(",");
  if (text === "") throw refused(property, "must not be empty: it is part of the address");
  return text;
}

/** Whether a segment is `.` or `..` to any reader: decoded up to three times, with either slash, before a `;`. */
function isDotSegment(segment: string): boolean {
  let text = segment;
  for (let round = 0; round < 4; round += 1) {
    if (text.split(/[/\\]/).some((part) => /^\s*\.{1,2}\s*(?:;|$)/.test(part))) return true;
    const decoded = decode(text);
    if (decoded === text) return false;
    text = decoded;
  }
  // Wrapped more often than anyone honest would.
  return true;
}

function decode(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})/gi, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Style `form`, exploded: a list repeats its name, an object gives each member its own. */
function toQueryPairs({ property, name, value }: Given): (readonly [string, string])[] {
  if (isList(value)) return value.map((item) => [name, toText(property, item)] as const);
  if (typeof value === "object" && value !== null)
    return Object.entries(value).map(([key, item]) => [key, toText(property, item)] as const);
  return [[name, toText(property, value)]];
}

function toHeaders(run: HttpRun, given: readonly Given[]): Record<string, string> {
  const headers: Record<string, string> = { accept: "application/json, text/*;q=0.9, */*;q=0.5" };
  for (const [name, value] of Object.entries(run.headers)) headers[name.toLowerCase()] = value;
  for (const { property, name, value } of given) {
    const text = (isList(value) ? value : [value]).map((item) => toText(property, item)).join(",");
    const problem = problemOfHeader(name, text);
    if (problem !== null) throw refused(property, problem);
    headers[name.toLowerCase()] = text;
  }
  return headers;
}

function toBody(run: HttpRun, args: JsonObject): string | null {
  if (run.body === null) return null;
  const { whole, properties } = run.body;
  if (whole !== null) return Object.hasOwn(args, whole) ? JSON.stringify(args[whole]) : null;
  const members = properties.flatMap(({ property, name }) =>
    Object.hasOwn(args, property) ? [[name, args[property]] as const] : [],
  );
  return JSON.stringify(Object.fromEntries(members));
}

function toText(property: string, value: Json): string {
  if (typeof value === "string") return value;
  if (typeof value === "object" && value !== null)
    throw refused(property, "nested values cannot be sent in this place");
  return String(value);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function refused(path: string, message: string): AppError {
  const where = path === "" ? "" : `\`${path}\`: `;
  return new AppError("invalid_arguments", `The arguments cannot be sent. ${where}${message}.`, {
    errors: [{ path, message }],
  });
}
