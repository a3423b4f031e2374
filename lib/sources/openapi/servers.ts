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

/** Keeps the server in use if the document still lists it, so that an earlier choice stays; `null` otherwise. */
export function serverToKeep(document: JsonObject, url: string | null, inUse: string | null): string | null {
  return inUse !== null && otherServers(document, { url }).includes(inUse) ? inUse : null;
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
    url?.replaceAll(/\{([^{}]+)\}/g, (gap, name: string) => asScalar(asObject(variables[name])["default"]) ?? gap) ??
    null
  );
}

function asScalar(value: Json | undefined): string | null {
  return typeof value === "number" ? String(value) : asText(value);
}
