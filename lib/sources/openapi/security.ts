import type { JsonObject } from "@/lib/access/model/configuration";
import type { Finding } from "@/lib/sources/openapi/finding";
import { asList, asObject, asText, member } from "@/lib/sources/openapi/json-view";
import { follow } from "@/lib/sources/openapi/reference";

/** Most scopes of a tool. */
const MAX_SCOPES = 50;
/** The authentications of a source that send a token. */
const BEARER = ", a bearer token or an exchange of the caller's";

/**
 * The scopes that an operation requires of a token (OpenAPI 3.1, Security Requirement Object): those of the first
 * alternative, or none if any alternative requires none.
 */
export function requiredScopes(document: JsonObject, operation: JsonObject): string[] {
  const alternatives = asList(operation["security"] ?? document["security"]).map((one) =>
    scopesOf(document, asObject(one)),
  );
  const [first = []] = alternatives;
  return alternatives.some((scopes) => scopes.length === 0) ? [] : first.slice(0, MAX_SCOPES);
}

function scopesOf(document: JsonObject, requirement: JsonObject): string[] {
  const scopes = Object.entries(requirement).flatMap(([name, stated]) => {
    const type = schemeOf(document, name)["type"];
    // Other kinds of schemes list roles here, not scopes of a token.
    return type === "oauth2" || type === "openIdConnect" ? asList(stated) : [];
  });
  return [...new Set(scopes.flatMap((scope) => asText(scope)?.slice(0, 200) ?? []))];
}

function schemeOf(document: JsonObject, name: string): JsonObject {
  const schemes = asObject(asObject(document["components"])["securitySchemes"]);
  return follow(document, member(schemes, name)) ?? {};
}

/** A security scheme that a document requires. */
export interface RequiredScheme {
  /** Its name in the document. */
  readonly name: string;
  /** The Security Scheme Object. */
  readonly scheme: JsonObject;
  /** All scopes that requirements list for it. */
  readonly scopes: readonly string[];
  /** Whether it alone satisfies some requirement. */
  readonly alone: boolean;
}

/** The schemes that a document requires, in the order of first mention. @param levels the document and its operations */
export function requiredSchemes(levels: readonly JsonObject[], document: JsonObject): RequiredScheme[] {
  const required = new Map<string, { readonly scopes: Set<string>; alone: boolean }>();
  for (const requirement of levels.flatMap(({ security }) => asList(security))) {
    const members = Object.entries(asObject(requirement));
    for (const [name, scopes] of members) {
      const known = required.get(name) ?? { scopes: new Set(), alone: false };
      required.set(name, known);
      known.alone ||= members.length === 1;
      for (const scope of asList(scopes)) if (typeof scope === "string") known.scopes.add(scope);
    }
  }
  return [...required].map(([name, { scopes, alone }]) => ({
    name,
    scheme: schemeOf(document, name),
    scopes: [...scopes],
    alone,
  }));
}

/** A sentence for the admin about each required scheme. Contains no secret. */
export function describeCredentials(required: readonly RequiredScheme[]): Note[] {
  const together = required.filter(({ alone }) => !alone).map(({ name }) => `\`${name}\``);
  return [
    ...required.flatMap(({ scheme, scopes }) => sentenceOf(scheme, scopes) ?? []),
    ...(together.length > 0
      ? [{ message: `requires ${together.join(", ")} together with another credential, but calls send only one` }]
      : []),
  ];
}

type Note = Omit<Finding, "path">;

function toSet(what: string, how = ""): Note {
  return { message: `${what}: set it as the source's authentication${how}`, asksForAuth: true };
}

function sentenceOf(scheme: JsonObject, scopes: readonly string[]): Note | null {
  const listed = scopes.slice(0, MAX_SCOPES).join(", ").slice(0, 500);
  const token = listed === "" ? "" : ` with the scopes ${listed}`;
  const name = asText(scheme["name"]) ?? "";
  const flows = asObject(scheme["flows"]);
  const tokenUrl = asText(asObject(flows["clientCredentials"])["tokenUrl"]);
  switch (scheme["type"]) {
    case "apiKey":
      if (scheme["in"] === "header" || scheme["in"] === "query")
        return toSet(`requires an API key in the ${scheme["in"]} \`${name}\``);
      return { message: `requires a credential in the cookie \`${name}\`, which calls cannot send` };
    case "http":
      if (scheme["scheme"] === "basic") return toSet("requires a user name and password (HTTP basic)");
      return toSet(`requires a token (HTTP ${String(scheme["scheme"] ?? "bearer")})`);
    case "oauth2":
      if (tokenUrl !== null) return toSet(`requires OAuth 2 client credentials${token}, with tokens from ${tokenUrl}`);
      return toSet(`requires an OAuth 2 token${token}`, BEARER);
    case "openIdConnect":
      return toSet(`requires an OpenID Connect token${token}`, BEARER);
    case "mutualTLS":
      return { message: "requires a client certificate, which calls cannot send" };
    default:
      return null;
  }
}
