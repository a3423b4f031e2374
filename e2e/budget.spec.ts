import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { NAVIGATION } from "@/components/shell/navigation";
import { expect, test } from "@/e2e/fixtures";

// What a page weighs (5-ui, Budgets), in bytes after gzip.

const FIRST_LOAD = 240 * 1024;
const LAZY_PART = 130 * 1024;
const chunks = join(process.cwd(), ".next/static/chunks");

const weight = (file: string) => gzipSync(readFileSync(join(chunks, file))).length;

test("no page loads more than its budget before it can be used", async ({ admin }) => {
  const heavy: Record<string, number> = {};
  for (const { href } of NAVIGATION.flatMap(({ entries }) => entries)) {
    const page = await (await admin.request.get(href)).text();
    // What is for browsers without modules only, no browser that the app works in loads.
    const scripts = [...page.matchAll(/<script[^>]+src="[^"]*\/chunks\/([^"?]+)[^>]*>/g)];
    const files = new Set(scripts.filter(([tag]) => !/nomodule/i.test(tag)).map(([, file]) => file ?? ""));
    const bytes = [...files].reduce((sum, file) => sum + weight(file), 0);
    expect(files.size, href).toBeGreaterThan(0);
    if (bytes > FIRST_LOAD) heavy[href] = bytes;
  }
  expect(heavy).toEqual({});
});

test("no part that is loaded later is larger than its budget", () => {
  const scripts = readdirSync(chunks, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js"));
  const large = scripts.map((file) => [file, weight(file)] as const).filter(([, bytes]) => bytes > LAZY_PART);
  expect(large).toEqual([]);
});
