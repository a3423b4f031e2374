import type { Json, JsonObject } from "@/lib/access/configuration";
import type { HttpRun } from "@/lib/resources/run";
import type { InputProperties, PropertySchema } from "@/lib/sources/openapi/input-properties";
import { asList, asObject, asText, isObject } from "@/lib/sources/openapi/json-view";
import { follow } from "@/lib/sources/openapi/reference";

/** What a request body is read with. */
export interface BodyContext {
  readonly document: JsonObject;
  readonly clean: (schema: Json) => PropertySchema;
  readonly note: (message: string) => void;
}

/** How the body travels: `contentType` is set where it is not plain JSON (`application/merge-patch+json`). */
export interface BodyRun {
  readonly body: HttpRun["body"];
  readonly contentType: string | null;
}

const NO_BODY: BodyRun = { body: null, contentType: null };

/** Keywords of an object schema that survive when its members become arguments of the tool. */
const FLATTENING = new Set(["type", "properties", "required", "title", "description", "example", "examples", "xml"]);

/**
 * Adds an operation's JSON body to its input. The members of a plain object become arguments of their own;
 * any other body is one argument `body`.
 *
 * @returns how it travels, or `null` when a required body is not JSON: the tool could not work
 */
export function addBody(operation: JsonObject, input: InputProperties, context: BodyContext): BodyRun | null {
  if (operation["requestBody"] === undefined) return NO_BODY;
  const body = follow(context.document, operation["requestBody"]);
  if (body === null) {
    context.note("the request body is behind a broken reference: left out");
    return NO_BODY;
  }
  const content = asObject(body["content"]);
  const required = body["required"] === true;
  const type = jsonType(content);
  if (type === null) {
    if (Object.keys(content).length === 0) return NO_BODY;
    context.note(`the request body is ${Object.keys(content).join(", ").slice(0, 200)}: only JSON can be sent yet`);
    return required ? null : NO_BODY;
  }
  const schema = asObject(content[type])["schema"] ?? {};
  const contentType = /^application\/[a-z0-9.+-]*\+json$/i.test(type) ? type : null;
  const resolved = follow(context.document, schema);
  const flat = resolved !== null && canFlatten(resolved, required) ? resolved : null;
  return {
    contentType,
    body: flat === null ? addWhole(schema, required, input, context) : addMembers(flat, input, context),
  };
}

/** The media type to send: plain JSON first, then `+json`, then anything at all. */
export function jsonType(content: JsonObject): string | null {
  const types = Object.keys(content);
  const bare = (type: string) => type.split(";")[0]?.trim().toLowerCase() ?? "";
  return (
    types.find((type) => bare(type) === "application/json") ??
    types.find((type) => bare(type).endsWith("+json")) ??
    types.find((type) => bare(type) === "*/*" || bare(type) === "application/*") ??
    null
  );
}

/**
 * An object whose meaning is its members alone. An optional body with required members stays whole: left
 * out altogether, it needs none of them.
 */
function canFlatten(schema: JsonObject, required: boolean): boolean {
  if (!isObject(schema["properties"]) || (schema["type"] ?? "object") !== "object") return false;
  if (!required && asList(schema["required"]).length > 0) return false;
  return Object.entries(schema).every(
    ([keyword, value]) =>
      FLATTENING.has(keyword) || keyword.startsWith("x-") || (keyword === "additionalProperties" && value === false),
  );
}

function addMembers(schema: JsonObject, input: InputProperties, context: BodyContext): HttpRun["body"] {
  const required = new Set(asList(schema["required"]));
  const members = Object.entries(asObject(schema["properties"])).filter(([name, member]) => {
    // What only the server writes is no argument.
    return asObject(member)["readOnly"] !== true && name !== "";
  });
  return {
    contentType: "application/json",
    whole: null,
    properties: members.map(([name, member]) => ({
      property: input.add(name, "body", context.clean(member), required.has(name)),
      name,
    })),
  };
}

function addWhole(schema: Json, required: boolean, input: InputProperties, context: BodyContext): HttpRun["body"] {
  const clean = context.clean(schema);
  const described = asText(asObject(isObject(clean) ? clean : {})["description"]) !== null;
  const property = input.add(
    "body",
    "body",
    isObject(clean) && !described ? { description: "The request's JSON body.", ...clean } : clean,
    required,
  );
  return { contentType: "application/json", whole: property, properties: [] };
}
