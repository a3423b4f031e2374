import type { Json, JsonObject } from "@/lib/access/model/configuration";
import type { ToolInput } from "@/lib/resources/tool";
import { asList, asObject, asText } from "@/lib/sources/openapi/json-view";

/** The addresses that, with the document, decide where calls go. */
export interface ServerOptions {
  /** The document's own URL, the base of its relative URLs. */
  readonly url: string | null;
  /** The server that replaces the document's servers; `null` or absent = use the document's. */
  readonly server?: string | null;
}

/** Most other servers that a finding lists. */
const MAX_OTHERS = 10;

/** A variable in the address of a server. */
const VARIABLE = /\{([^{}]+)\}/g;

/**
 * The server of an operation as an absolute http(s) URL without a trailing slash; `null` = none. Takes the first server of
 * the operation or its path, else the chosen one, else the document's first. Variables get their defaults.
 */
export function serverUrl(
  levels: readonly JsonObject[],
  document: JsonObject,
  { url, server = null }: ServerOptions,
): string | null {
  const [own] = levels.flatMap((level) => asList(level["servers"]).slice(0, 1));
  if (own !== undefined) return toUrl(own, url);
  return server === null ? toUrl(asList(document["servers"])[0] ?? { url: "/" }, url) : toUrl({ url: server }, url);
}

/** The document's servers that are not the default of its operations. */
export function otherServers(document: JsonObject, options: ServerOptions): string[] {
  const used = serverUrl([], document, options);
  const urls = asList(document["servers"]).flatMap((server) => toUrl(server, options.url) ?? []);
  return [...new Set(urls)].filter((url) => url !== used).slice(0, MAX_OTHERS);
}

/** The addresses of servers with a query, without it: calls send none. */
export function serversWithQuery(levels: readonly JsonObject[], documentUrl: string | null): string[] {
  const servers = levels.flatMap((level) => asList(level["servers"]));
  const stated = servers.filter((server) => asText(asObject(server)["url"])?.includes("?") === true);
  return [...new Set(stated.flatMap((server) => toUrl(server, documentUrl) ?? []))].slice(0, MAX_OTHERS);
}

/** Keeps the server in use if the document still names it, so that an earlier choice stays; `null` otherwise. */
export function serverToKeep(document: JsonObject, url: string | null, inUse: string | null): string | null {
  if (inUse === null) return null;
  const names = (server: Json) => toUrl(server, url) === inUse || canBecome(asObject(server), url, inUse);
  return asList(document["servers"]).some(names) ? inUse : null;
}

/** The server that most of a source's tools call; `null` = unknown. */
export function serverInUse(tools: Iterable<Pick<ToolInput, "path" | "run">>): string | null {
  const counts = new Map<string, number>();
  for (const { path, run } of tools) {
    if (path === null || run?.kind !== "http" || !run.url.endsWith(path)) continue;
    const server = run.url.slice(0, -path.length);
    counts.set(server, (counts.get(server) ?? 0) + 1);
  }
  return [...counts].toSorted(([, left], [, right]) => right - left)[0]?.[0] ?? null;
}

/** Most parts of an address that `canBecome` compares: texts, with variables between them. */
const MAX_PARTS = 41;

/**
 * Whether some values of a server's variables give this address: values of their `enum`, or any text without a slash.
 * Matches part by part instead of with a regular expression, which a hostile document could make slow.
 */
function canBecome(server: JsonObject, documentUrl: string | null, address: string): boolean {
  const stated = asText(server["url"])?.replace(/\/+$/, "") ?? "";
  const origin = stated.startsWith("/") ? (toUrl({ url: "/" }, documentUrl) ?? "") : "";
  const parts = `${origin}${stated}`.split(VARIABLE);
  const variables = asObject(server["variables"]);
  if (parts.length > MAX_PARTS) return false;
  return [address, withPort(address)].some((text) => {
    let ends = new Set([0]);
    for (const [place, part] of parts.entries()) {
      const isVariable = place % 2 === 1;
      const values = isVariable
        ? asList(asObject(variables[part])["enum"]).flatMap((one) => asScalar(one) ?? [])
        : [part];
      ends = isVariable && values.length === 0 ? endsInSegment(text, ends) : endsAfter(text, ends, values);
    }
    return ends.has(text.length);
  });
}

/** The places in a text where one of the values ends that begins at one of these places. */
function endsAfter(text: string, starts: ReadonlySet<number>, values: readonly string[]): Set<number> {
  return new Set(
    [...starts].flatMap((at) => values.filter((one) => text.startsWith(one, at)).map((one) => at + one.length)),
  );
}

/** The places from one of these places to the next slash. */
function endsInSegment(text: string, starts: ReadonlySet<number>): Set<number> {
  const ends = new Set<number>();
  for (let at = 0; at <= text.length; at += 1)
    if (starts.has(at) || (ends.has(at - 1) && text[at - 1] !== "/")) ends.add(at);
  return ends;
}

/** The address with its port: `URL` leaves out the usual one of the protocol, and a template may state it. */
function withPort(address: string): string {
  return address.replace(/^http(s?):\/\/[^/:]+(?=\/|$)/, (host, secure) => `${host}:${secure === "" ? 80 : 443}`);
}

function toUrl(server: Json, documentUrl: string | null): string | null {
  const template = withDefaults(asObject(server));
  const base = documentUrl ?? undefined;
  if (template === null || template.includes("{") || !URL.canParse(template, base)) return null;
  const url = new URL(template, base);
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  if (url.username !== "" || url.password !== "") return null;
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function withDefaults(server: JsonObject): string | null {
  const { url: stated } = server;
  // Documents write an empty address for their own host.
  const url = stated === "" ? "/" : asText(stated);
  const variables = asObject(server["variables"]);
  return (
    url?.replaceAll(VARIABLE, (gap, name: string) => asScalar(asObject(variables[name])["default"]) ?? gap) ?? null
  );
}

function asScalar(value: Json | undefined): string | null {
  return typeof value === "number" ? String(value) : asText(value);
}
