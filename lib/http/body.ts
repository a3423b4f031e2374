import { dotted, flawIn } from "@/lib/access/model/storable";
import { AppError, type FieldProblem } from "@/lib/errors";
import { inexactInteger } from "@/lib/http/exact-numbers";
import { excessOf, type JsonBounds } from "@/lib/http/json-bounds";
import { stage } from "@/lib/process/turn";

/** Deeper nesting could exhaust the stack of code that walks through a body. */
const MAX_DEPTH = 64;

/** The largest body that any route reads, in bytes (docs/reference/promises.md#limits-on-input). */
export const MAX_BODY_BYTES = 1024 * 1024;

/** The most values and keys of a body: parsing and checking more would take over 50 ms (docs/reference/promises.md#limits-on-input). */
const BODY_BOUNDS: JsonBounds = { values: 25_000, keys: 10_000 };

/** `exact`: refuses an integer that parsing would change, because the body is passed on to an upstream. */
export type Numbers = "any" | "exact";

/**
 * Reads the request's JSON body, and refuses text that Postgres cannot store. An absent body is `undefined`.
 * @throws AppError `payload_too_large`, `unsupported_media_type` or `invalid_request`
 */
export async function readJson(
  request: Request,
  numbers: Numbers = "any",
  bounds: JsonBounds = BODY_BOUNDS,
): Promise<unknown> {
  const value = await readAnyJson(request, numbers, bounds);
  await stage(() => requireStorable(value));
  return value;
}

/**
 * Refuses text that Postgres cannot store, and nesting that could exhaust the stack.
 * @throws AppError `invalid_request`
 */
export function requireStorable(value: unknown): void {
  const flaw = flawIn(value, MAX_DEPTH);
  if (flaw === null) return;
  const errors = [{ path: dotted(flaw.keys), message: flaw.message }];
  throw new AppError("invalid_request", "The body contains text that cannot be stored.", { errors });
}

/**
 * Reads a JSON body without checking its text or depth. Limits the size while reading, so that a body without
 * `content-length` cannot exceed the limit.
 * @throws AppError `payload_too_large`, `unsupported_media_type` or `invalid_request`
 */
export async function readAnyJson(
  request: Request,
  numbers: Numbers = "any",
  bounds: JsonBounds = BODY_BOUNDS,
): Promise<unknown> {
  const bytes = await readJsonBytes(request, MAX_BODY_BYTES);
  if (bytes.byteLength === 0) return undefined;
  let value: unknown;
  let inexact: FieldProblem | null;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
    await stage(() => requireBounds(text, bounds));
    value = await stage((): unknown => JSON.parse(text));
    inexact = numbers === "exact" ? await stage(() => inexactInteger(text)) : null;
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const message = cause instanceof SyntaxError ? cause.message : "the body is not UTF-8";
    throw new AppError("invalid_request", "The body is not valid JSON.", { cause, errors: [{ path: "", message }] });
  }
  if (inexact !== null)
    throw new AppError("invalid_request", "The body contains a number that JSON cannot carry exactly.", {
      errors: [inexact],
    });
  return value;
}

/**
 * Checks the bounds on the text, before parsing builds anything.
 * @throws AppError `invalid_request`
 */
function requireBounds(text: string, bounds: JsonBounds): void {
  const excess = excessOf(text, bounds);
  if (excess === null) return;
  const message = `holds more than ${excess.most} ${excess.what}: send fewer`;
  throw new AppError("invalid_request", "The body has too many values or keys.", {
    errors: [{ path: "", message }],
  });
}

/**
 * The unchecked bytes of a body with a JSON content type; an absent body is empty.
 * @throws AppError `payload_too_large`, `unsupported_media_type`
 */
export async function readJsonBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  if ((request.headers.get("content-encoding") ?? "identity") !== "identity")
    throw new AppError("unsupported_media_type", "Send the body uncompressed, without `content-encoding`.");
  const bytes = await readBytes(request, maxBytes);
  if (bytes.byteLength === 0) return bytes;
  const stated = request.headers.get("content-type")?.toLowerCase() ?? "";
  const type = stated.split(";")[0]?.trim() ?? "";
  if (type !== "application/json" && !type.endsWith("+json"))
    throw new AppError("unsupported_media_type", "Send the body as `content-type: application/json`.");
  requireUtf8(stated);
  return bytes;
}

/** Refuses a content type, in lower case, with a charset other than UTF-8. @throws AppError `unsupported_media_type` */
export function requireUtf8(contentType: string): void {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/.exec(contentType)?.[1] ?? "utf-8";
  if (charset !== "utf-8" && charset !== "utf8")
    throw new AppError("unsupported_media_type", "Send the body as UTF-8: other charsets are not supported.");
}

/** Reads the request's body as bytes. Refuses it with 413 as soon as it exceeds `maxBytes`. */
export async function readBytes(request: Request, maxBytes = MAX_BODY_BYTES): Promise<Uint8Array> {
  const tooLarge = () => new AppError("payload_too_large", `The body is larger than ${maxBytes} bytes.`);
  const length = request.headers.get("content-length");
  if (Number(length ?? 0) > maxBytes) throw tooLarge();
  // A server reads no more than the stated length (RFC 9112, 6.2), so one read suffices: a stream costs more than most
  // answers.
  if (length !== null && Number(length) <= MAX_BODY_BYTES) {
    const bytes = new Uint8Array(await request.arrayBuffer().catch(failEndedEarly));
    if (bytes.byteLength > maxBytes) throw tooLarge();
    return bytes;
  }
  if (request.body === null) return new Uint8Array();
  if (length !== null) return readLargeBytes(request.body, Number(length));
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(request.body)) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Copies each chunk where it belongs as it arrives: joining a document of 33 MB at its end would block for 40 ms. */
async function readLargeBytes(body: ReadableStream<Uint8Array>, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let size = 0;
  for await (const chunk of chunksOf(body)) {
    if (size + chunk.byteLength <= length) bytes.set(chunk, size);
    size += chunk.byteLength;
  }
  return size === length ? bytes : failEndedEarly(new Error(`The body has ${size} of ${length} bytes.`));
}

/** A body that breaks off because the caller disconnected is the caller's error, not the server's. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body as unknown as AsyncIterable<Uint8Array>;
  } catch (cause) {
    failEndedEarly(cause);
  }
}

function failEndedEarly(cause: unknown): never {
  throw new AppError("invalid_request", "The body ended early.", { cause });
}
