import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { isForbiddenHeader } from "@/lib/outbound/forbidden-headers";
import type { RunParameter, Style } from "@/lib/resources/parts/run";
import type { InputProperties, PropertySchema } from "@/lib/sources/openapi/input-properties";
import { isObject } from "@/lib/access/model/json";
import { asList, asObject, asText, member } from "@/lib/sources/openapi/json-view";
import { chooseType } from "@/lib/sources/openapi/media-type";
import { follow } from "@/lib/sources/openapi/reference";
import { SEPARATED } from "@/lib/sources/openapi/swagger-2";

type Place = "path" | "query" | "header";

/** The context for reading an operation's parameters or its request body. */
export interface InputContext {
  readonly document: JsonObject;
  readonly clean: (schema: Json) => PropertySchema;
  readonly note: (message: string) => void;
}

/** Headers that are ignored as parameters (OpenAPI 3): bodies and security schemes define them. */
const IGNORED_HEADERS = new Set([
  "accept",
  "content-type",
  "authorization",
  // The HTTP client sets these in every call.
  "accept-encoding",
  "content-length",
]);

/**
 * Adds an operation's parameters to its input. Its own override those of the path item with the same name and place. A
 * parameter that cannot be sent is left out with a note.
 *
 * @returns how a call sends each one; `null` when a required one cannot be sent, so that the tool could not work
 */
export function addParameters(
  levels: readonly JsonObject[],
  path: string,
  input: InputProperties,
  context: InputContext,
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

/** Sorts path parameters first, so that they keep their plain names. */
function inOrder(parameters: readonly JsonObject[]): JsonObject[] {
  return parameters.toSorted((a, b) => ORDER.indexOf(String(a["in"])) - ORDER.indexOf(String(b["in"])));
}

function addParameter(
  parameter: JsonObject,
  path: string,
  input: InputProperties,
  context: InputContext,
): RunParameter | "unsendable" | null {
  const name = asText(parameter["name"]) ?? "";
  const place = parameter["in"];
  const required = parameter["required"] === true || place === "path";
  if (place === "header" && IGNORED_HEADERS.has(name.toLowerCase())) return null;
  if (place === "path" && !path.includes(`{${name}}`)) {
    context.note(`the path parameter \`${name}\` does not occur in the path: left out`);
    return null;
  }
  const written = serialisationOf(parameter, name, context);
  if (typeof written === "string") {
    context.note(`the ${String(place)} parameter \`${name}\` ${written}`);
    return required ? "unsendable" : null;
  }
  const schema = describe(context.clean(written.schema), asText(parameter["description"]));
  const property = input.add(name, String(place), schema, required);
  return { property, name, in: place as Place, ...written.run };
}

interface Serialisation {
  readonly schema: Json;
  /** Without the defaults of the parameter's place. */
  readonly run: Pick<RunParameter, "style" | "explode" | "allowReserved">;
}

/** The styles of each place (OpenAPI 3.1, Style Values); the first is the default. */
const STYLES: Readonly<Record<Place, readonly Style[]>> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
};

/** The serialization of a parameter, or why it cannot be sent. */
function serialisationOf(parameter: JsonObject, name: string, context: InputContext): Serialisation | string {
  const { in: place, content } = parameter;
  const separated = asText(parameter[SEPARATED]);
  if (separated !== null) return `separates its items in a way that calls cannot send (\`${separated}\`)`;
  if (place === "cookie") return "travels in a cookie, which calls cannot set";
  if (place !== "path" && place !== "query" && place !== "header") return "has no place that OpenAPI knows";
  if (place === "header" && isForbiddenHeader(name)) return "is a header that calls cannot set";
  if (name.length > 200) return "has a name longer than 200 characters";
  if (isObject(content)) return serialisationOfContent(content);
  const schema = parameter["schema"] ?? { type: "string" };
  const [usual = "form"] = STYLES[place];
  const style = STYLES[place].find((one) => one === (parameter["style"] ?? usual));
  if (style === undefined) return `has the style \`${String(parameter["style"])}\`, which is unknown there`;
  const isUsual = (parameter["explode"] ?? explodes(style)) === explodes(style);
  return {
    schema,
    run: {
      ...(style === usual ? {} : { style }),
      ...(isUsual || isScalar(follow(context.document, schema)) ? {} : { explode: parameter["explode"] === true }),
      ...(place !== "header" && parameter["allowReserved"] === true ? { allowReserved: true } : {}),
    },
  };
}

/** The serialization of a parameter with `content`: JSON, or plain text. */
function serialisationOfContent(content: JsonObject): Serialisation | string {
  const chosen = chooseType(content);
  const schema = asObject(content[chosen?.key ?? ""])["schema"];
  if (chosen?.writtenAs === "application/json") return { schema: schema ?? {}, run: { style: "json" } };
  if (chosen?.writtenAs === "text/plain") return { schema: { type: "string" }, run: {} };
  return `is ${Object.keys(content).join(", ").slice(0, 200)}, which cannot be sent`;
}

/** The default of `explode` for a style. */
function explodes(style: Style): boolean {
  return style === "form" || style === "deepObject";
}

/** Whether a schema has neither items nor members, so that `explode` has no effect. */
function isScalar(schema: JsonObject | null): boolean {
  const types = schema === null ? [] : [schema["type"] ?? "any"].flat();
  return types.length > 0 && types.every((type) => SCALARS.has(type));
}

const SCALARS: ReadonlySet<Json> = new Set(["string", "number", "integer", "boolean", "null"]);

/** Adds path parameters that the document does not declare. Without them the tool could not be called. */
function addUndeclared(
  path: string,
  run: readonly RunParameter[],
  input: InputProperties,
  context: InputContext,
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
