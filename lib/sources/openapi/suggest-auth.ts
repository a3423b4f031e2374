import type { JsonObject } from "@/lib/access/model/configuration";
import type { AuthSuggestion } from "@/lib/contracts/sources/auth-suggestion";
import { asObject, asText } from "@/lib/sources/openapi/json-view";
import type { RequiredScheme } from "@/lib/sources/openapi/security";
import { maskSecretShapes } from "@/lib/telemetry/secret-shapes";

type Stated = AuthSuggestion["auth"];

/** Most suggestions, and most origins of each. */
const MAX_SUGGESTIONS = 10;
/** Longest texts in a source's `auth`. */
const MAX_SCOPE = 2000;
const MAX_NAME = 128;

const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
/** OAuth 2 flows with a person. Their token URL may support token exchange. */
const FLOWS_OF_PEOPLE = ["authorizationCode", "password"];

/**
 * Suggests the authentication of a source from its document. Uses only schemes that alone satisfy a requirement, because
 * a call sends one credential. Leaves out schemes that `auth` does not support, and those that hold what looks like a secret.
 *
 * @param called the addresses of the servers that the source's tools call
 * @param url the document's own URL, the base of relative token URLs
 */
export function suggestAuth(
  schemes: readonly RequiredScheme[],
  called: Iterable<string>,
  url: string | null,
): AuthSuggestion[] {
  const servers = [...called].flatMap((address) => originOf(address) ?? []);
  return schemes
    .filter(({ alone }) => alone)
    .flatMap(({ name, scheme, scopes }) =>
      authModes(scheme, scopes.join(" ").slice(0, MAX_SCOPE), url)
        .filter((auth) => !holdsSecret(auth))
        .map((auth) => ({
          scheme: maskSecretShapes(name).slice(0, 200),
          auth,
          origins: [...new Set([...servers, ...tokenOrigins(auth)])].slice(0, MAX_SUGGESTIONS),
        })),
    )
    .slice(0, MAX_SUGGESTIONS);
}

/** Whether an address, name or scope of the suggestion looks like a secret. The suggestion would be stored. */
function holdsSecret(auth: Stated): boolean {
  return Object.values(auth).some((text) => maskSecretShapes(text) !== text);
}

function authModes(scheme: JsonObject, scope: string, url: string | null): Stated[] {
  switch (scheme["type"]) {
    case "apiKey":
      return ofKey(scheme["in"], asText(scheme["name"]) ?? "");
    case "http":
      return ofHttp(asText(scheme["scheme"])?.toLowerCase());
    case "oauth2":
      return ofFlows(asObject(scheme["flows"]), scope, url);
    case "openIdConnect":
      return [{ mode: "bearer" }, { mode: "token_exchange", tokenUrl: "", scope }];
    default:
      return [];
  }
}

function ofKey(place: unknown, name: string): Stated[] {
  if (name === "" || name.length > MAX_NAME) return [];
  if (place === "query" || (place === "header" && HEADER.test(name))) return [{ mode: "api_key", in: place, name }];
  return [];
}

function ofHttp(scheme: string | undefined): Stated[] {
  return scheme === "basic" || scheme === "bearer" ? [{ mode: scheme }] : [];
}

/** Client credentials if the document has that flow, else token exchange. Every flow also accepts a fixed token. */
function ofFlows(flows: JsonObject, scope: string, url: string | null): Stated[] {
  const tokenUrl = (flow: string) => absolute(asText(asObject(flows[flow])["tokenUrl"]), url);
  if ("clientCredentials" in flows)
    return [{ mode: "client_credentials", tokenUrl: tokenUrl("clientCredentials"), scope }, { mode: "bearer" }];
  const exchanged = FLOWS_OF_PEOPLE.map(tokenUrl).find((found) => found !== "") ?? "";
  return [{ mode: "bearer" }, { mode: "token_exchange", tokenUrl: exchanged, scope }];
}

/** An http(s) address without credentials, or `""`. */
function absolute(text: string | null, base: string | null): string {
  if (text === null || !URL.canParse(text, base ?? undefined)) return "";
  const { protocol, username, password, href } = new URL(text, base ?? undefined);
  return /^https?:$/.test(protocol) && username === "" && password === "" && href.length <= 2048 ? href : "";
}

function tokenOrigins(auth: Stated): string[] {
  const origin = "tokenUrl" in auth ? originOf(auth.tokenUrl) : null;
  return origin === null ? [] : [origin];
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
