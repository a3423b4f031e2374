import { describe, expect, test } from "vitest";
import {
  conflictsOf,
  toDocument,
  toEdit,
  withFirstBefore,
  type StagedEdit,
} from "@/components/configuration/change-set";
import { parseDocument } from "@/lib/config/document";
import type { ConfigPlan } from "@/lib/contracts/changes/config";
import { resources } from "@/lib/resources/index";

const matchers = [{ claim: "team", operator: "equals", value: "sales" }];
const policy = resources.policies.input.parse({ name: "sales", matchers, groups: ["crm"] });

function planWith(plan: Partial<ConfigPlan>): ConfigPlan {
  const none = { sections: {}, created: 0, changed: 0, deleted: 0, unchanged: 0, differences: [] };
  return { ...none, errors: [], warnings: [], mode: "merge", basis: 1, ...plan };
}

test("the edit of a row states the changed fields alone, and its document is one to merge", () => {
  const edit = toEdit("policies", "sales", policy, { ...policy, description: "CRM for sales" });
  expect(edit).toMatchObject({ before: { description: "" }, after: { description: "CRM for sales" } });
  const stated = { policies: [{ name: "sales", description: "CRM for sales" }] };
  expect(parseDocument(toDocument([edit]), true)).toMatchObject({ ok: true, stated });
});

describe("an edit that differs from what is stored now", () => {
  const edit: StagedEdit = {
    resource: "policies",
    id: "sales",
    isNew: false,
    before: { groups: ["crm"], description: "" },
    after: { groups: ["crm", "mail"], description: "mine" },
  };
  const changed = (row: object) =>
    planWith({
      changed: 1,
      sections: { policies: { created: [], changed: ["sales"], deleted: [], unchanged: 0 } },
      differences: [
        { resource: "policies", id: "sales", action: "update", before: { ...policy, ...row }, after: { ...policy } },
      ],
    });

  test("names the values that it would replace", () => {
    expect(conflictsOf([edit], changed({ description: "theirs", groups: ["phone"] }))).toEqual({
      refused: [],
      replaced: ["The access policy `sales`: saving replaces the new value of groups, description."],
    });
  });

  test("names them also after another field was edited on top of the other person's change", () => {
    const theirs = { ...policy, groups: ["crm", "phone"] };
    const first = toEdit("policies", "sales", policy, { ...policy, groups: ["crm", "mail"] });
    const again = toEdit("policies", "sales", theirs, { ...theirs, ...first.after, description: "mine" });
    expect(conflictsOf([withFirstBefore(again, first)], changed(theirs)).replaced).toEqual([
      "The access policy `sales`: saving replaces the new value of groups.",
    ]);
    // A person who edits the field again has seen the other person's value.
    const seen = toEdit("policies", "sales", theirs, { ...theirs, groups: ["crm", "phone", "mail"] });
    expect(conflictsOf([withFirstBefore(seen, first)], changed(theirs)).replaced).toEqual([]);
  });

  test("leaves fields that it does not change", () => {
    expect(conflictsOf([edit], changed({ active: false }))).toEqual({ refused: [], replaced: [] });
  });

  test("is refused when its row is gone, because it would create one from defaults", () => {
    const sections = { policies: { created: ["sales"], changed: [], deleted: [], unchanged: 0 } };
    const { refused } = conflictsOf([edit], planWith({ sections }));
    expect(refused).toEqual(["The access policy `sales` does not exist any more. Remove this edit."]);
  });

  test("is refused when it is a new row whose name is taken", () => {
    const { refused } = conflictsOf([{ ...edit, isNew: true, before: {} }], changed({}));
    expect(refused).toEqual(["The access policy `sales` exists already. Give the new one another name, or remove it."]);
  });
});
