import { isObject } from "@/lib/access/model/json";
import { randomUUID } from "node:crypto";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import type { HttpRun, RunBodyMember } from "@/lib/resources/parts/run";
import {
  refused,
  scalarText,
  otherParameterNames,
  requireNoMethod,
  toPairs,
  type Given,
} from "@/lib/calls/runners/parameter-text";

/** A body and its media type. A header of the tool may state the type more precisely. */
interface BuiltBody {
  readonly content: string | Uint8Array;
  readonly contentType: string;
}

/**
 * The body from a call's arguments; `null` without a body, or when none of its arguments is given.
 *
 * @throws AppError `invalid_arguments` for values that this kind of body cannot carry
 */
export function toHttpBody(run: HttpRun, args: JsonObject): BuiltBody | null {
  if (run.body === null || run.method === "GET" || run.method === "HEAD") return null;
  const { contentType, whole, properties } = run.body;
  if (whole !== null) return Object.hasOwn(args, whole) ? wholeBody(contentType, whole, args[whole] ?? null) : null;
  const members = properties.flatMap((member) =>
    Object.hasOwn(args, member.property) ? [{ ...member, value: args[member.property] ?? null }] : [],
  );
  if (contentType === "application/x-www-form-urlencoded")
    return {
      contentType,
      content: toForm(members.map((one) => ({ ...one, taken: otherParameterNames(properties, one) }))),
    };
  if (contentType === "multipart/form-data") return toMultipart(members);
  return { contentType, content: JSON.stringify(Object.fromEntries(members.map(({ name, value }) => [name, value]))) };
}

interface GivenMember extends RunBodyMember {
  readonly value: Json;
  readonly taken?: Given["taken"];
}

function wholeBody(contentType: NonNullable<HttpRun["body"]>["contentType"], property: string, value: Json): BuiltBody {
  requireNoMethod(property, value);
  switch (contentType) {
    case "text/plain":
      return { contentType: "text/plain; charset=utf-8", content: scalarText(property, value) };
    case "application/octet-stream":
      return { contentType, content: fromBase64(property, value) };
    case "application/json":
      return { contentType, content: JSON.stringify(value) };
    default:
      return formOfWhole(contentType, property, value);
  }
}

/** A form that is one argument: an object, whose members become fields. */
function formOfWhole(contentType: string, property: string, value: Json): BuiltBody {
  if (!isObject(value)) throw refused(property, "a form is made of an object");
  const members = Object.entries(value as JsonObject).map(([name, item]) => ({ property, name, value: item }));
  if (contentType === "multipart/form-data") return toMultipart(members);
  return { contentType, content: toForm(members) };
}

/** Fields of a form (HTML, application/x-www-form-urlencoded): a list repeats its name, an object is JSON. */
function toForm(members: readonly GivenMember[]): string {
  return members
    .filter(({ value }) => value !== null)
    .flatMap((member) => toPairs({ ...member, style: member.style ?? (isNested(member.value) ? "json" : "form") }))
    .join("&");
}

function isNested(value: Json): boolean {
  return typeof value === "object" && (!Array.isArray(value) || value.some((item) => typeof item === "object"));
}

/** Parts of a form (RFC 7578): one part per item of a list, JSON for an object, decoded base64 for a file. */
function toMultipart(members: readonly GivenMember[]): BuiltBody {
  const boundary = `quartermaster-${randomUUID()}`;
  const parts = members
    .filter(({ value }) => value !== null)
    .flatMap((member) => {
      const items: readonly Json[] = Array.isArray(member.value) ? member.value : [member.value];
      return items.map((item) => toPart({ ...member, value: item }, boundary));
    });
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    content: Buffer.concat([...parts.flat(), Buffer.from(`--${boundary}--\r\n`)]),
  };
}

function toPart({ property, name, value, file, contentType }: GivenMember, boundary: string): Uint8Array[] {
  const isFile = file === true;
  const isJson = !isFile && (typeof value === "object" || contentType === "application/json");
  const type = contentType ?? (isFile ? "application/octet-stream" : isJson ? "application/json" : null);
  const field = quoted(name);
  const head = [
    `--${boundary}`,
    `content-disposition: form-data; name="${field}"${isFile ? `; filename="${field}"` : ""}`,
    ...(type === null ? [] : [`content-type: ${type}`]),
  ];
  const content = isFile
    ? fromBase64(property, value)
    : Buffer.from(isJson ? JSON.stringify(value) : scalarText(property, value));
  return [Buffer.from(`${head.join("\r\n")}\r\n\r\n`), content, Buffer.from("\r\n")];
}

/** A field's name in quotes, as browsers write it (HTML, multipart/form-data encoding algorithm). */
function quoted(name: string): string {
  return name.replaceAll(/["\r\n]/g, encodeURIComponent);
}

/** Base64 (RFC 4648, 4 or 5) as bytes; other text would be sent as unintended bytes. */
function fromBase64(property: string, value: Json): Uint8Array {
  const text = typeof value === "string" ? value.replaceAll(/[\r\n]/g, "") : null;
  if (text === null || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(text) || text.replace(/=+$/, "").length % 4 === 1)
    throw refused(property, "give the file as base64 text");
  return Buffer.from(text, "base64");
}
