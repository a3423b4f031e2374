import type { Json, JsonObject } from "@/lib/access/model/configuration";
import type { HttpRun } from "@/lib/resources/parts/run";
import { separatorOf, toFormMember } from "@/lib/sources/openapi/form-member";
import type { InputProperties, PropertySchema } from "@/lib/sources/openapi/input-properties";
import { isObject } from "@/lib/access/model/json";
import { asList, asObject, asText } from "@/lib/sources/openapi/json-view";
import { chooseType, type ChosenType } from "@/lib/sources/openapi/media-type";
import { follow } from "@/lib/sources/openapi/reference";
import type { InputContext } from "@/lib/sources/openapi/parameters";

/** How a call sends the body. `contentType`: the type to state if it differs from the one that the body is written as. */
interface BodyRun {
  readonly body: HttpRun["body"];
  readonly contentType: string | null;
}

const NO_BODY: BodyRun = { body: null, contentType: null };

/** Keywords of an object schema whose meaning survives when its members become arguments. */
const FLATTENING = new Set(["type", "properties", "required", "title", "description", "example", "examples", "xml"]);

/**
 * Adds an operation's body to its input: JSON, a form, text or a file. Each member of a plain object becomes an argument;
 * any other body is one argument `body`.
 *
 * @param method upper case
 * @returns how a call sends it; `null` when a required body cannot be sent, so that the tool could not work
 */
export function addBody(
  method: string,
  operation: JsonObject,
  input: InputProperties,
  context: InputContext,
): BodyRun | null {
  if (operation["requestBody"] === undefined) return NO_BODY;
  const body = follow(context.document, operation["requestBody"]);
  if (body === null) {
    context.note("the request body is behind a broken reference: left out");
    return NO_BODY;
  }
  const content = asObject(body["content"]);
  if (Object.keys(content).length === 0) return NO_BODY;
  // Such a body has no meaning, and servers may refuse it (RFC 9110, 9.3.1).
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
  const added = addContent(chosen, media, required, input, context);
  return added === "unsendable" ? null : { contentType: chosen.header, body: added };
}

/** How the content is sent; `"unsendable"` when it needs a field that cannot be sent. */
function addContent(
  chosen: ChosenType,
  media: JsonObject,
  required: boolean,
  input: InputProperties,
  context: InputContext,
): HttpRun["body"] | "unsendable" {
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
 * Whether the members of an object can become arguments. An optional body with required members stays whole, because a
 * call without the body needs none of them. A form always counts as required: Swagger 2 cannot state it.
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
  context: InputContext,
): HttpRun["body"] | "unsendable" {
  const required = new Set(asList(schema["required"]));
  const separated = new Set<string>();
  const members = Object.entries(asObject(schema["properties"])).filter(([name, member]) => {
    const separator = separatorOf(contentType, member, context.document);
    if (separator !== null) {
      separated.add(name);
      context.note(`the form field \`${name}\` separates its items in a way that calls cannot send (\`${separator}\`)`);
    }
    // Only the server writes `readOnly` members.
    return separator === null && asObject(member)["readOnly"] !== true && name !== "";
  });
  if ([...separated].some((name) => required.has(name))) return "unsendable";
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
  context: InputContext,
): HttpRun["body"] {
  const what = contentType === "application/json" ? "JSON body" : "form";
  const described = withDescription(context.clean(schema), `The request's ${what}.`);
  return { contentType, whole: input.add("body", "body", described, required), properties: [] };
}

/** Adds text as it is, or a file as base64. A schema of the parsed content does not describe the text. */
function addText(
  { writtenAs, key }: ChosenType,
  schema: Json,
  required: boolean,
  input: InputProperties,
  context: InputContext,
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
