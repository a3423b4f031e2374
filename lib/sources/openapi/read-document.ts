import { upgrade } from "@scalar/openapi-upgrader";
import { LineCounter, parseDocument as parseYaml } from "yaml";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { duplicateKeys, WITHOUT_KEY_CHECK, parseJson, yamlProblem, type TextProblem } from "@/lib/config/text";
import { AppError } from "@/lib/errors";
import { storableJson } from "@/lib/access/model/storable";
import { isDeeper, isObject } from "@/lib/access/model/json";
import { MAX_DOCUMENT_DEPTH } from "@/lib/contracts/sources/import-job";
import { asText } from "@/lib/sources/openapi/json-view";
import { withOwnBodies } from "@/lib/sources/openapi/swagger-2";

/** Most uses of YAML aliases. Each repeats its anchor's content, so more could be a bomb. */
const MAX_ALIASES = 1000;

/**
 * Reads an OpenAPI 3.0, 3.1 or Swagger 2 document from JSON or YAML text, or a parsed one. Upgrades it to 3.1.
 *
 * @throws AppError `invalid_request` naming the document's problem
 */
export function readOpenApi(input: string | JsonObject): JsonObject {
  const parsed = typeof input === "string" ? parseText(input) : toPlain(input);
  if (!isObject(parsed)) throw refused(typeof input === "string" ? notAnObject(input) : "it is not an object");
  if (isDeeper(parsed, MAX_DOCUMENT_DEPTH)) throw refused(`it is nested deeper than ${MAX_DOCUMENT_DEPTH} levels`);
  const stated = versioned(parsed);
  try {
    return toPlain(upgrade(stated, "3.1") as Json) as JsonObject;
  } catch (cause) {
    throw refused("it could not be converted to OpenAPI 3.1", cause);
  }
}

/** The document with its version as text, because YAML may read it as a number. */
function versioned(document: JsonObject): JsonObject {
  const text = (name: string) => asText(document[name]) ?? String(document[name] ?? "");
  if (/^2(?:\.0|$)/.test(text("swagger"))) return { ...withOwnBodies(document), swagger: "2.0" };
  if (/^3\.[01](?:\.|$)/.test(text("openapi"))) return { ...document, openapi: text("openapi") };
  if (text("apiVersion").startsWith("quartermaster/"))
    throw refused("it is a configuration of Quartermaster: apply it on the page Configuration");
  const stated = ["openapi", "swagger", "swaggerVersion", "asyncapi"].find((name) => name in document);
  const is = stated === undefined ? "" : `: it states \`${stated}: ${text(stated).slice(0, 20)}\``;
  throw refused(
    `it is not OpenAPI 3.0, 3.1 or Swagger 2${is}. It needs a field \`openapi\` such as \`3.1.0\`, or \`swagger: 2.0\``,
  );
}

function notAnObject(text: string): string {
  const start = text.replace(/^\ufeff/, "").trimStart();
  if (start === "") return "it is empty";
  if (start.startsWith("<")) return "it is a web page or XML: give the OpenAPI document itself, as JSON or YAML";
  return "it is not an object: an OpenAPI document has a field `openapi` such as `3.1.0`, or `swagger: 2.0`";
}

function parseText(text: string): Json {
  const trimmed = text.replace(/^\ufeff/, "");
  const json = parseJson(trimmed);
  if (json !== null) {
    if ("value" in json) return json.value as Json;
    throw refusedAt(json);
  }
  try {
    return toPlain(readYaml(trimmed));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw refused(`it is neither JSON nor YAML that can be read: ${yamlProblem(cause)}`, cause);
  }
}

function readYaml(text: string): Json {
  const lineCounter = new LineCounter();
  const document = parseYaml(text, { merge: true, logLevel: "error", lineCounter, ...WITHOUT_KEY_CHECK });
  const [faulty] = document.errors;
  if (faulty !== undefined) throw faulty;
  const [repeated] = duplicateKeys(document);
  if (repeated !== undefined) {
    const { line, col: column } = lineCounter.linePos(repeated.pos[0]);
    throw refusedAt({ message: repeated.message, line, column });
  }
  return document.toJS({ maxAliasCount: MAX_ALIASES }) as Json;
}

/** Copies a document as plain JSON, because YAML has dates, cycles and shared parts. */
function toPlain(value: Json): Json {
  try {
    return JSON.parse(storableJson(value ?? null)) as Json;
  } catch (cause) {
    throw refused("it contains itself, or is nested too deeply", cause);
  }
}

function refusedAt({ message, line, column }: TextProblem): AppError {
  return refused(`${message}, at line ${line}, column ${column}`);
}

function refused(message: string, cause?: unknown): AppError {
  return new AppError("invalid_request", `The document cannot be imported: ${message}.`, {
    cause,
    errors: [{ path: "document", message }],
  });
}
