import type { Json, JsonObject } from "@/lib/access/configuration";
import { isForbiddenHeader } from "@/lib/outbound/forbidden-headers";
import type { HttpRun } from "@/lib/resources/run";
import type { InputProperties, PropertySchema } from "@/lib/sources/openapi/input-properties";
import { asList, asText, isObject, member } from "@/lib/sources/openapi/json-view";
import { follow } from "@/lib/sources/openapi/reference";

type Place = "path" | "query" | "header";
type RunParameter = HttpRun["parameters"][number];

/** What the parameters of an operation are read with. */
export interface ParameterContext {
  readonly document: JsonObject;
  readonly clean: (schema: Json) => PropertySchema;
  readonly note: (message: string) => void;
}

/** Headers that OpenAPI 3 tells readers to ignore as parameters: bodies and security speak about them. */
const IGNORED_HEADERS = new Set(["accept", "content-type", "authorization"]);

/**
 * Adds an operation's parameters to its input: those of the path item, overridden by its own (same name
 * and place). A parameter that cannot be sent yet is left out with a note.
 *
 * @returns how each travels, or `null` when a required one cannot be sent: the tool could not work
 */
export function addParameters(
  levels: readonly JsonObject[],
  path: string,
  input: InputProperties,
  context: ParameterContext,
): RunParameter[] | null {
  const merged = new Map<string, JsonObject>();
  for (const entry of levels.flatMap((level) => asList(level["parameters"]))) {
    const parameter = follow(context.document, entry);
    const name = asText(parameter?.["name"]);
    if (parameter === null || name === null) context.note("a parameter without a name, or behind a broken reference");
    else merged.set(`${String(parameter["in"])} ${name}`, parameter);
  }
  const run: RunParameter[] = [];
  for (const parameter of inOrder([...merged.values()])) {
    const added = addParameter(parameter, path, input, context);
    if (added === "unsendable") return null;
    if (added !== null) run.push(added);
  }
  return [...run, ...addUndeclared(path, run, input, context)];
}

const ORDER = ["path", "query", "header"];

/** Path parameters first: they keep their plain names. */
function inOrder(parameters: readonly JsonObject[]): JsonObject[] {
  return parameters.toSorted((a, b) => ORDER.indexOf(String(a["in"])) - ORDER.indexOf(String(b["in"])));
}

function addParameter(
  parameter: JsonObject,
  path: string,
  input: InputProperties,
  context: ParameterContext,
): RunParameter | "unsendable" | null {
  const name = asText(parameter["name"]) ?? "";
  const place = parameter["in"];
  const required = parameter["required"] === true || place === "path";
  if (place === "header" && IGNORED_HEADERS.has(name.toLowerCase())) return null;
  if (place === "path" && !path.includes(`{${name}}`)) {
    context.note(`the path parameter \`${name}\` does not occur in the path: left out`);
    return null;
  }
  const problem = problemOf(parameter, name, context);
  if (problem !== null) {
    context.note(`the ${String(place)} parameter \`${name}\` ${problem}`);
    return required ? "unsendable" : null;
  }
  const schema = describe(context.clean(parameter["schema"] ?? { type: "string" }), asText(parameter["description"]));
  const property = input.add(name, String(place), schema, required);
  return { property, name, in: place as Place };
}

/** Why a parameter cannot be sent yet, or null. */
function problemOf(parameter: JsonObject, name: string, context: ParameterContext): string | null {
  const { in: place, style, explode, content } = parameter;
  if (place === "cookie") return "travels in a cookie, which calls cannot set";
  if (place !== "path" && place !== "query" && place !== "header") return "has no place that OpenAPI knows";
  if (place === "header" && isForbiddenHeader(name)) return "is a header that calls cannot set";
  if (name.length > 200) return "has a name longer than 200 characters";
  if (content !== undefined) return "is described by `content`, which is not supported yet";
  const usual = place === "query" ? "form" : "simple";
  if (style !== undefined && style !== usual) return `has the style \`${String(style)}\`, which is not supported yet`;
  const schema = follow(context.document, parameter["schema"]);
  const isScalar = schema === null || !["array", "object"].some((type) => hasType(schema, type));
  if (place === "query" && explode === false && !isScalar) return "is not exploded, which is not supported yet";
  return place !== "query" && schema !== null && hasType(schema, "object")
    ? "is an object in a place that is not supported yet"
    : null;
}

function hasType(schema: JsonObject, type: string): boolean {
  return (
    schema["type"] === type || asList(schema["type"]).includes(type) || (type === "object" && "properties" in schema)
  );
}

/** A gap in the path that no parameter declares would make the tool uncallable. */
function addUndeclared(
  path: string,
  run: readonly RunParameter[],
  input: InputProperties,
  context: ParameterContext,
): RunParameter[] {
  const declared = new Set(run.flatMap((parameter) => (parameter.in === "path" ? [parameter.name] : [])));
  const gaps = [...path.matchAll(/\{([^{}]+)\}/g)].flatMap(([, name]) => (name === undefined ? [] : [name]));
  return [...new Set(gaps)]
    .filter((name) => !declared.has(name))
    .map((name) => {
      context.note(`the path parameter \`${name}\` is not declared: taken as text`);
      return { property: input.add(name, "path", { type: "string" }, true), name, in: "path" as const };
    });
}

function describe(schema: PropertySchema, description: string | null): PropertySchema {
  if (description === null) return schema;
  const full = isObject(schema) ? schema : {};
  return member(full, "description") === undefined ? { description, ...full } : schema;
}
