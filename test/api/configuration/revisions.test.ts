import { beforeAll, describe, expect, it } from "vitest";
import { GET as getChanges } from "@/app/api/admin/changes/route";
import { PUT } from "@/app/api/admin/config/route";
import { GET as diff } from "@/app/api/admin/revisions/[number]/diff/[to]/route";
import { GET as getRevision } from "@/app/api/admin/revisions/[number]/route";
import { POST as restore } from "@/app/api/admin/revisions/[number]/restore/route";
import { atOnce } from "@/lib/access/model/parts";
import { FormerNames, NetChanges, type RowFacts, type Step } from "@/lib/config/diff";
import { revisionDiff, revisionRestored, type RevisionDiff } from "@/lib/contracts/changes/revision-diff";
import { groupInput } from "@/lib/resources/group";
import type { Role } from "@/lib/resources/permissions";
import { apiKeys } from "@/lib/store/config/api-keys";
import { db } from "@/lib/store/db/database";
import { readDocument } from "@/lib/store/save/config-document";
import { Stored } from "@/lib/store/save/stored";
import { write, type Actor } from "@/lib/store/save/write";
import { ask, type Sent } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

useDatabase();

const ADMIN: Actor = { kind: "system", name: "test", role: "admin" };
const first = {
  apiVersion: "quartermaster/v1",
  sources: [{ name: "kitchen", kind: "http" }],
  tools: [{ id: "kitchen:bake", description: "Bakes.", inputSchema: { type: "object" }, groups: ["menu"] }],
  groups: [{ name: "menu" }, { name: "drinks" }],
  policies: [{ name: "staff", everyone: true, groups: ["menu"] }],
  assertions: [{ name: "all bake", given: {}, expect: { visible: ["kitchen:bake"] } }],
};
const second = {
  ...first,
  groups: [{ name: "menu", guidance: "Hot." }, { name: "sweets" }],
  assertions: [],
};

async function put(document: object): Promise<number> {
  const { status, json } = await ask<{ revision: number }>(PUT, "PUT", "/api/admin/config", { body: document });
  expect(status).toBe(200);
  return json.revision;
}
async function differences(from: number | string, to: number | string) {
  const params = { number: String(from), to: String(to) };
  const answer = await ask(diff, "GET", `/api/admin/revisions/${from}/diff/${to}`, { params });
  return { ...answer, json: answer.status === 200 ? revisionDiff.parse(answer.json) : answer.json };
}
async function restored(number: number | string, sent: Sent = {}) {
  return ask(restore, "POST", `/api/admin/revisions/${number}/restore`, {
    params: { number: String(number) },
    ...sent,
  });
}
const facts: RowFacts = {
  idOf: (_, value) => (value as { name: string }).name,
  same: (left, right) => JSON.stringify(left) === JSON.stringify(right),
};

let [one, two] = [0, 0];
beforeAll(async () => {
  one = await put(first);
  two = await put(second);
});

describe("the diff of two revisions", () => {
  it("names every row that differs, before and after", async () => {
    const { json } = await differences(one, two);
    expect(json).toMatchObject({ from: one, to: two, created: 1, changed: 1, deleted: 2 });
    expect(json.changes).toContainEqual(
      expect.objectContaining({
        resource: "groups",
        id: "menu",
        action: "update",
        before: expect.objectContaining({ guidance: null }),
        after: expect.objectContaining({ guidance: "Hot." }),
      }),
    );
    expect(json.changes).toContainEqual(expect.objectContaining({ id: "drinks", action: "delete", after: null }));
  });
  it("read backwards is its reverse, and with itself empty", async () => {
    expect((await differences(two, one)).json).toMatchObject({ created: 2, changed: 1, deleted: 1 });
    expect((await differences(two, two)).json.changes).toEqual([]);
  });
  it("says of a renamed row that it has another name, in both directions, as a restore makes it", async () => {
    const sweets = groupInput.parse({ name: "sweets" });
    const renamed = (id: string, name: string) =>
      write(ADMIN, () => [{ resource: "groups", action: "update", id, after: { ...sweets, name } }]);
    const from = (await readDocument()).revision;
    await renamed("sweets", "pastry");
    const { revision: to } = await renamed("pastry", "cakes");
    const [was, becomes] = [{ name: "sweets" }, { name: "cakes" }];
    const update = { resource: "groups", action: "update" };
    expect((await differences(from, to)).json.changes).toMatchObject([
      { ...update, id: "sweets", before: was, after: becomes },
    ]);
    expect((await differences(to, from)).json.changes).toMatchObject([
      { ...update, id: "cakes", before: becomes, after: was },
    ]);
    expect((await restored(from)).json).toMatchObject({ changes: 1 });
    expect((await differences(from, to + 1)).json.changes).toEqual([]);
  });
  it("omits changes that were undone in between", async () => {
    await put({ ...second, groups: [...second.groups, { name: "brief" }] });
    const back = await put(second);
    expect((await differences(two, back)).json.changes).toEqual([]);
  });
  it.each([
    ["x", "1"],
    ["1", "999999"],
    ["-1", "1"],
    ["1", "1.5"],
  ])("of %s and %s is not found", async (from, to) => {
    expect(await differences(from, to)).toMatchObject({ status: 404, json: { code: "not_found" } });
  });
  it("shows each role only rows that it may read: an editor sees no keys", async () => {
    const before = await put({ ...second, agents: [{ name: "keyed" }] });
    await apiKeys.create(ADMIN, { name: "shown", agent: "keyed", expiresAt: null, enabled: true });
    const path = `/api/admin/revisions/${before}/diff/${before + 1}`;
    const params = { number: String(before), to: String(before + 1) };
    const seen = async (role: Role) => revisionDiff.parse((await ask(diff, "GET", path, { params, role })).json);
    expect((await seen("auditor")).changes).toEqual([expect.objectContaining({ resource: "api-keys", id: "shown" })]);
    expect(JSON.stringify(await seen("auditor"))).not.toContain("hash");
    expect(await seen("editor")).toMatchObject({ created: 0, changes: [] });
    const revision = { params: { number: String(before + 1) } };
    for (const [role, count] of [
      ["auditor", 1],
      ["editor", 0],
    ] as const) {
      const detail = await ask<{ rows: unknown[] }>(getRevision, "GET", `/api/admin/revisions/${before + 1}`, {
        ...revision,
        role,
      });
      const history = await ask<{ items: unknown[] }>(getChanges, "GET", "/api/admin/changes?resource=api-keys", {
        role,
      });
      expect([role, detail.json.rows.length, history.json.items.length]).toEqual([role, count, count]);
    }
    await apiKeys.remove(ADMIN, "shown", before + 1);
  });
  it("follows two rows that swap their names in one revision", () => {
    const step = (rowId: string, becomes: string): Step => ({
      revision: 1,
      resource: "groups",
      rowId,
      before: { name: rowId, was: rowId },
      after: { name: becomes, was: rowId },
    });
    const net = new NetChanges(facts);
    const former = new FormerNames(facts);
    for (const swapped of [step("a", "b"), step("b", "a")]) {
      net.add(swapped);
      former.add(swapped);
    }
    expect([former.of("groups", "a"), former.of("groups", "b")]).toEqual(["b", "a"]);
    expect(atOnce(net.result())).toEqual([
      expect.objectContaining({ id: "a", action: "update", after: { name: "a", was: "b" } }),
      expect.objectContaining({ id: "b", action: "update", after: { name: "b", was: "a" } }),
    ]);
  });
});

describe("the changes between two revisions", () => {
  it("are read in parts: only the kinds that count, and none twice", async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `many-${at}` }));
    const from = await put({ ...second, groups: [...second.groups, ...many(230)] });
    const to = await put({ ...second, agents: [{ name: "late" }] });
    const read = async (resource: { in: string[] } | { notIn: string[] }) => {
      const steps: Step[] = [];
      for await (const step of new Stored(db()).changes(from - 1, to, resource)) steps.push(step);
      return steps.map(({ revision, resource: kind, rowId }) => `${revision} ${kind} ${rowId}`);
    };
    const stored = await db().change.findMany({
      where: { revision: { gte: from, lte: to } },
      orderBy: { id: "asc" },
    });
    const of = (kinds: readonly string[]) =>
      stored
        .filter(({ resource }) => kinds.includes(resource))
        .map(({ revision, resource, rowId }) => `${revision} ${resource} ${rowId}`);
    expect(of(["groups"]).length).toBeGreaterThanOrEqual(460);
    expect(await read({ in: ["groups"] })).toEqual(of(["groups"]));
    expect(await read({ notIn: [] })).toEqual(of(["groups", "agents"]));
    const { changes } = (await differences(from, to)).json as RevisionDiff;
    expect(changes.filter(({ resource }) => resource === "groups")).toHaveLength(230);
  });
});

describe("a restore", () => {
  it("makes a new revision with the earlier configuration, and names that revision", async () => {
    await put(first);
    const { document: then } = await readDocument();
    const at = await put(second);
    const { status, json } = await restored(at - 1);
    expect(status).toBe(200);
    expect(revisionRestored.parse(json)).toEqual({ revision: at + 1, restored: at - 1, changes: 4 });
    expect((await readDocument()).document).toEqual(then);
    expect((await differences(at - 1, at + 1)).json.changes).toEqual([]);
  });
  it("of the present configuration makes no revision", async () => {
    const { revision } = await readDocument();
    expect((await restored(revision)).json).toEqual({ revision, restored: revision, changes: 0 });
  });
  it("brings settings back, for administrators only: the refusal names them", async () => {
    const before = await put(first);
    await put({ apiVersion: "quartermaster/v1", settings: { openStart: false } });
    const refused = await restored(before, { role: "editor" });
    expect(refused).toMatchObject({ status: 403, json: { code: "forbidden" } });
    expect(refused.json.detail).toContain("settings");
    expect(await restored(before)).toMatchObject({ status: 200 });
    expect((await readDocument()).document.settings?.openStart).toBe(true);
  });
  it("by an editor is allowed when neither settings nor issuers change", async () => {
    const before = await put(second);
    await put(first);
    expect(await restored(before, { role: "editor" })).toMatchObject({ status: 200 });
    expect(await restored(before, { role: "auditor" })).toMatchObject({ status: 403 });
  });
  it("neither revives nor breaks a key: an agent that a key names is not deleted", async () => {
    const before = await put({ ...first, agents: [] });
    await put({ ...first, agents: [{ name: "bot" }] });
    await apiKeys.create(ADMIN, { name: "key", agent: "bot", expiresAt: null, enabled: true });
    expect(await restored(before)).toMatchObject({ status: 409, json: { code: "in_use" } });
  });
  it("is refused when the configuration changed after the preview", async () => {
    const before = await put({ apiVersion: "quartermaster/v1", personas: [{ name: "cook" }] });
    await put({ apiVersion: "quartermaster/v1", personas: [] });
    const stale = await restored(before, { headers: { "if-match": `"${before}"` } });
    expect(stale).toMatchObject({ status: 409, json: { code: "stale" } });
    expect((await readDocument()).document.personas).toEqual([]);
  });
  it("of rows that saving refuses today is refused, and names each value", async () => {
    const team = { name: "team", matchers: [{ claim: "team", operator: "equals", value: "" }], groups: ["menu"] };
    const before = await put({ ...first, policies: [{ ...team, matchers: [{ ...team.matchers[0], value: "x" }] }] });
    await put({ ...first, policies: [] });
    // The history of an earlier version, which accepted empty values.
    await db().change.updateMany({ where: { rowId: "team", action: "delete" }, data: { before: team } });
    expect(await restored(before)).toMatchObject({
      status: 400,
      json: { errors: [{ path: "policies[team].matchers[0].value", message: "enter a value" }] },
    });
  });
  it("brings back a row of the name `new`, which an older version saved", async () => {
    const group = groupInput.parse({ name: "new" });
    const given = { review: "exempt" } as const;
    const { revision } = await write(
      ADMIN,
      async () => [{ resource: "groups", action: "create", after: group }],
      given,
    );
    await write(ADMIN, async () => [{ resource: "groups", action: "delete", id: "new" }]);
    expect((await restored(revision)).status).toBe(200);
    expect((await readDocument()).document.groups).toContainEqual(expect.objectContaining({ name: "new" }));
    await write(ADMIN, async () => [{ resource: "groups", action: "delete", id: "new" }]);
  });

  it("of a revision that never was is not found", async () => {
    expect(await restored(999_999)).toMatchObject({ status: 404 });
    expect(await restored("x")).toMatchObject({ status: 404 });
  });
});
