import { expect, test } from "vitest";
import { atOnce } from "@/lib/access/model/parts";
import { assertionWarning, readAssertionWarning } from "@/lib/contracts/changes/assertion-warning";
import { redAssertions } from "@/lib/config/assertions";
import { configDocument } from "@/lib/config/document";

test("a screen reads which assertion a plan's warning is about, and each problem", () => {
  const assertions = [
    { name: "a stranger [gets] nothing", given: {}, expect: { visible: ["kitchen:bake", "kitchen:boil"] } },
  ];
  const document = configDocument.parse({ apiVersion: "quartermaster/v1", assertions });
  expect(atOnce(redAssertions(document, [], 0)).map(readAssertionWarning)).toEqual([
    {
      name: "a stranger [gets] nothing",
      problems: [
        "`kitchen:bake` should be visible and is hidden (no such tool)",
        "`kitchen:boil` should be visible and is hidden (no such tool)",
      ],
    },
  ]);
});

test("the warning after a save is read as well, and another warning is not", () => {
  const failing = { name: "staff bake", problems: ["one", "another"] };
  expect(readAssertionWarning(assertionWarning(failing, "fails"))).toEqual(failing);
  expect(readAssertionWarning({ path: "policies[bake].groups[0]", message: "would fail: never" })).toBeNull();
  expect(readAssertionWarning({ path: "assertions[staff bake]", message: "no tool is `x`" })).toBeNull();
});
