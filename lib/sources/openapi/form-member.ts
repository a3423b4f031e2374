import type { Json, JsonObject } from "@/lib/access/model/configuration";
import type { RunBodyMember } from "@/lib/resources/parts/run";
import { asObject, asText } from "@/lib/sources/openapi/json-view";
import { bareType } from "@/lib/sources/openapi/media-type";
import { follow } from "@/lib/sources/openapi/reference";
import { SEPARATED } from "@/lib/sources/openapi/swagger-2";

/** A field of a form: the schema of its argument, and its serialization. */
interface FormMember {
  readonly schema: Json;
  readonly run: Pick<RunBodyMember, "style" | "explode" | "file" | "contentType">;
}

const FORM_STYLES = ["form", "spaceDelimited", "pipeDelimited", "deepObject"] as const;

/** Reads a field from its schema and its Encoding Object (OpenAPI 3.1). A file becomes a base64 argument. */
export function toFormMember(
  contentType: string,
  schema: Json,
  encoding: JsonObject,
  document: JsonObject,
): FormMember {
  const stated = concreteType(encoding["contentType"]);
  if (contentType === "multipart/form-data") {
    const file = fileSchema(schema, document);
    const run = { ...(file === null ? {} : { file: true }), ...(stated === null ? {} : { contentType: stated }) };
    return { schema: file ?? schema, run };
  }
  const style = FORM_STYLES.find((one) => one === encoding["style"]);
  const explode = typeof encoding["explode"] === "boolean" ? encoding["explode"] : undefined;
  // With a style, the content type is ignored (OpenAPI 3.1, Encoding Object).
  if (style === undefined && explode === undefined)
    return { schema, run: stated === "application/json" ? { style: "json" } : {} };
  return { schema, run: { style: style ?? "form", ...(explode === undefined ? {} : { explode }) } };
}

/** How a list of a form separates its items, if calls cannot send that; `null` otherwise. */
export function separatorOf(contentType: string, schema: Json, document: JsonObject): string | null {
  const separator = asText(asObject(schema)[SEPARATED]);
  if (contentType !== "multipart/form-data") return separator === "tsv" ? separator : null;
  return fileSchema(schema, document) === null ? separator : null;
}

/** The argument schema for a file or a list of files; `null` for any other field. */
function fileSchema(schema: Json, document: JsonObject): JsonObject | null {
  const resolved = follow(document, schema);
  if (resolved === null) return null;
  const description = asText(resolved["description"]);
  if (isFile(resolved))
    return {
      type: "string",
      contentEncoding: "base64",
      description: [description, "A file, as base64 text."].filter((part) => part !== null).join(" "),
    };
  if (resolved["type"] !== "array" || !isFile(asObject(follow(document, resolved["items"]) ?? {}))) return null;
  return { ...resolved, items: { type: "string", contentEncoding: "base64", description: "A file, as base64 text." } };
}

/** Whether a schema is a file: `format: binary` in OpenAPI 3.0, or a media type other than JSON in 3.1. */
function isFile(schema: JsonObject): boolean {
  if (schema["type"] !== undefined && schema["type"] !== "string") return false;
  const media = asText(schema["contentMediaType"]);
  return schema["format"] === "binary" || (media !== null && bareType(media) !== "application/json");
}

/** A single media type; `null` for lists and ranges, because the sender cannot inspect a file to choose one. */
function concreteType(value: Json | undefined): string | null {
  const text = asText(value);
  return text !== null &&
    /^[A-Za-z0-9][A-Za-z0-9.+_-]*\/[A-Za-z0-9][A-Za-z0-9.+_-]*(?:; ?charset=[A-Za-z0-9-]+)?$/.test(text)
    ? text
    : null;
}
