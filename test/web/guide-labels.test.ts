import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Visitor } from "oxc-parser";
import { expect, it } from "vitest";
import { readModules } from "@/test/support/module-graph";

// A guide sets in bold what a reader has to find on the screen. A renamed button must not leave a step behind.

const GUIDES = ["README.md", ...readdirSync("docs/guides").map((name) => join("docs/guides", name))];
/** Folders whose sources contain the texts of the interface. */
const SCREENS = ["components", "app", "lib/resources", "lib/contracts"];
/** `New agent` and `Outcome: refused` are built from a verb or a filter, and a word. */
const BUILT = /^New |: /;

const asLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();

/** The texts between tags and the string literals of the screens, whole: a comment or a name shows nothing. */
function textsOnScreens(): ReadonlySet<string> {
  const texts = new Set<string>();
  const add = (text: string | null) => {
    const line = asLine(text ?? "");
    // A guide may name `Undo this change…`, which opens a dialog, without its ending.
    texts.add(line).add(line.replace(/…$/, ""));
  };
  const visitor = new Visitor({
    JSXText: ({ value }) => add(value),
    Literal: ({ value }) => add(typeof value === "string" ? value : null),
    TemplateElement: ({ value }) => add(value.cooked),
  });
  for (const { parsed } of readModules(SCREENS).values()) visitor.visit(parsed.program);
  return texts;
}

it("names only what the screens show", () => {
  const texts = textsOnScreens();
  const missing = GUIDES.flatMap((guide) =>
    [...readFileSync(guide, "utf8").matchAll(/\*\*([A-Z][^*]+)\*\*/g)]
      // `Advanced › Rightsizing` is a path of the menu: each part is a label.
      .flatMap(([, path = ""]) => asLine(path).replace(/\.$/, "").split(" › "))
      .filter((label) => !BUILT.test(label) && !texts.has(label))
      .map((label) => `${guide}: ${label}`),
  );
  expect(missing).toEqual([]);
});
