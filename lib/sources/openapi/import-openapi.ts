import type { JsonObject } from "@/lib/access/model/configuration";
import type { AuthSuggestion } from "@/lib/contracts/sources/auth-suggestion";
import { AppError } from "@/lib/errors";
import type { ToolInput } from "@/lib/resources/tool";
import { hiddenSentences } from "@/lib/sources/drift/assess-change";
import { Findings, type Finding } from "@/lib/sources/openapi/finding";
import { asObject, asText, isObject } from "@/lib/sources/openapi/json-view";
import { toTool } from "@/lib/sources/openapi/operation";
import { endpointKey, nameOperations, type Endpoint } from "@/lib/sources/openapi/operation-names";
import { follow } from "@/lib/sources/openapi/reference";
import { SchemaBundler } from "@/lib/sources/openapi/schema-bundle";
import { credentialsAsked, schemesAsked, scopesAsked } from "@/lib/sources/openapi/security";
import { keptServer, otherServers, serverUrl, type ServerOptions } from "@/lib/sources/openapi/servers";
import { suggestAuth } from "@/lib/sources/openapi/suggest-auth";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch"] as const;

/** Operations of one document: the largest known ones have about 12,000. */
const MOST_OPERATIONS = 20_000;

/** What an import is for. */
export interface ImportOptions extends ServerOptions {
  /** The source's name. */
  readonly source: string;
  /** Operation names of the source's stored tools by `METHOD /path`: they stay. */
  readonly known: ReadonlyMap<string, string>;
  /** The server that the source's tools call now; `null` or absent = there are none. */
  readonly inUse?: string | null;
}

/** Tools in the order of the document, and what was noticed. */
export interface Imported {
  readonly title: string | null;
  readonly tools: readonly ToolInput[];
  readonly findings: readonly Finding[];
  /** How the source may authenticate; none for what says nothing about it. */
  readonly suggestedAuth: readonly AuthSuggestion[];
  /** Where calls go of operations that state no server of their own; `null` = nowhere, or the source is no document. */
  readonly server: string | null;
}

interface Found extends Endpoint {
  readonly pathItem: JsonObject;
  readonly operation: JsonObject;
}

/**
 * Every operation of an OpenAPI 3.1 document (see `readOpenApi`) as a tool. Pure: the same document and
 * options give the same tools. What cannot be imported is a finding, never an error.
 *
 * @throws AppError `invalid_request` for a document with too many operations
 */
export function importOpenApi(document: JsonObject, options: ImportOptions): Imported {
  const { source, url } = options;
  const findings = new Findings();
  const operations = findOperations(document, findings);
  requireFew(operations.length);
  const names = nameOperations(source, operations, options.known);
  const server = options.server ?? keptServer(document, url, options.inUse ?? null);
  const others = otherServers(document, { url, server });
  if (others.length > 0) findings.add("", `has other servers, which calls do not go to: ${others.join(", ")}`);
  const bundler = new SchemaBundler(document);
  const info = asObject(document["info"]);
  const version = versionOf(info);
  const tools = operations.flatMap(({ method, path, pathItem, operation }) => {
    const key = endpointKey({ method, path });
    const note = (message: string) => findings.add(key, message);
    const address = serverUrl([operation, pathItem], document, { url, server });
    const name = names.get(key);
    if (address === null || name === undefined) {
      note("left out: the document states no absolute http(s) server address for it");
      return [];
    }
    const tool = toTool({ document, bundler, source, name, method, path, pathItem, operation, server: address, note });
    if (tool !== null) hiddenSentences(tool).forEach(note);
    return tool === null ? [] : { ...tool, version, upstreamScopes: scopesAsked(document, operation) };
  });
  const asked = schemesAsked([document, ...operations.map(({ operation }) => operation)], document);
  for (const sentence of credentialsAsked(asked)) findings.add("", sentence);
  const title = asText(info["title"]);
  return {
    title,
    tools,
    findings: findings.all,
    suggestedAuth: suggestAuth(asked, tools, url),
    server: serverUrl([], document, { url, server }),
  };
}

/** @throws AppError `invalid_request`: more operations than one document may have */
function requireFew(operations: number): void {
  if (operations <= MOST_OPERATIONS) return;
  const message = `it has ${operations} operations, of at most ${MOST_OPERATIONS}: split it by tags or paths`;
  throw new AppError("invalid_request", `The document cannot be imported: ${message}.`, {
    errors: [{ path: "document", message }],
  });
}

function findOperations(document: JsonObject, findings: Findings): Found[] {
  if (operationless(document)) findings.add("", "the document has no paths");
  return Object.entries(asObject(document["paths"])).flatMap(([path, value]) => {
    if (path.startsWith("x-")) return [];
    const pathItem = follow(document, value);
    if (pathItem === null || !path.startsWith("/")) {
      findings.add(path, "left out: not a path that begins with `/`, or behind a broken reference");
      return [];
    }
    if ("trace" in pathItem) findings.add(`TRACE ${path}`, "left out: the method TRACE is not called");
    return METHODS.flatMap((method) => {
      const operation = pathItem[method];
      if (!isObject(operation)) return [];
      return [
        { method: method.toUpperCase(), path, operationId: asText(operation["operationId"]), pathItem, operation },
      ];
    });
  });
}

/** The document's own version, which every tool of it carries; YAML may read it as a number. */
function versionOf({ version }: JsonObject): string | null {
  return (typeof version === "number" ? String(version) : asText(version))?.slice(0, 50) ?? null;
}

function operationless(document: JsonObject): boolean {
  return Object.keys(asObject(document["paths"])).length === 0;
}
