import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Dispatcher } from "undici";
import { AppError } from "@/lib/errors";

/** Receives each decoded chunk of a body as it arrives. An exception in it fails the request. */
export interface BodyListener {
  readonly onChunk: (bytes: Uint8Array) => void;
  /** Called when the body is complete. */
  readonly onEnd: () => void;
}

const DECODERS = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const;

/**
 * Reads and decodes an answer's body. Limits both the received and the decoded bytes to `maxBytes` while reading, so
 * that memory never holds a flood or a decompression bomb.
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
  const decoded = toDecoded(body, headers["content-encoding"], maxBytes);
  // A stream that ignores its abort must not delay the caller beyond the deadline.
  const stopped = new Promise<never>((_, reject) => {
    const stop = () => {
      decoded.stream.destroy();
      reject(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  stopped.catch(() => {});
  try {
    return await Promise.race([collect(decoded, maxBytes, listener), stopped]);
  } finally {
    body.destroy();
  }
}

interface Decoded {
  readonly stream: Readable;
  /** Whether an encoded body had no bytes. Some servers name the encoding also of an answer without a body. */
  readonly isEmpty: () => boolean;
}

/**
 * Decodes a body. Accepts one layer of compression at most.
 * @param maxBytes the most bytes to receive
 * @throws AppError `upstream_error`
 */
export function toDecoded(body: Readable, encoding: string | string[] | undefined, maxBytes: number): Decoded {
  body.on("error", () => {});
  const name = (Array.isArray(encoding) ? encoding.join(",") : (encoding ?? "")).trim().toLowerCase();
  if (name === "" || name === "identity") return { stream: body, isEmpty: () => false };
  // One layer only: with several layers a small answer can decode to an endless one.
  if (!Object.hasOwn(DECODERS, name)) {
    body.destroy();
    throw new AppError("upstream_error", `The upstream answered in an encoding that was not requested: ${name}.`);
  }
  const decoder = DECODERS[name as keyof typeof DECODERS]();
  let received = 0;
  body.on("data", (chunk: Uint8Array) => {
    received += chunk.byteLength;
    if (received > maxBytes) body.destroy(tooLarge(maxBytes));
  });
  // The reader below receives the failure. The callback only prevents an unhandled error.
  return { stream: pipeline(body, decoder, () => {}), isEmpty: () => received === 0 };
}

async function collect(
  { stream, isEmpty }: Decoded,
  maxBytes: number,
  listener: BodyListener | null,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
      listener?.onChunk(chunk);
    }
    listener?.onEnd();
  } catch (error) {
    if (!isZlibError(error)) throw error;
    if (!isEmpty())
      throw new AppError("upstream_error", "The upstream's answer does not match its content encoding.", {
        cause: error,
      });
    listener?.onEnd();
  }
  return Buffer.concat(chunks, size);
}

/** Node reports a broken Brotli body with codes such as `ERR__ERROR_FORMAT_PADDING_1`. */
function isZlibError(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code.startsWith("Z_") || code.startsWith("ERR__ERROR_") || code.startsWith("ERR_PADDING");
}

function tooLarge(maxBytes: number): AppError {
  return new AppError("result_too_large", `The upstream's answer is larger than ${Math.floor(maxBytes / 1024)} KiB.`);
}
