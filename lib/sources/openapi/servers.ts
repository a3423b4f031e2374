import type { Json, JsonObject } from "@/lib/access/configuration";
import { asList, asObject, asText } from "@/lib/sources/openapi/json-view";

/**
 * The first server of an operation, its path or its document as an absolute http(s) URL without a slash
 * at the end; variables have their defaults, and relative ones are read from the document's own address.
 * `null` when there is no such URL.
 */
export function serverUrl(levels: readonly JsonObject[], documentUrl: string | null): string | null {
  const stated = levels.map((level) => asList(level["servers"])[0]).find((server) => server !== undefined);
  const template = stated === undefined ? "/" : withDefaults(asObject(stated));
  if (template === null || template.includes("{")) return null;
  const base = documentUrl ?? undefined;
  if (!URL.canParse(template, base)) return null;
  const url = new URL(template, base);
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  if (url.username !== "" || url.password !== "") return null;
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function withDefaults(server: JsonObject): string | null {
  const url = asText(server["url"]);
  const variables = asObject(server["variables"]);
  return (
    url?.replaceAll(/\{([^{}]+)\}/g, (gap, name: string) => asScalar(asObject(variables[name])["default"]) ?? gap) ??
    null
  );
}

function asScalar(value: Json | undefined): string | null {
  return typeof value === "number" ? String(value) : asText(value);
}
