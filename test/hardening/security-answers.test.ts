import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const PAGES = [
  "SECURITY.md",
  "docs/threats/README.md",
  "docs/threats/owasp-top-10.md",
  "docs/threats/aisvs.md",
  "docs/threats/oauth.md",
  "docs/threats/linked-accounts.md",
];
const read = (page: string) => readFileSync(join(root, page), "utf8");

/** Files of ours that a page names in backquotes. */
function named(text: string): string[] {
  const found = text.matchAll(/`((?:lib|test|e2e|bin|docs|app|components)\/[\w./-]+\.\w+)`/g);
  return [...found].map(([, file]) => file ?? "");
}

test.each(PAGES)("every file that %s names is there", (page) => {
  expect(named(read(page)).filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test.each(PAGES)("every page that %s links to exists", (page) => {
  const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) =>
    join(root, page, "..", link ?? ""),
  );
  expect(links.filter((link) => !existsSync(link))).toEqual([]);
});

/** One line of a list: `| id title | answer | by what |`. */
interface Line {
  readonly id: string;
  readonly answer: string;
  readonly by: string;
}

const lines = ["docs/threats/owasp-top-10.md", "docs/threats/aisvs.md"].flatMap((page) =>
  [...read(page).matchAll(/^\| ((?:[A-Z]{3}\d\d|\d+\.\d+\.\d+)(?::2025)?) [^|]+\| ([^|]+) \| (.+) \|$/gm)].map(
    ([, id = "", answer = "", by = ""]): Line => ({ id, answer, by }),
  ),
);

/** How many lines each part of a list has. */
const AISVS = { "9.1": 5, "9.2": 6, "9.3": 6, "9.4": 4, "9.5": 5, "9.6": 6, "9.7": 5, "9.8": 6 };
const AISVS_MCP = { "10.1": 2, "10.2": 7, "10.3": 5, "10.4": 7 };
const numbered = (parts: Readonly<Record<string, number>>) =>
  Object.entries(parts).flatMap(([part, count]) => Array.from({ length: count }, (_, at) => `${part}.${at + 1}`));
const ten = (prefix: string, suffix = "") =>
  Array.from({ length: 10 }, (_, at) => `${prefix}${String(at + 1).padStart(2, "0")}${suffix}`);

describe("the lists of others", () => {
  test("are answered in every line, in their order", () => {
    const expected = [ten("MCP"), ten("ASI"), ten("LLM", ":2025"), numbered(AISVS), numbered(AISVS_MCP)].flat();
    expect(lines.map(({ id }) => id)).toEqual(expected);
  });

  test.each(lines.map((line) => [line.id, line] as const))("%s is met by a test, or says why not", (_id, line) => {
    expect(["met", "partly", "n/a", "open"]).toContain(line.answer);
    const tests = named(line.by).filter((file) => /\.(?:test|spec)\.ts$/.test(file));
    // A met line names its evidence; another says in words what is missing.
    const shown = line.answer === "n/a" || line.answer === "open" ? line.by.length : tests.length;
    expect(shown).toBeGreaterThan(0);
  });
});
