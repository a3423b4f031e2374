import { expect, test } from "vitest";
import { atOnce } from "@/lib/access/model/parts";
import { assertionWarning, readAssertionWarning } from "@/lib/contracts/changes/assertion-warning";
import { newFailures } from "@/lib/config/assertions";
import { configDocument } from "@/lib/config/document";

test("a screen reads which assertion a plan's warning is about, and each problem", () => {
  const assertions = [
    { name: "a stranger [gets] nothing", given: {}, expect: { visible: ["kitchen:bake", "kitchen:boil"] } },
  ];
  const before = configDocument.parse({ apiVersion: "quartermaster/v1" });
  const after = configDocument.parse({ ...before, assertions });
  expect(atOnce(newFailures({ before, after }, [], 0)).map(readAssertionWarning)).toEqual([
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

test("a warning names the first problems, and counts the others", () => {
  const problems = Array.from({ length: 1_207 }, (_, n) => `problem ${n}`);
  const { message } = assertionWarning({ name: "many", problems }, "would fail");
  expect(message).toBe("would fail: problem 0; problem 1; problem 2; problem 3; problem 4; and 1,202 more");
});
