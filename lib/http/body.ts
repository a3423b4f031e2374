import { setImmediate as turn } from "node:timers/promises";
import { AppError, type FieldProblem } from "@/lib/errors";
import { inexactInteger } from "@/lib/http/exact-numbers";

/** Largest body that any route reads, in bytes (6-promises, Limits on input). */
export const MAX_BODY_BYTES = 1024 * 1024;

/** `exact`: an integer that parsing would change is refused, because the body is passed on to somebody else. */
export type Numbers = "any" | "exact";

/**
 * The request's JSON body, whose text can be stored wherever it stands. No body at all is `undefined`.
 *
 * @throws AppError `payload_too_large`, `unsupported_media_type` or `invalid_request`
 */
export async function readJson(
  request: Request,
  maxBytes = MAX_BODY_BYTES,
  numbers: Numbers = "any",
): Promise<unknown> {
  const value = await readAnyJson(request, maxBytes, numbers);
  requireStorable(value);
  return value;
}

/** Refuses what Postgres cannot store, and nesting that would exhaust whoever walks through it. @throws AppError `invalid_request` */
export function requireStorable(value: unknown): void {
  const flaw = unstorable(value, "");
  if (flaw !== null)
    throw new AppError("invalid_request", "The body holds text that cannot be stored.", { errors: [flaw] });
}

/**
 * The same, bounded while it is read, so that a body without `content-length` cannot exceed the limit either; nothing has
 * looked at what it says, nor at how deep it is nested.
 *
 * @throws AppError `payload_too_large`, `unsupported_media_type` or `invalid_request`
 */
export async function readAnyJson(
  request: Request,
  maxBytes = MAX_BODY_BYTES,
  numbers: Numbers = "any",
): Promise<unknown> {
  if ((request.headers.get("content-encoding") ?? "identity") !== "identity")
    throw new AppError("unsupported_media_type", "Send the body as it is, without `content-encoding`.");
  const bytes = await readBytes(request, maxBytes);
  if (bytes.byteLength === 0) return undefined;
  const stated = request.headers.get("content-type")?.toLowerCase() ?? "";
  const type = stated.split(";")[0]?.trim() ?? "";
  if (type !== "application/json" && !type.endsWith("+json"))
    throw new AppError("unsupported_media_type", "Send the body as `content-type: application/json`.");
  if (!isUtf8(stated))
    throw new AppError("unsupported_media_type", "Send the body as UTF-8: no other charset is read.");
  // Of a body of many megabytes each step takes a while: in between, others have their turn.
  const between = bytes.byteLength > MAX_BODY_BYTES ? turn : async () => {};
  let value: unknown;
  let inexact: FieldProblem | null;
  try {
    await between();
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
    await between();
    value = JSON.parse(text);
    inexact = numbers === "exact" ? inexactInteger(text) : null;
  } catch (cause) {
    const message = cause instanceof SyntaxError ? cause.message : "the body is not UTF-8";
    throw new AppError("invalid_request", "The body is not valid JSON.", { cause, errors: [{ path: "", message }] });
  }
  if (inexact !== null)
    throw new AppError("invalid_request", "The body holds a number that would be changed on its way.", {
      errors: [inexact],
    });
  await between();
  return value;
}

function isUtf8(contentType: string): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/.exec(contentType)?.[1] ?? "utf-8";
  return charset === "utf-8" || charset === "utf8";
}

/** The request's body as bytes, refused with 413 as soon as it exceeds `maxBytes`. */
export async function readBytes(request: Request, maxBytes = MAX_BODY_BYTES): Promise<Uint8Array> {
  const tooLarge = () => new AppError("payload_too_large", `The body is larger than ${maxBytes} bytes.`);
  const length = request.headers.get("content-length");
  if (Number(length ?? 0) > maxBytes) throw tooLarge();
  // A server reads no more than the length that was said (RFC 9112, 6.2); a stream would cost more than most answers.
  if (length !== null) {
    const bytes = new Uint8Array(await request.arrayBuffer().catch(brokenOff));
    if (bytes.byteLength > maxBytes) throw tooLarge();
    return bytes;
  }
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of wholly(request.body)) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A body that breaks off (the caller went away) is the caller's doing, not a failure of ours. */
async function* wholly(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body as unknown as AsyncIterable<Uint8Array>;
  } catch (cause) {
    brokenOff(cause);
  }
}

function brokenOff(cause: unknown): never {
  throw new AppError("invalid_request", "The body broke off before its end.", { cause });
}

/** Postgres stores neither NUL nor lone surrogates: name the first place instead of failing in the database. */
function unstorable(value: unknown, path: string, depth = 0): { path: string; message: string } | null {
  if (depth > 64) return { path, message: "nested deeper than 64 levels" };
  if (typeof value === "string") return flawOfText(value, path);
  if (typeof value !== "object" || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    const here = Array.isArray(value) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    const flaw = flawOfText(key, here) ?? unstorable(item, here, depth + 1);
    if (flaw !== null) return flaw;
  }
  return null;
}

function flawOfText(text: string, path: string): { path: string; message: string } | null {
  if (text.includes("\0")) return { path, message: "contains a NUL character" };
  return /\p{Surrogate}/u.test(text) ? { path, message: "contains half of a surrogate pair" } : null;
}
