import { mkdir, readFile, writeFile } from "node:fs/promises";
import { env } from "@/lib/env";
import { OUTBOUND_LIMITS, type Outbound } from "@/lib/outbound/fetch";
import { getObject, putObject } from "@/lib/outbound/stored-object";

/** Storage for archived months of the log: files in one folder, or objects below one address. */
export interface ArchiveStorage {
  /** The folder or the address. */
  readonly name: string;
  /** Writes a file; `path` is relative, with `/`. */
  readonly put: (path: string, bytes: Uint8Array) => Promise<void>;
  /** Reads a file; `null` when it does not exist. */
  readonly get: (path: string) => Promise<Uint8Array | null>;
}

/** The storage that ARCHIVE_DIR or ARCHIVE_URL names; `null` without either. */
export function archiveStorage(): ArchiveStorage | null {
  const { ARCHIVE_DIR: folder, ARCHIVE_URL: url, ARCHIVE_AUTHORIZATION: authorization } = env;
  if (folder !== undefined) return archiveFolder(folder);
  return url === undefined ? null : archiveAddress(url, authorization);
}

/** A folder as archive storage. Never overwrites an existing file. */
export function archiveFolder(folder: string): ArchiveStorage {
  return {
    name: folder,
    put: async (path, bytes) => {
      const file = `${folder}/${path}`;
      await mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true, mode: 0o700 });
      await writeFile(file, bytes, { mode: 0o600, flag: "wx", flush: true });
    },
    get: async (path) =>
      readFile(`${folder}/${path}`).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return null;
        throw error;
      }),
  };
}

/** Objects below an address, such as a bucket: PUT writes one, GET reads it. */
export function archiveAddress(url: string, authorization: string | undefined, send?: Outbound): ArchiveStorage {
  const address = (path: string) => `${url.replace(/\/+$/, "")}/${path}`;
  const store = { setting: "ARCHIVE_URL", authorization, send };
  return {
    name: url,
    put: (path, body) => putObject(store, address(path), "application/octet-stream", body),
    get: (path) => getObject(store, address(path), OUTBOUND_LIMITS.documentBytes),
  };
}
