import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Dispatcher } from "undici";
import { AppError } from "@/lib/errors";

/** Hears a body while it is read: decoded, and within all bounds of the request. Must not throw. */
export interface BodyListener {
  readonly piece: (bytes: Uint8Array) => void;
  /** The body is whole. */
  readonly end: () => void;
}

const DECODERS = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const;

/**
 * An answer's body, decoded and bounded while it is read: both what comes over the wire and what it
 * unpacks to stay under `maxBytes`, so that neither a flood nor a bomb is ever held.
 *
 * @throws AppError `result_too_large`, or `upstream_error` for a body that cannot be decoded
 */
export async function readBounded(
  response: Dispatcher.ResponseData,
  method: string,
  maxBytes: number,
  signal: AbortSignal,
  listener: BodyListener | null = null,
): Promise<Uint8Array> {
  const { body, statusCode, headers } = response;
  if (method === "HEAD" || statusCode === 204 || statusCode === 304) {
    await body.dump();
    return new Uint8Array();
  }
  const source = toDecoded(body, headers["content-encoding"], maxBytes);
  // A stream that ignores its abort must not hold the caller beyond the deadline.
  const stopped = new Promise<never>((_, reject) => {
    const stop = () => {
      source.destroy();
      reject(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  stopped.catch(() => {});
  try {
    return await Promise.race([collect(source, maxBytes, listener), stopped]);
  } finally {
    body.destroy();
  }
}

/**
 * A body as its sender wrote it. Nobody asks for more layers of compression than one.
 *
 * @param maxBytes the most that is taken over the wire
 * @throws AppError `upstream_error`
 */
export function toDecoded(body: Readable, encoding: string | string[] | undefined, maxBytes: number): Readable {
  body.on("error", () => {});
  const name = (Array.isArray(encoding) ? encoding.join(",") : (encoding ?? "")).trim().toLowerCase();
  if (name === "" || name === "identity") return body;
  // One layer only: layers of compression are how a small answer becomes an endless one.
  if (!Object.hasOwn(DECODERS, name)) {
    body.destroy();
    throw new AppError("upstream_error", `The upstream answered in an encoding that was not asked for: ${name}.`);
  }
  const decoder = DECODERS[name as keyof typeof DECODERS]();
  let wire = 0;
  body.on("data", (chunk: Uint8Array) => {
    wire += chunk.byteLength;
    if (wire > maxBytes) body.destroy(tooLarge(maxBytes));
  });
  // The reader below sees the failure; the callback only keeps it from being unhandled.
  return pipeline(body, decoder, () => {});
}

async function collect(source: Readable, maxBytes: number, listener: BodyListener | null): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of source as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
      listener?.piece(chunk);
    }
    listener?.end();
  } catch (error) {
    if (isZlibError(error))
      throw new AppError("upstream_error", "The upstream's answer is not compressed as it says.", { cause: error });
    throw error;
  }
  return Buffer.concat(chunks, size);
}

function isZlibError(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code.startsWith("Z_") || code.startsWith("ERR__ERROR_") || code.startsWith("ERR_PADDING");
}

function tooLarge(maxBytes: number): AppError {
  return new AppError("result_too_large", `The upstream's answer is larger than ${Math.floor(maxBytes / 1024)} KiB.`);
}
