import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { marked } from "marked";
import { describe, expect, test } from "vitest";
import { DOCUMENTS, GUIDES, REFERENCES } from "@/components/docs/guides";
import { addressOf, anchorOf } from "@/components/docs/markdown";
import { labelOf, NAVIGATION } from "@/components/shell/navigation";
import { PURPOSES } from "@/components/shell/purposes";
import { screenAt, screenFacts } from "@/components/screen-table";
import { isResourceName, KINDS } from "@/lib/resources/kinds";

const ANCHORS = new Map(DOCUMENTS.map(({ name, path }) => [`/docs/guide/${name}`, anchorsOf(path)]));

function textOf(path: string): string {
  return readFileSync(join(import.meta.dirname, "../../docs", path), "utf8");
}

function anchorsOf(path: string): ReadonlySet<string> {
  const text = textOf(path);
  return new Set([
    ...marked.lexer(text).flatMap((token) => (token.type === "heading" ? [anchorOf(String(token["text"]))] : [])),
    ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id),
  ]);
}

const screenOf = (href: string) => screenAt(href.replace("/admin/", ""));
const isScreen = (href: string) => screenOf(href) !== null;
const titleOf = (href: string) => screenFacts(screenOf(href)!).title;

test("the app shows every guide of docs/guides", () => {
  const files = readdirSync(join(import.meta.dirname, "../../docs/guides"));
  expect(GUIDES.map(({ name }) => `${name}.md`).toSorted()).toEqual(files.toSorted());
});

describe("what pages are for", () => {
  const entries = NAVIGATION.flatMap((section) => section.entries);

  test("every page with a purpose is in the navigation", () => {
    expect(Object.keys(PURPOSES).toSorted()).toEqual(entries.map(({ href }) => href).toSorted());
  });

  test.each(entries)("$href is offered to the roles that may read its screen", ({ href, permission }) => {
    const name = href.replace("/admin/", "");
    const { read } = isResourceName(name) ? KINDS[name] : screenFacts(screenAt(name)!);
    expect(permission).toBe(read);
  });

  test.each(entries.flatMap(({ href, also = [] }) => [href, ...also]).filter(isScreen))(
    "the tab of %s has the name of the page in the navigation",
    (href) => expect(titleOf(href)).toBe(labelOf(href)),
  );

  test.each(Object.entries(PURPOSES))("%s links to an existing section of a guide", (_page, { guide }) => {
    const [page = "", anchor = ""] = guide.split("#");
    expect([...(ANCHORS.get(page) ?? [])]).toContain(anchor);
  });

  test("a guide's section about a page has the page's name in the navigation", () => {
    const labels = new Map<string, string>(entries.map(({ href, label }) => [href, anchorOf(label)]));
    const others = Object.entries(PURPOSES).filter(([page, { guide }]) => guide.split("#")[1] !== labels.get(page));
    // The section about users also describes access tokens.
    expect(others.map(([page]) => page)).toEqual(["/admin/tokens"]);
  });
});

test("a reference is shown by the title of its file", () => {
  const titles = REFERENCES.map(({ path }) => /^# (.*)$/m.exec(textOf(path))?.[1]);
  expect(titles).toEqual(REFERENCES.map(({ title }) => title));
});

test.each(GUIDES)("every link of the guide $name leads to an existing page and section of the app", ({ name }) => {
  const path = `guides/${name}.md`;
  const links = [...textOf(path).matchAll(/\]\(([^):]+)\)/g)].map(([, href = ""]) =>
    addressOf(href.startsWith("#") ? `${name}.md${href}` : href, path),
  );
  const broken = links.filter((link) => {
    if (link !== null && !link.startsWith("/docs/guide/")) return false;
    const [page = "", anchor] = (link ?? "").split("#");
    return !ANCHORS.has(page) || (anchor !== undefined && ANCHORS.get(page)?.has(anchor) !== true);
  });
  expect(broken).toEqual([]);
});
