import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

// The size of a page (docs/reference/interface.md#budgets), in bytes after gzip.

/** The most that a page loads before it can be used. */
export const FIRST_LOAD = 240 * 1024;
/** The most that one part weighs which is loaded later. */
export const LAZY_PART = 130 * 1024;
/** The folder of the build's scripts. */
export const CHUNKS = join(process.cwd(), ".next/static/chunks");

/** Bytes of one script. */
export function weightOf(file: string): number {
  return gzipSync(readFileSync(join(CHUNKS, file))).length;
}

/** Bytes of the scripts that a page names. Leaves out scripts for browsers without modules, which the app does not support. */
export function firstLoadOf(html: string): number {
  const scripts = [...html.matchAll(/<script[^>]+src="[^"]*\/chunks\/([^"?]+)[^>]*>/g)];
  const files = new Set(scripts.filter(([tag]) => !/nomodule/i.test(tag)).map(([, file]) => file ?? ""));
  if (files.size === 0) throw new Error("The page names no script.");
  return [...files].reduce((sum, file) => sum + weightOf(file), 0);
}
