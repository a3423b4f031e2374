import type { JsonObject } from "@/lib/access/model/configuration";
import type { AuthSuggestion } from "@/lib/contracts/sources/auth-suggestion";
import { asObject, asText } from "@/lib/sources/openapi/json-view";
import type { RequiredScheme } from "@/lib/sources/openapi/security";
import { maskSecretShapes } from "@/lib/telemetry/secret-shapes";

type SuggestedAuth = AuthSuggestion["auth"];

/** Most suggestions, and most origins of each. */
const MAX_SUGGESTIONS = 10;
/** Longest texts in a source's `auth`. */
const MAX_SCOPE = 2000;
const MAX_NAME = 128;

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
/** OAuth 2 flows with a person. Their token URL may support token exchange. */
const FLOWS_OF_PEOPLE = ["authorizationCode", "password"];

/**
 * Suggests the authentication of a source from its document. Uses only schemes that alone satisfy a requirement, because
 * a call sends one credential. Leaves out schemes that `auth` does not support, and those that hold what looks like a secret.
 *
 * @param serverUrls the addresses of the servers that the source's tools call
 * @param url the document's own URL, the base of relative token URLs
 */
export function suggestAuth(
  schemes: readonly RequiredScheme[],
  serverUrls: Iterable<string>,
  url: string | null,
): AuthSuggestion[] {
  const serverOrigins = [...serverUrls].flatMap((address) => originOf(address) ?? []);
  return schemes
    .filter(({ alone }) => alone)
    .flatMap(({ name, scheme, scopes }) =>
      authModes(scheme, scopeOf(scopes), url)
        .filter((auth) => !holdsSecret(auth))
        .map((auth) => ({
          scheme: maskSecretShapes(name).slice(0, 200),
          auth,
          origins: [...new Set([...serverOrigins, ...tokenOrigins(auth)])].slice(0, MAX_SUGGESTIONS),
        })),
    )
    .slice(0, MAX_SUGGESTIONS);
}

/** The scopes as one text, without those that do not fit: half a scope is another one. */
function scopeOf(scopes: readonly string[]): string {
  let text = "";
  for (const scope of scopes) {
    const longer = text === "" ? scope : `${text} ${scope}`;
    if (longer.length <= MAX_SCOPE) text = longer;
  }
  return text;
}

/** Whether an address, name or scope of the suggestion looks like a secret. Suggestions are stored unencrypted. */
function holdsSecret(auth: SuggestedAuth): boolean {
  return Object.values(auth).some((text) => maskSecretShapes(text) !== text);
}

function authModes(scheme: JsonObject, scope: string, url: string | null): SuggestedAuth[] {
  switch (scheme["type"]) {
    case "apiKey":
      return apiKeyModes(scheme["in"], asText(scheme["name"]) ?? "");
    case "http":
      return httpModes(asText(scheme["scheme"])?.toLowerCase());
    case "oauth2":
      return oauthModes(asObject(scheme["flows"]), scope, url);
    case "openIdConnect":
      return [{ mode: "bearer" }, { mode: "token_exchange", tokenUrl: "", scope }];
    default:
      return [];
  }
}

function apiKeyModes(place: unknown, name: string): SuggestedAuth[] {
  if (name === "" || name.length > MAX_NAME) return [];
  if (place === "query" || (place === "header" && HEADER_NAME.test(name)))
    return [{ mode: "api_key", in: place, name }];
  return [];
}

function httpModes(scheme: string | undefined): SuggestedAuth[] {
  return scheme === "basic" || scheme === "bearer" ? [{ mode: scheme }] : [];
}

/** Client credentials if the document has that flow, else token exchange. Every flow also accepts a fixed token. */
function oauthModes(flows: JsonObject, scope: string, url: string | null): SuggestedAuth[] {
  const tokenUrl = (flow: string) => resolveTokenUrl(asText(asObject(flows[flow])["tokenUrl"]), url);
  if ("clientCredentials" in flows)
    return [{ mode: "client_credentials", tokenUrl: tokenUrl("clientCredentials"), scope }, { mode: "bearer" }];
  const exchanged = FLOWS_OF_PEOPLE.map(tokenUrl).find((found) => found !== "") ?? "";
  return [{ mode: "bearer" }, { mode: "token_exchange", tokenUrl: exchanged, scope }];
}

/** The absolute http(s) address, without user name and password; `""` for any other address. */
function resolveTokenUrl(text: string | null, base: string | null): string {
  if (text === null || !URL.canParse(text, base ?? undefined)) return "";
  const { protocol, username, password, href } = new URL(text, base ?? undefined);
  return /^https?:$/.test(protocol) && username === "" && password === "" && href.length <= 2048 ? href : "";
}

function tokenOrigins(auth: SuggestedAuth): string[] {
  const origin = "tokenUrl" in auth ? originOf(auth.tokenUrl) : null;
  return origin === null ? [] : [origin];
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
