import type { JsonObject } from "@/lib/access/model/configuration";
import type { AuthSuggestion } from "@/lib/contracts/sources/auth-suggestion";
import { AppError } from "@/lib/errors";
import type { ToolInput } from "@/lib/resources/tool";
import { hiddenSentences } from "@/lib/sources/drift/assess-change";
import { SecretMask } from "@/lib/sources/import/mask-secrets";
import { Findings, type Finding } from "@/lib/sources/openapi/finding";
import { isObject } from "@/lib/access/model/json";
import { asObject, asText } from "@/lib/sources/openapi/json-view";
import { toTool } from "@/lib/sources/openapi/operation";
import { endpointKey, nameOperations, type Endpoint } from "@/lib/sources/openapi/operation-names";
import { follow } from "@/lib/sources/openapi/reference";
import { SchemaBundler } from "@/lib/sources/openapi/schema-bundle";
import { describeCredentials, requiredSchemes, requiredScopes } from "@/lib/sources/openapi/security";
import {
  serverToKeep,
  otherServers,
  serversWithQuery,
  serverUrl,
  type ServerOptions,
} from "@/lib/sources/openapi/servers";
import { suggestAuth } from "@/lib/sources/openapi/suggest-auth";
import { maskSecretShapes } from "@/lib/telemetry/secret-shapes";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch"] as const;

/** Most operations of a document. The largest known ones have about 12,000. */
const MAX_OPERATIONS = 20_000;

/** The texts of an operation that its tool shows. */
const MASKED = ["operationId", "summary", "description", "tags"] as const;

/** The options of an import. */
export interface ImportOptions extends ServerOptions {
  /** The source's name. */
  readonly source: string;
  /** The operation names of stored tools by `METHOD /path`. An import does not rename these tools. */
  readonly known: ReadonlyMap<string, string>;
  /** The server that the source's tools call now; `null` or absent without tools. */
  readonly inUse?: string | null;
}

/** The tools in the order of the document, and the findings. */
export interface Imported {
  readonly title: string | null;
  readonly tools: readonly ToolInput[];
  readonly findings: readonly Finding[];
  /** The ways to authenticate that the document states. */
  readonly suggestedAuth: readonly AuthSuggestion[];
  /** The default server of the operations; `null` without one, or for a source that is no document. */
  readonly server: string | null;
}

interface FoundOperation extends Endpoint {
  readonly pathItem: JsonObject;
  readonly operation: JsonObject;
}

/** An import that reads an operation when its consumer takes the next item. */
interface OpenApiImport {
  /** The number of the document's operations. */
  readonly operations: number;
  /** Yields one item for each operation, `null` for one that cannot be imported. Returns the rest of the result. */
  readonly tools: Generator<ToolInput | null, Omit<Imported, "tools">, undefined>;
}

/**
 * Turns every operation of an OpenAPI 3.1 document (see `readOpenApi`) into a tool. Pure: the same document and options
 * give the same tools. An operation that cannot be imported is a finding, never an error.
 *
 * @throws AppError `invalid_request` for a document with too many operations
 */
export function importOpenApi(document: JsonObject, options: ImportOptions): Imported {
  const importing = importOneByOne(document, options).tools;
  const tools: ToolInput[] = [];
  for (let next = importing.next(); ; next = importing.next()) {
    if (next.done === true) return { ...next.value, tools };
    if (next.value !== null) tools.push(next.value);
  }
}

/** Like `importOpenApi`, one operation at a time. */
export function importOneByOne(document: JsonObject, options: ImportOptions): OpenApiImport {
  const findings = new Findings();
  const operations = findOperations(document, findings);
  requireWithinLimit(operations.length);
  return { operations: operations.length, tools: toTools(document, options, operations, findings) };
}

function* toTools(
  document: JsonObject,
  options: ImportOptions,
  operations: readonly FoundOperation[],
  findings: Findings,
): OpenApiImport["tools"] {
  const { source, url } = options;
  const names = nameOperations(source, operations, options.known);
  const server = options.server ?? serverToKeep(document, url, options.inUse ?? null);
  const others = otherServers(document, { url, server });
  if (others.length > 0) findings.add("", `the document lists servers that calls do not use: ${others.join(", ")}`);
  const levels = operations.flatMap(({ pathItem, operation }) => [pathItem, operation]);
  const queried = serversWithQuery([document, ...levels], url);
  if (queried.length > 0) findings.add("", `calls leave out the query of these servers: ${queried.join(", ")}`);
  const bundler = new SchemaBundler(document);
  const info = asObject(document["info"]);
  const title = asText(info["title"]);
  const version = versionOf(info);
  const secrets = new SecretMask();
  const addresses = new Set<string>();
  for (const { method, path, pathItem, operation: original } of operations) {
    const key = endpointKey({ method, path });
    const note = (message: string) => findings.add(key, message);
    const address = serverUrl([original, pathItem], document, { url, server });
    const name = names.get(key);
    if (address === null || name === undefined) {
      note("left out: the document states no absolute http(s) server address for it");
      yield null;
      continue;
    }
    const { whole: operation, masked } = secrets.members(original, MASKED);
    const read = toTool({ document, bundler, source, name, method, path, pathItem, operation, server: address, note });
    if (read === null) {
      yield null;
      continue;
    }
    const complete = { ...read, version, upstreamScopes: requiredScopes(document, operation) };
    const { tool, notes } = secrets.tool(complete, masked);
    [...hiddenSentences(tool), ...notes].forEach(note);
    addresses.add(address);
    yield tool;
  }
  const schemes = requiredSchemes([document, ...operations.map(({ operation }) => operation)], document);
  for (const { message, ...asks } of describeCredentials(schemes)) findings.add("", message, asks);
  return {
    title: title === null ? null : maskSecretShapes(title),
    findings: findings.all,
    suggestedAuth: suggestAuth(schemes, addresses, url),
    server: serverUrl([], document, { url, server }),
  };
}

/** @throws AppError `invalid_request` for more than `MAX_OPERATIONS` */
function requireWithinLimit(operations: number): void {
  if (operations <= MAX_OPERATIONS) return;
  const message = `it has ${operations} operations, and the limit is ${MAX_OPERATIONS}: split it by tags or paths`;
  throw new AppError("invalid_request", `The document cannot be imported: ${message}.`, {
    errors: [{ path: "document", message }],
  });
}

function findOperations(document: JsonObject, findings: Findings): FoundOperation[] {
  if (hasNoPaths(document)) findings.add("", "the document has no paths");
  return Object.entries(asObject(document["paths"])).flatMap(([path, value]) => {
    if (path.startsWith("x-")) return [];
    const pathItem = follow(document, value);
    if (pathItem === null || !path.startsWith("/")) {
      findings.add(path, "left out: the path does not begin with `/`, or its reference is broken");
      return [];
    }
    if ("trace" in pathItem) findings.add(`TRACE ${path}`, "left out: the method TRACE is not called");
    return METHODS.flatMap((method) => {
      const operation = pathItem[method];
      if (!isObject(operation)) return [];
      return [{ method: method.toUpperCase(), path, operationId: maskedOperationId(operation), pathItem, operation }];
    });
  });
}

/** Masks secrets, because the operation id names the tool in every log row of its calls. */
function maskedOperationId({ operationId }: JsonObject): string | null {
  const id = asText(operationId);
  return id === null ? null : maskSecretShapes(id);
}

/** The document's version, which each of its tools gets. YAML may read it as a number. */
function versionOf({ version }: JsonObject): string | null {
  const text = typeof version === "number" ? String(version) : asText(version);
  return text === null ? null : maskSecretShapes(text).slice(0, 50);
}

function hasNoPaths(document: JsonObject): boolean {
  return Object.keys(asObject(document["paths"])).length === 0;
}
