import type { JsonObject } from "@/lib/access/model/configuration";
import { problemOfHeader } from "@/lib/outbound/forbidden-headers";
import type { HttpRun } from "@/lib/resources/parts/run";
import { toHttpBody } from "@/lib/calls/runners/http-body";
import {
  refused,
  otherParameterNames,
  toHeaderText,
  toPairs,
  toPathText,
  type Given,
} from "@/lib/calls/runners/parameter-text";

/** A request as it will be sent, before credentials. */
interface BuiltRequest {
  readonly method: HttpRun["method"];
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | null;
}

/**
 * The request that a call's arguments make of a tool's `run`. The arguments are valid by the tool's
 * schema; values that must not reach an upstream are refused here all the same (docs/reference/execution.md#outbound-http).
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
  const inPath = given.filter((parameter) => parameter.in === "path");
  const path = new Map(
    run.parameters
      .filter((parameter) => parameter.in === "path")
      .map(({ property, name }) => [name, inPath.find((one) => one.name === name) ?? property]),
  );
  const queried = run.parameters.filter((parameter) => parameter.in === "query");
  const stated = [...new URLSearchParams(/\?([^#]*)/.exec(run.url)?.[1]).keys()];
  const query = given
    .filter((parameter) => parameter.in === "query")
    .flatMap((parameter) => toPairs({ ...parameter, taken: otherParameterNames(queried, parameter, stated) }));
  const body = toHttpBody(run, args);
  return {
    method: run.method,
    url: toUrl(run.url, path, query),
    headers: body === null ? headers : { "content-type": body.contentType, ...headers },
    body: body?.content ?? null,
  };
}

/** By placeholder of the address: what was given, or the property of a missing argument. */
type PathArguments = ReadonlyMap<string, Given | string>;

function toUrl(template: string, path: PathArguments, pairs: readonly string[]): string {
  const [, origin = "", rest = "", fixed = ""] = /^(https?:\/\/[^/?#]*)([^?#]*)(\?[^#]*)?/.exec(template) ?? [];
  // Arguments cannot choose the host, and a missing argument cannot change the address.
  if (/[{}]/.test(origin + fixed)) throw refused("", "the tool's address has a placeholder that no argument can fill");
  const filled = rest.split(BETWEEN_SEGMENTS).map((segment) => toSegment(segment, path));
  const search = [fixed.slice(1), ...pairs].filter((part) => part !== "").join("&");
  return `${origin}${filled.join("/")}${search === "" ? "" : `?${search}`}`;
}

/** Slashes, but not those in the name of a placeholder. */
const BETWEEN_SEGMENTS = /\/(?![^{}]*\})/;

function toSegment(template: string, path: PathArguments): string {
  const properties: string[] = [];
  const segment = template.replaceAll(/\{([^{}]*)\}/g, (_gap, name: string) => {
    const given = path.get(name) ?? name;
    if (typeof given === "string") throw refused(given, "the tool's address needs this argument");
    properties.push(given.property);
    return toPathText(given);
  });
  if (isDotSegment(segment))
    throw refused(
      properties[0] ?? "",
      "must not make `.` or `..` a segment of the address, which would then lead elsewhere: send another value",
    );
  return segment;
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
  // No honest client encodes this often.
  return true;
}

function decode(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})/gi, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function toHeaders(run: HttpRun, given: readonly Given[]): Record<string, string> {
  const headers: Record<string, string> = { accept: "application/json, text/*;q=0.9, */*;q=0.5" };
  for (const [name, value] of Object.entries(run.headers)) headers[name.toLowerCase()] = value;
  for (const parameter of given) {
    const { property, name } = parameter;
    const text = toHeaderText(parameter);
    if (text === null) continue;
    const problem = problemOfHeader(name, text);
    if (problem !== null) throw refused(property, problem);
    headers[name.toLowerCase()] = text;
  }
  return headers;
}
