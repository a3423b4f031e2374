import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import type { RequestHandler } from "@/lib/server/front/front";
import { pathOf } from "@/lib/http/agent-paths";

const PREFIX = "/_next/static/";
/** The kinds of files that the app's build makes for browsers. The app itself answers for others. */
const TYPES: Readonly<Record<string, { readonly type: string; readonly isText: boolean }>> = {
  ".js": { type: "application/javascript; charset=utf-8", isText: true },
  ".css": { type: "text/css; charset=utf-8", isText: true },
  ".svg": { type: "image/svg+xml", isText: true },
  ".woff2": { type: "font/woff2", isText: false },
};

const compress = promisify(gzip);

/**
 * Answers requests for the files of the app's build, whose names change with their content; passes other requests to
 * `fallback`. A page loads dozens of them, and the app would compress each of them again for each visitor.
 * Keeps what it has sent in memory, compressed: a few megabytes, because only files that exist at the start are answered.
 *
 * @param folder `.next/static`; a missing one has no files
 */
export function serveStaticFiles(folder: string, fallback: RequestHandler): RequestHandler {
  const names = namesIn(folder);
  const compressed = new Map<string, Promise<Buffer>>();
  const bytesOf = (name: string, isCompressed: boolean): Promise<Buffer> => {
    if (!isCompressed) return readFile(join(folder, name));
    const known = compressed.get(name);
    if (known !== undefined) return known;
    const made = readFile(join(folder, name)).then((bytes) => compress(bytes, { level: constants.Z_BEST_COMPRESSION }));
    compressed.set(name, made);
    made.catch(() => compressed.delete(name));
    return made;
  };
  return async (incoming, outgoing) => {
    const path = pathOf(incoming.url ?? "/");
    const name = path.startsWith(PREFIX) ? path.slice(PREFIX.length) : "";
    const kind = TYPES[extname(name)];
    const isRead = incoming.method === "GET" || incoming.method === "HEAD";
    if (!isRead || kind === undefined || !names.has(name)) return fallback(incoming, outgoing);
    const isCompressed = kind.isText && acceptsGzip(incoming.headers["accept-encoding"]);
    // Another start may have built anew.
    const bytes = await bytesOf(name, isCompressed).catch(() => null);
    if (bytes === null) return fallback(incoming, outgoing);
    outgoing.writeHead(200, {
      "content-type": kind.type,
      "content-length": bytes.length,
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      ...(kind.isText && { vary: "Accept-Encoding" }),
      ...(isCompressed && { "content-encoding": "gzip" }),
    });
    outgoing.end(incoming.method === "HEAD" ? undefined : bytes);
  };
}

function namesIn(folder: string): ReadonlySet<string> {
  try {
    const found = readdirSync(folder, { recursive: true, encoding: "utf8" });
    return new Set(found.map((name) => name.replaceAll(sep, "/")));
  } catch {
    return new Set();
  }
}

/** Whether a client accepts gzip (RFC 9110, 12.5.3). */
function acceptsGzip(header: string | string[] | undefined): boolean {
  const [, weight] = /(?:^|,)\s*gzip\s*(?:;\s*q=([\d.]+))?\s*(?:,|$)/i.exec(String(header ?? "")) ?? [null, "0"];
  return Number(weight ?? 1) > 0;
}
