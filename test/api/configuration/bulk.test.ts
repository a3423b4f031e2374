import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { POST } from "@/app/api/admin/bulk/[section]/route";
import { POST as restore } from "@/app/api/admin/revisions/[number]/restore/route";
import { bulkOutput, type BulkInput, type BulkOutput } from "@/lib/contracts/changes/bulk";
import type { ConfigSection } from "@/lib/resources/sections";
import type { Role } from "@/lib/resources/permissions";
import { closeDatabase } from "@/lib/store/db/database";
import { stores } from "@/lib/store/config/index";
import { rotateTokenKeys } from "@/lib/store/oauth/token-keys";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { ask, type Answer } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

// One change of many rows (docs/reference/interface.md#lists: bulk actions say what they will change first).

const database = useDatabase();
let reader: Client;

beforeAll(async () => {
  await save(supportDocument());
  reader = new Client(await keyOf("reader"));
});
afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

interface Sent {
  readonly dryRun?: boolean;
  readonly ifMatch?: number;
  readonly role?: Role;
}

function send(section: ConfigSection, body: BulkInput, { dryRun = false, ifMatch, role = "editor" }: Sent = {}) {
  return ask<Answer & BulkOutput>(POST, "POST", `/api/admin/bulk/${section}${dryRun ? "?dryRun=true" : ""}`, {
    params: { section },
    body,
    role,
    headers: ifMatch === undefined ? {} : { "if-match": `"${ifMatch}"` },
  });
}

async function done(section: ConfigSection, body: BulkInput, sent?: Sent): Promise<BulkOutput> {
  const got = await send(section, body, sent);
  expect([got.status, got.json.errors]).toEqual([200, []]);
  return bulkOutput.strict().parse(got.json);
}

const revision = async () =>
  (await database.query<{ revision: number }>("select revision from config_state"))[0]?.revision;
const toolOf = (id: string) => stores.tools.get(id);
const listed = async () => (await reader.list()).json.data.map(({ tool_id }) => tool_id).toSorted();

const SUPPORT: BulkInput["rows"] = { query: { source: "support" } };
const OFF = { kind: "set", field: "enabled", value: false } as const;
const LOOK_UP = "support:lookup_customer";

describe("a change of many rows", () => {
  test("plans which recent calls would wait for an approval", async () => {
    for (const query of ["ada", "bob"]) await reader.call({ tool_id: LOOK_UP, arguments: { query } });
    const planned = async (field: string, value: string | boolean) =>
      (await done("tools", { rows: SUPPORT, change: { kind: "set", field, value } }, { dryRun: true })).impact?.calls;
    const waiting = (await planned("requiresApproval", true))?.waiting;
    expect(waiting?.map(({ toolId, reason }) => [toolId, reason])).toEqual([
      [LOOK_UP, "needs_approval"],
      [LOOK_UP, "needs_approval"],
    ]);
    expect(await planned("guidance", "g")).toMatchObject({ waiting: [], limited: [] });
  });

  test("plans the changes and the affected callers, and saves nothing", async () => {
    const before = await revision();
    const plan = await done("tools", { rows: SUPPORT, change: OFF }, { dryRun: true });
    const support = await stores.tools.list({ limit: 500, source: "support" });
    expect(plan).toMatchObject({ revision: before, matching: support.total, changing: support.total });
    expect(plan.rows.find(({ id }) => id === LOOK_UP)).toEqual({ id: LOOK_UP, before: true, after: false });
    expect(plan.impact?.callers.every(({ gained }) => gained.count === 0)).toBe(true);
    expect([await revision(), (await toolOf(LOOK_UP)).enabled]).toEqual([before, true]);
  });

  test("of all rows that a list matches is one revision, which can be undone until a later change", async () => {
    const visible = await listed();
    const plan = await done("tools", { rows: SUPPORT, change: OFF }, { dryRun: true });
    const changed = await done("tools", { rows: SUPPORT, change: OFF }, { ifMatch: plan.revision });
    expect(changed).toMatchObject({ revision: plan.revision + 1, matching: plan.matching, changing: plan.changing });
    const off = await stores.tools.list({ limit: 500, source: "support", enabled: "false" });
    expect(off.total).toBe(plan.matching);
    expect((await listed()).some((id) => id.startsWith("support:"))).toBe(false);
    const [saved] = await database.query<{ note: string }>("select note from revision where number = $1", [
      changed.revision,
    ]);
    expect(saved?.note).toBe('set "enabled" to false for tools');

    const undone = await ask(restore, "POST", `/api/admin/revisions/${plan.revision}/restore`, {
      params: { number: String(plan.revision) },
      headers: { "if-match": `"${changed.revision}"` },
    });
    expect(undone.status).toBe(200);
    expect(await listed()).toEqual(visible);
    const late = await ask(restore, "POST", `/api/admin/revisions/${plan.revision}/restore`, {
      params: { number: String(plan.revision) },
      headers: { "if-match": `"${changed.revision}"` },
    });
    expect(late).toMatchObject({ status: 409, json: { code: "stale" } });
  });

  test("counts rows that already have the value, and makes no revision when all have it", async () => {
    const ids = [LOOK_UP, "support:get_order"];
    await done("tools", { rows: { ids: [LOOK_UP] }, change: OFF });
    const plan = await done("tools", { rows: { ids }, change: OFF }, { dryRun: true });
    expect(plan).toMatchObject({ matching: 2, changing: 1, rows: [{ id: "support:get_order" }] });
    const before = await revision();
    expect(await done("tools", { rows: { ids: [LOOK_UP] }, change: OFF })).toMatchObject({
      changing: 0,
      revision: before,
    });
    await done("tools", { rows: { ids }, change: { ...OFF, value: true } });
  });

  test("adds to a list and takes from it; what declares no group stays in the default one", async () => {
    const rows = { ids: [LOOK_UP, "support:get_order"] };
    await done("tools", { rows, change: { kind: "add", field: "labels", values: ["pii", "eu", "pii"] } });
    await done("tools", { rows, change: { kind: "add", field: "labels", values: ["pii"] } });
    expect((await toolOf(LOOK_UP)).labels).toEqual(["pii", "eu"]);
    await done("tools", { rows, change: { kind: "remove", field: "labels", values: ["eu", "never"] } });
    expect((await toolOf(LOOK_UP)).labels).toEqual(["pii"]);

    await stores.tools.replace(
      { kind: "system", name: "test", role: "admin" },
      LOOK_UP,
      { ...(await inputOf(LOOK_UP)), groups: null },
      "*",
    );
    const onlyIt = { ids: [LOOK_UP] };
    const changing = async (kind: "add" | "remove", group: string) =>
      (await done("tools", { rows: onlyIt, change: { kind, field: "groups", values: [group] } })).changing;
    expect(await changing("remove", "helpers")).toBe(0);
    expect((await toolOf(LOOK_UP)).groups).toBeNull();
    // Declared, so that a finding about tools which nobody assigned no longer names the tool.
    expect([await changing("add", "default"), await changing("add", "default")]).toEqual([1, 0]);
    expect((await toolOf(LOOK_UP)).groups).toEqual(["default"]);
    expect(await changing("add", "helpers")).toBe(1);
    expect((await toolOf(LOOK_UP)).groups).toEqual(["default", "helpers"]);
  });

  test("is refused when the configuration changed after the preview", async () => {
    const plan = await done("tools", { rows: SUPPORT, change: OFF }, { dryRun: true });
    await save({ apiVersion: "quartermaster/v1", personas: [{ name: "between", capabilities: [] }] });
    const late = await send("tools", { rows: SUPPORT, change: OFF }, { ifMatch: plan.revision });
    expect(late).toMatchObject({ status: 409, json: { code: "stale" } });
    expect((await toolOf(LOOK_UP)).enabled).toBe(true);
  });

  test("stays possible after a save that no plan reads, and so does its undo", async () => {
    const plan = await done("tools", { rows: SUPPORT, change: OFF }, { dryRun: true });
    await rotateTokenKeys();
    expect(await revision()).toBe(plan.revision + 1);
    const changed = await done("tools", { rows: SUPPORT, change: OFF }, { ifMatch: plan.revision });
    // Every key is due for a replacement by then.
    await rotateTokenKeys(new Date(Date.now() + 31 * 86_400_000));
    expect(await revision()).toBe(changed.revision + 1);
    const undone = await ask(restore, "POST", `/api/admin/revisions/${plan.revision}/restore`, {
      params: { number: String(plan.revision) },
      headers: { "if-match": `"${changed.revision}"` },
    });
    expect(undone.status).toBe(200);
    expect((await toolOf(LOOK_UP)).enabled).toBe(true);
  });

  test("plans its impact on the rows of the plan, before this process hears of a save by another one", async () => {
    await done("tools", { rows: { ids: [LOOK_UP] }, change: OFF }, { dryRun: true });
    const [saved] = await database.query<{ number: number }>(
      `with added as (insert into revision (number, at, kind, actor, role, note)
         select revision + 1, now(), 'system', 'another process', 'admin', '' from config_state returning number)
       update config_state set revision = added.number from added returning added.number`,
    );
    const plan = await done("tools", { rows: { ids: [LOOK_UP] }, change: OFF }, { dryRun: true });
    expect([plan.revision, plan.impact?.revision]).toEqual([saved?.number, saved?.number]);
  });

  test("changes all rows or none: an invalid row, or one in use, refuses it and is named", async () => {
    const before = await revision();
    const unknown: BulkInput = { rows: SUPPORT, change: { kind: "add", field: "groups", values: ["gone"] } };
    const refused = await send("tools", unknown);
    expect(refused.status).toBe(400);
    expect(refused.json.errors[0]?.path).toMatch(/^tools\[support:/);
    expect((await send("tools", unknown, { dryRun: true })).json.errors[0]?.path).toMatch(/^tools\[support:/);

    const invalid = await send("policies", {
      rows: { query: {} },
      change: { kind: "set", field: "effect", value: "maybe" },
    });
    expect(invalid.status).toBe(400);
    expect(invalid.json.errors.map(({ path }) => path)).toContain("policies[suspended].effect");

    const used = await send("groups", { rows: { ids: ["resolution", "tickets"] }, change: { kind: "delete" } });
    expect(used).toMatchObject({ status: 409, json: { code: "in_use" } });
    expect(await revision()).toBe(before);
  });

  test("deletes", async () => {
    await save({ apiVersion: "quartermaster/v1", groups: [...groupsOf(), { name: "a" }, { name: "b" }] });
    const rows = { ids: ["a", "b"] };
    const plan = await done("groups", { rows, change: { kind: "delete" } }, { dryRun: true });
    expect(plan).toMatchObject({
      matching: 2,
      changing: 2,
      rows: [{ id: "a", before: null, after: null }, { id: "b" }],
    });
    await done("groups", { rows, change: { kind: "delete" } });
    await expect(stores.groups.get("a")).rejects.toMatchObject({ code: "not_found" });
  });

  test.each<[string, ConfigSection, BulkInput, number, string]>([
    [
      "a field that is none",
      "tools",
      { rows: SUPPORT, change: { kind: "set", field: "colour", value: "red" } },
      400,
      "change.field",
    ],
    ["the id", "tools", { rows: SUPPORT, change: { kind: "set", field: "id", value: "x:y" } }, 400, "change.field"],
    [
      "a list that is none",
      "tools",
      { rows: SUPPORT, change: { kind: "add", field: "enabled", values: ["x"] } },
      400,
      "change.field",
    ],
    ["a filter that is none", "tools", { rows: { query: { colour: "red" } }, change: OFF }, 400, "colour"],
  ])("refuses %s", async (_what, section, body, status, path) => {
    const got = await send(section, body);
    expect(got).toMatchObject({ status, json: { errors: [{ path: expect.stringContaining(path) }] } });
  });

  test("names a row that is not there, and refuses rows that another permission guards", async () => {
    const gone = await send("tools", { rows: { ids: ["support:gone"] }, change: OFF });
    expect(gone).toMatchObject({ status: 404, json: { detail: expect.stringContaining("support:gone") } });
    await save({
      apiVersion: "quartermaster/v1",
      issuers: [
        {
          name: "corp",
          issuer: "https://corp.test",
          audience: "qm",
          jwksUri: "https://corp.test/jwks",
          algorithms: ["ES256"],
        },
      ],
    });
    const issuers: BulkInput = { rows: { ids: ["corp"] }, change: OFF };
    expect(await send("issuers", issuers, { role: "editor" })).toMatchObject({ status: 403 });
    expect((await send("issuers", issuers, { role: "admin" })).status).toBe(200);
  });
});

function groupsOf(): object[] {
  return (supportDocument() as { groups: object[] }).groups;
}

async function inputOf(id: string) {
  const {
    definitionHash: _hash,
    revision: _revision,
    createdAt: _at,
    updatedAt: _changed,
    ...input
  } = await toolOf(id);
  return input;
}
