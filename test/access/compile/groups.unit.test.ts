import { describe, expect, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import { resolve } from "@/lib/access/decide/resolve";
import { groupInput } from "@/lib/resources/group";
import { requestOf } from "@/lib/access/model/request";
import { configurationOf } from "@/test/access/case-configuration";

/**
 * Tools `x:a` (in `g`), `x:b` (undeclared) and `x:c` (in none), with these groups; a policy grants all groups of
 * `granted`.
 */
function compiled(groups: readonly object[], granted: readonly string[] = ["*"]) {
  return compile(
    configurationOf({
      file: "groups",
      name: "",
      configuration: { apiVersion: "quartermaster/v1" },
      stored: {
        sources: [{ name: "x" }],
        tools: [{ id: "x:a", groups: ["g"] }, { id: "x:b" }, { id: "x:c", groups: [] }],
        groups,
        policies: [{ name: "p", everyone: true, groups: granted }],
      },
    }),
  );
}
const listed = (index: ReturnType<typeof compiled>, group: readonly string[] | null = null) =>
  resolve(index, { ...requestOf({}), group }, 0).tools.map(({ tool, groups }) => `${tool.id} through ${groups.join()}`);

describe("a stored group whose name is taken", () => {
  test.each(["default", "(ungrouped)", "g"])("is ignored with an error: %s", (name) => {
    const index = compiled([{ name: "g" }, { name, include: [{ tool: "x:c" }] }]);
    expect(index.errors).toEqual([`group \`${name}\`: the name is built in or taken, the group is ignored`]);
    expect(listed(index)).toEqual(["x:a through g", "x:b through default", "x:c through (ungrouped)"]);
  });

  test("never replaces the other group", () => {
    expect(compiled([{ name: "g" }, { name: "h" }]).errors).toEqual([]);
  });
});

test("only `*` requests the tools in no group, whatever the names of the groups", () => {
  // Names that sort before and after "(ungrouped)".
  const index = compiled([{ name: "!" }, { name: "g" }, { name: "~" }]);
  expect(listed(index, ["*"])).toContain("x:c through (ungrouped)");
  expect(listed(index, ["(ungrouped)", "!", "g"])).toEqual(["x:a through g"]);
  expect(listed(compiled([{ name: "!" }, { name: "g" }], ["!", "(ungrouped)"]))).toEqual([]);
});

test("an excluded tool still shows how it would enter the group", () => {
  const index = compiled([
    { name: "g", selectors: [{ name: "a" }], include: [{ tool: "x:a" }], exclude: [{ tool: "x:a" }] },
    { name: "broken", selectors: [{ name: "regex:(" }], include: [{ tool: "x:b" }] },
  ]);
  const how = (name: string) => {
    const group = index.groups.all[index.groups.numberOf.get(name) ?? -1];
    return index.tools.all.map((tool) => group?.how(tool));
  };
  expect(how("g")).toEqual([["selectors", "included", "declared"], [], []]);
  expect(how("default")).toEqual([[], ["default"], []]);
  expect(how("broken")).toEqual([[], [], []]);
});

test("saving a group merges entries of one tool: the first wins, later ones fill in absent fields", () => {
  const when = "2026-01-01T00:00:00.000Z";
  const saved = groupInput.parse({
    name: "g",
    include: [
      { tool: "x:a" },
      { tool: "x:b", who: "ann" },
      { tool: "x:a", who: "bob" },
      { tool: "x:b", who: "eve", when },
    ],
    exclude: [{ tool: "x:c" }, { tool: "x:c", reason: "unsafe" }, { tool: "x:c", reason: "later" }],
  });
  expect(saved.include).toEqual([
    { tool: "x:a", who: "bob", when: null },
    { tool: "x:b", who: "ann", when },
  ]);
  expect(saved.exclude).toEqual([{ tool: "x:c", who: null, when: null, reason: "unsafe" }]);
});
