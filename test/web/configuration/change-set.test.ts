import { describe, expect, test } from "vitest";
import { conflictsOf, toDocument, toEdit, type StagedEdit } from "@/components/configuration/change-set";
import { parseDocument } from "@/lib/config/document";
import type { ConfigPlan } from "@/lib/contracts/changes/config";
import { resources } from "@/lib/resources/index";

const matchers = [{ claim: "team", operator: "equals", value: "sales" }];
const policy = resources.policies.input.parse({ name: "sales", matchers, groups: ["crm"] });
const flow = resources.flows.input.parse({
  name: "no-mail",
  when: ["pii"],
  restrict: [{ is: "outward" }],
});

function planWith(plan: Partial<ConfigPlan>): ConfigPlan {
  const none = { sections: {}, created: 0, changed: 0, deleted: 0, unchanged: 0, differences: [] };
  return { ...none, errors: [], warnings: [], mode: "merge", basis: 1, ...plan };
}

describe("the edit of a row", () => {
  test("states the changed fields, and those without which no document is valid", async () => {
    const edit = await toEdit("policies", "sales", policy, { ...policy, description: "CRM for sales" });
    expect(edit.after).toMatchObject({ name: "sales", description: "CRM for sales" });
    expect(Object.keys(edit.after)).not.toContain("active");
    expect(edit.before).toEqual(
      Object.fromEntries(Object.keys(edit.after).map((key) => [key, Reflect.get(policy, key)])),
    );
  });

  test.each([
    ["policies", "sales", policy],
    ["flows", "no-mail", flow],
  ] as const)("of %s makes a document that is valid", async (resource, id, row) => {
    const edit = await toEdit(resource, id, row, { ...row, description: "changed" });
    expect(parseDocument(toDocument([edit]))).toMatchObject({ ok: true });
  });
});

describe("what other people changed meanwhile", () => {
  const before = { name: "sales", groups: ["crm"], description: "" };
  const edit: StagedEdit = {
    resource: "policies",
    id: "sales",
    isNew: false,
    before,
    after: { ...before, description: "mine" },
  };
  const changed = (row: object) =>
    planWith({
      changed: 1,
      sections: { policies: { created: [], changed: ["sales"], deleted: [], unchanged: 0 } },
      differences: [
        { resource: "policies", id: "sales", action: "update", before: { ...policy, ...row }, after: { ...policy } },
      ],
    });

  test("is named where the edit replaces it", () => {
    expect(conflictsOf([edit], changed({ description: "theirs", groups: ["crm", "mail"] }))).toEqual([
      "The access policy `sales` was changed meanwhile: this replaces its description, groups.",
    ]);
  });

  test("is not named where the edit leaves it", () => {
    expect(conflictsOf([edit], changed({ active: false }))).toEqual([]);
  });

  test("includes rows that were deleted or created", () => {
    const sections = { policies: { created: ["sales"], changed: [], deleted: [], unchanged: 0 } };
    expect(conflictsOf([edit], planWith({ sections }))).toEqual([
      "The access policy `sales` was deleted or renamed meanwhile. This creates it again.",
    ]);
    expect(conflictsOf([{ ...edit, isNew: true, before: {} }], changed({}))).toEqual([
      "The access policy `sales` exists meanwhile. This changes it.",
    ]);
  });
});
