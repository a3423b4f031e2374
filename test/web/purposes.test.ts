import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { marked } from "marked";
import { describe, expect, test } from "vitest";
import { GUIDES, guideHref } from "@/components/docs/guides";
import { addressOf, anchorOf } from "@/components/docs/markdown";
import { NAVIGATION } from "@/components/shell/navigation";
import { PURPOSES } from "@/components/shell/purposes";
import { screenAt, screenFacts } from "@/components/screen-table";
import { isResourceName, KINDS } from "@/lib/resources/kinds";

const ANCHORS = new Map(GUIDES.map(({ name }) => [guideHref(name), anchorsOf(name)]));

function textOf(name: string): string {
  return readFileSync(join(import.meta.dirname, `../../docs/guides/${name}.md`), "utf8");
}

function anchorsOf(name: string): ReadonlySet<string> {
  return new Set(
    marked.lexer(textOf(name)).flatMap((token) => (token.type === "heading" ? [anchorOf(String(token["text"]))] : [])),
  );
}

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

test("a link between guides leads to an existing page and section of the app", () => {
  const links = GUIDES.flatMap(({ name }) =>
    [...textOf(name).matchAll(/\]\(([a-z#][^):]*)\)/g)].map(([, href = ""]) =>
      addressOf(href.startsWith("#") ? `${name}.md${href}` : href),
    ),
  );
  expect(links).toContain("/docs/guide/flow-guard");
  const broken = links.filter((link) => {
    const [page = "", anchor] = (link ?? "").split("#");
    return !ANCHORS.has(page) || (anchor !== undefined && ANCHORS.get(page)?.has(anchor) !== true);
  });
  expect(broken).toEqual([]);
});
