import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

// A guide sets in bold what a reader has to find on the screen. A renamed button must not leave a step behind.

const GUIDES = ["README.md", ...readdirSync("docs/guides").map((name) => join("docs/guides", name))];
/** Folders whose sources contain the texts of the interface. */
const SCREENS = ["components", "app", "lib/resources", "lib/contracts"];
/** `New agent` and `Outcome: refused` are built from a verb or a filter, and a word. */
const BUILT = /^New |: /;

function sourcesIn(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
}

it("names only what the screens show", () => {
  const screens = SCREENS.map(sourcesIn).join("\n");
  const missing = GUIDES.flatMap((guide) =>
    [...readFileSync(guide, "utf8").matchAll(/\*\*([A-Z][^*]+)\*\*/g)]
      // `Advanced › Rightsizing` is a path of the menu: each part is a label.
      .flatMap(([, path = ""]) => path.replaceAll(/\s+/g, " ").replace(/\.$/, "").split(" › "))
      .filter((label) => !BUILT.test(label) && !screens.includes(label))
      .map((label) => `${guide}: ${label}`),
  );
  expect(missing).toEqual([]);
});
