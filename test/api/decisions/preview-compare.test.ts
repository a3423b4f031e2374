import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { POST as compareRoute } from "@/app/api/admin/preview/compare/route";
import { POST as previewRoute } from "@/app/api/admin/preview/route";
import { setUp } from "@/bin/first-start";
import { comparisonOutput, type ComparisonOutput } from "@/lib/contracts/decisions/comparison";
import { previewOutput } from "@/lib/contracts/decisions/preview";
import { closeDatabase } from "@/lib/store/db/database";
import { closeSnapshot, currentSnapshot } from "@/lib/store/snapshot/snapshot";
import { write } from "@/lib/store/save/write";
import { ADMIN } from "@/test/api/agents-world";
import { ask, type Sent } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

useDatabase();

beforeAll(async () => {
  await setUp({ demo: true });
});
afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

const post = (body: object, role: Sent["role"] = "editor") =>
  ask(compareRoute, "POST", "/api/admin/preview/compare", { body, ...(role !== undefined && { role }) });

async function compare(before: object, after: object): Promise<ComparisonOutput> {
  const got = await post({ before, after });
  expect([got.status, got.text.slice(0, 200)]).toEqual([200, expect.anything()]);
  return comparisonOutput.parse(got.json);
}

async function visibleTo(caller: object): Promise<string[]> {
  const got = await ask(previewRoute, "POST", "/api/admin/preview", { body: caller });
  return previewOutput.parse(got.json).tools.map(({ toolId }) => toolId);
}

const ids = (tools: readonly { readonly toolId: string }[]) => tools.map(({ toolId }) => toolId);
const demo = () => readFileSync("prisma/seed/demo.yaml", "utf8");

describe("the rules in force against one rule as it is edited", () => {
  const refunds = { resource: "policies", id: "small-refunds" };

  test("differ by what saving it would change, and nothing is saved", async () => {
    const caller = { persona: "first-line" };
    const gone = await compare(caller, { ...caller, draft: refunds });
    expect(ids(gone.lost)).toEqual(["support:refund_order"]);
    expect(await visibleTo(caller)).toContain("support:refund_order");
    const input = { name: "everything", everyone: true, groups: ["*"] };
    const made = await compare({ claims: {} }, { claims: {}, draft: { resource: "policies", input } });
    expect(ids(made.gained)).toEqual(await visibleTo({ claims: {}, draft: { resource: "policies", input } }));
    expect(made.gained.length).toBeGreaterThan(5);
    expect(await visibleTo({ claims: {} })).toEqual([]);
  });

  test("name the side and the field that is wrong", async () => {
    const draft = { resource: "policies", id: "small-refunds", input: { name: "small-refunds", groups: [] } };
    expect(await post({ before: {}, after: { draft } })).toMatchObject({
      status: 400,
      json: { errors: expect.arrayContaining([expect.objectContaining({ path: "after.draft.input.groups" })]) },
    });
  });
});

describe("two callers compared", () => {
  test("differ by exactly what their previews differ by, in the order of their manifests", async () => {
    for (const [before, after] of [
      [{ persona: "contractor" }, { persona: "supervisor" }],
      [{ persona: "first-line" }, { persona: "first-line", machine: "ticket-desk" }],
      [{ claims: {} }, { persona: "first-line" }],
    ] as const) {
      const answer = await compare(before, after);
      const [had, has] = [await visibleTo(before), await visibleTo(after)];
      expect(ids(answer.gained)).toEqual(has.filter((id) => !had.includes(id)));
      expect(ids(answer.lost)).toEqual(had.filter((id) => !has.includes(id)));
      expect(answer.altered.length + answer.unchanged.length + answer.gained.length).toBe(has.length);
      expect([answer.before.visible, answer.after.visible]).toEqual([had.length, has.length]);
    }
  });

  test("state for each tool why one caller does not see it, and through what the other does", async () => {
    const { gained, before, after } = await compare({ persona: "contractor" }, { persona: "first-line" });
    expect(gained.find(({ toolId }) => toolId === "support:refund_order")).toMatchObject({
      hidden: { decidedBy: "policy", reason: "denied_by_policy", fix: { size: 1 } },
      via: [{ group: "refunds", policies: ["small-refunds"] }],
    });
    expect(before.matchedPolicies).toContain("contractors-move-no-money");
    expect(after.matchedPolicies).not.toContain("contractors-move-no-money");
  });

  test("with equal callers has no differences", async () => {
    const { gained, lost, altered, before, after } = await compare(
      { persona: "first-line" },
      { persona: "first-line" },
    );
    expect([gained, lost, altered]).toEqual([[], [], []]);
    expect(after.etag).toBe(before.etag);
  });
});

describe("the rules in force compared", () => {
  test("with a draft shows what it would grant and revoke, and saves nothing", async () => {
    const { revision } = await currentSnapshot();
    const config = demo().replace("effect: deny", "effect: deny\n    active: false");
    const { gained, lost } = await compare({ persona: "contractor" }, { persona: "contractor", config });
    expect([ids(gained), ids(lost)]).toEqual([["support:refund_order"], []]);
    expect((await currentSnapshot()).revision).toBe(revision);
  });

  test("with a draft that lacks a tool: it does not exist there, which is not hidden", async () => {
    const config = { apiVersion: "quartermaster/v1", personas: [{ name: "first-line" }] };
    const { lost, after } = await compare({ persona: "first-line" }, { persona: "first-line", config });
    expect(lost.find(({ toolId }) => toolId === "support:get_order")).toMatchObject({ hidden: null });
    expect([after.visible, after.hidden]).toEqual([0, 0]);
  });

  test("with an old revision: a tool that reads differently is altered, by its fields", async () => {
    const { revision } = await currentSnapshot();
    await write(ADMIN, async (stored) => {
      const { revision: _r, createdAt: _c, updatedAt: _u, ...row } = (await stored.get("tools", "support:get_order"))!;
      return [{ resource: "tools", action: "update", id: row.id, after: { ...row, tags: [...row.tags, "new"] } }];
    });
    const { altered, gained, lost } = await compare({ persona: "first-line", revision }, { persona: "first-line" });
    expect(altered).toMatchObject([{ toolId: "support:get_order", fields: ["tags"] }]);
    expect([gained, lost]).toEqual([[], []]);
  });
});

describe("a comparison", () => {
  test("names a field at fault with its side", async () => {
    const answer = await post({ before: {}, after: { agent: "nobody" } });
    expect([answer.status, answer.json.errors.map(({ path }) => path)]).toEqual([400, ["after.agent"]]);
    const unknown = await post({ before: { surprise: 1 }, after: {} });
    expect(unknown.json.errors.map(({ path }) => path)).toEqual(["before.surprise"]);
  });

  test("of a logged call needs the permission to read bodies", async () => {
    expect((await post({ before: {}, after: { executionId: "any" } }, "editor")).status).toBe(403);
    expect((await post({ before: {}, after: { executionId: "any" } }, "auditor")).status).toBe(400);
  });
});
