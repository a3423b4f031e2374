import type { Json, JsonObject } from "@/lib/access/model/configuration";
import type { HttpRun } from "@/lib/resources/parts/run";
import { toFormMember } from "@/lib/sources/openapi/form-member";
import type { InputProperties, PropertySchema } from "@/lib/sources/openapi/input-properties";
import { asList, asObject, asText, isObject } from "@/lib/sources/openapi/json-view";
import { chooseType, type ChosenType } from "@/lib/sources/openapi/media-type";
import { follow } from "@/lib/sources/openapi/reference";

/** What a request body is read with. */
export interface BodyContext {
  readonly document: JsonObject;
  readonly clean: (schema: Json) => PropertySchema;
  readonly note: (message: string) => void;
}

/** How the body travels: `contentType` is set where another one is stated than the body is written as. */
export interface BodyRun {
  readonly body: HttpRun["body"];
  readonly contentType: string | null;
}

const NO_BODY: BodyRun = { body: null, contentType: null };

/** Keywords of an object schema that survive when its members become arguments of the tool. */
const FLATTENING = new Set(["type", "properties", "required", "title", "description", "example", "examples", "xml"]);

/**
 * Adds an operation's body to its input: JSON, a form, text or a file. The members of a plain object become
 * arguments of their own; any other body is one argument `body`.
 *
 * @param method upper case
 * @returns how it travels, or `null` when a required body cannot be sent: the tool could not work
 */
export function addBody(
  method: string,
  operation: JsonObject,
  input: InputProperties,
  context: BodyContext,
): BodyRun | null {
  if (operation["requestBody"] === undefined) return NO_BODY;
  const body = follow(context.document, operation["requestBody"]);
  if (body === null) {
    context.note("the request body is behind a broken reference: left out");
    return NO_BODY;
  }
  const content = asObject(body["content"]);
  if (Object.keys(content).length === 0) return NO_BODY;
  // RFC 9110, 9.3.1: such a body means nothing, and servers refuse it.
  if (method === "GET" || method === "HEAD") {
    context.note(`the request body is left out: ${method} has none`);
    return NO_BODY;
  }
  const chosen = chooseType(content);
  const required = body["required"] === true;
  if (chosen === null) {
    context.note(`the request body is ${Object.keys(content).join(", ").slice(0, 200)}, which cannot be sent`);
    return required ? null : NO_BODY;
  }
  const media = asObject(content[chosen.key]);
  return { contentType: chosen.header, body: addContent(chosen, media, required, input, context) };
}

function addContent(
  chosen: ChosenType,
  media: JsonObject,
  required: boolean,
  input: InputProperties,
  context: BodyContext,
): HttpRun["body"] {
  const { writtenAs } = chosen;
  const schema = media["schema"] ?? {};
  if (writtenAs === "text/plain" || writtenAs === "application/octet-stream")
    return addText(chosen, schema, required, input, context);
  const resolved = follow(context.document, schema);
  const isForm = writtenAs !== "application/json";
  return resolved !== null && canFlatten(resolved, required || isForm)
    ? addMembers(writtenAs, resolved, asObject(media["encoding"]), input, context)
    : addWhole(writtenAs, schema, required, input, context);
}

/**
 * An object whose meaning is its members alone. An optional body with required members stays whole: left
 * out altogether, it needs none of them. A form with required fields is required, whatever it says: Swagger 2 has
 * no word for it.
 */
function canFlatten(schema: JsonObject, required: boolean): boolean {
  if (!isObject(schema["properties"]) || (schema["type"] ?? "object") !== "object") return false;
  if (!required && asList(schema["required"]).length > 0) return false;
  return Object.entries(schema).every(
    ([keyword, value]) =>
      FLATTENING.has(keyword) || keyword.startsWith("x-") || (keyword === "additionalProperties" && value === false),
  );
}

function addMembers(
  contentType: ChosenType["writtenAs"],
  schema: JsonObject,
  encoding: JsonObject,
  input: InputProperties,
  context: BodyContext,
): HttpRun["body"] {
  const required = new Set(asList(schema["required"]));
  const members = Object.entries(asObject(schema["properties"])).filter(([name, member]) => {
    // What only the server writes is no argument.
    return asObject(member)["readOnly"] !== true && name !== "";
  });
  return {
    contentType,
    whole: null,
    properties: members.map(([name, member]) => {
      const form =
        contentType === "application/json"
          ? { schema: member, run: {} }
          : toFormMember(contentType, member, asObject(encoding[name]), context.document);
      const property = input.add(name, "body", context.clean(form.schema), required.has(name));
      return { property, name, ...form.run };
    }),
  };
}

function addWhole(
  contentType: ChosenType["writtenAs"],
  schema: Json,
  required: boolean,
  input: InputProperties,
  context: BodyContext,
): HttpRun["body"] {
  const what = contentType === "application/json" ? "JSON body" : "form";
  const described = withDescription(context.clean(schema), `The request's ${what}.`);
  return { contentType, whole: input.add("body", "body", described, required), properties: [] };
}

/** Text as it is, a file as base64; a schema that describes what stands inside says nothing about the text. */
function addText(
  { writtenAs, key }: ChosenType,
  schema: Json,
  required: boolean,
  input: InputProperties,
  context: BodyContext,
): HttpRun["body"] {
  const resolved = asObject(follow(context.document, schema) ?? {});
  const isText = writtenAs === "text/plain";
  const clean: PropertySchema =
    isText && resolved["type"] === "string"
      ? context.clean(schema)
      : { type: "string", ...(isText ? {} : { contentEncoding: "base64" }) };
  const described = withDescription(
    clean,
    isText ? `The request's body as text (${key}).` : `The request's body (${key}) as base64 text.`,
  );
  return { contentType: writtenAs, whole: input.add("body", "body", described, required), properties: [] };
}

function withDescription(schema: PropertySchema, description: string): PropertySchema {
  if (!isObject(schema)) return schema;
  return asText(schema["description"]) === null ? { ...schema, description } : schema;
}
