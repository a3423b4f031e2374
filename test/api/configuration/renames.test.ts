import { beforeEach, describe, expect, it } from "vitest";
import { DELETE, PUT } from "@/app/api/admin/[resource]/[id]/route";
import { POST } from "@/app/api/admin/[resource]/route";
import { GET as listChanges } from "@/app/api/admin/changes/route";
import { POST as impactOf } from "@/app/api/admin/impact/route";
import { changePage } from "@/lib/contracts/changes/change";
import { rowPlan } from "@/lib/contracts/changes/row-plan";
import { impactOutput } from "@/lib/contracts/decisions/impact";
import { stores } from "@/lib/store/config/index";
import { readSettings, saveSettings } from "@/lib/store/config/settings";
import { ADMIN, Client, documentWithTool, idsOf, keyOf, save } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import type { Role } from "@/lib/resources/permissions";

// A renamed group or persona keeps everything that names it (docs/reference/http.md#admin-api).

const database = useDatabase();
const GROUP = { name: "knowledge", selectors: [{ name: "search_knowledge" }] };
const TOOL = "support:refund_order";

const FOLLOW = "?followRename=true";

let reader: Client;
let keys = 0;

async function alwaysKeep(alwaysGroups: string[]): Promise<void> {
  const { settings, version } = await readSettings();
  await saveSettings(ADMIN, { ...settings, routing: { ...settings.routing, alwaysGroups } }, version);
}

beforeEach(async () => {
  await alwaysKeep([]);
  const document = documentWithTool(TOOL, { groups: ["knowledge"] });
  const policies = document["policies"] as { name: string; groups: string[] }[];
  await save({
    ...document,
    policies: policies.map((one) =>
      one.name === "support-staff" ? { ...one, groups: ["knowledge", "helpers"] } : one,
    ),
    personas: [{ name: "ada", sampleClaims: { team: "support" } }],
    assertions: [
      { name: "ada searches", given: { persona: "ada" }, expect: { visible: ["support:search_knowledge"] } },
    ],
  });
  await alwaysKeep(["knowledge"]);
  reader = new Client(await keyOf("reader", `key-${(keys += 1)}`));
});

const rowOf = async (kind: "groups" | "policies" | "intents" | "tools" | "assertions", id: string) =>
  (await stores[kind].get(id)) as unknown as Record<string, unknown> | null;
const listed = async () => idsOf((await reader.list()).json);

async function rename(resource: "groups" | "personas", id: string, body: object, role: Role = "admin", query = FOLLOW) {
  const [row] = await database.query<{ revision: number }>(
    `select revision from ${resource === "groups" ? "tool_group" : "persona"} where name = $1`,
    [id],
  );
  return ask(PUT, "PUT", `/api/admin/${resource}/${id}${query}`, {
    params: { resource, id },
    body,
    headers: { "if-match": `"${row?.revision}"` },
    role,
  });
}

describe("a renamed group", () => {
  it("keeps its policies, intents, tools and routing, in one revision, and callers keep their tools", async () => {
    const before = await listed();
    expect(before).toEqual(expect.arrayContaining([TOOL, "support:search_knowledge"]));
    expect((await rename("groups", "knowledge", { ...GROUP, name: "wisdom" })).status).toBe(200);
    expect(await rowOf("policies", "support-staff")).toMatchObject({ groups: ["wisdom", "helpers"] });
    expect(await rowOf("intents", "KNOWLEDGE")).toMatchObject({ groups: ["wisdom"] });
    expect(await rowOf("tools", TOOL)).toMatchObject({ groups: ["wisdom"] });
    expect((await readSettings()).settings.routing.alwaysGroups).toEqual(["wisdom"]);
    expect(await listed()).toEqual(before);
    const changed = await database.query<{ resource: string }>(
      "select resource from change where revision = (select revision from config_state) order by resource",
    );
    expect(changed.map(({ resource }) => resource)).toEqual(["groups", "intents", "policies", "settings", "tools"]);
  });

  it("shows before the save which rows get the new name", async () => {
    const plan = await rename("groups", "knowledge", { ...GROUP, name: "wisdom" }, "admin", `${FOLLOW}&dryRun=true`);
    const { errors, users } = rowPlan.parse(plan.json);
    expect(errors).toEqual([]);
    expect(users.map(({ resource, path }) => [resource, path])).toEqual([
      ["tools", "groups[0]"],
      ["policies", "groups[0]"],
      ["intents", "groups[0]"],
      ["settings", "routing.alwaysGroups[0]"],
    ]);
  });

  it("takes no tool from a caller, according to the impact before the save", async () => {
    const lostWith = async (changes: object) => {
      const body = { resource: "groups", id: "knowledge", input: { ...GROUP, ...changes } };
      const { json } = await ask(impactOf, "POST", "/api/admin/impact", { body });
      return impactOutput.parse(json).callers.flatMap(({ lost }) => lost.tools.map(({ toolId }) => toolId));
    };
    expect(await lostWith({ name: "wisdom", selectors: [] })).toContain("support:search_knowledge");
    expect(await lostWith({ name: "wisdom" })).toEqual([]);
  });

  it("is refused for a person who may not change one of the rows that name it", async () => {
    const refused = await rename("groups", "knowledge", { ...GROUP, name: "wisdom" }, "editor");
    expect(refused).toMatchObject({ status: 403, json: { errors: [{ path: "settings" }] } });
    expect(await rowOf("policies", "support-staff")).toMatchObject({ groups: ["knowledge", "helpers"] });
  });

  it("is refused while rows name it, without `followRename`", async () => {
    const refused = await rename("groups", "knowledge", { ...GROUP, name: "wisdom" }, "admin", "");
    expect(refused).toMatchObject({ status: 409, json: { code: "in_use" } });
  });
});

describe("the history of a renamed group", () => {
  let begun: number;

  beforeEach(async () => {
    const [row] = await database.query<{ revision: number }>("select revision from config_state");
    begun = row?.revision ?? 0;
  });

  async function historyOf(id: string, resource = "groups"): Promise<string[]> {
    const { json } = await ask(listChanges, "GET", `/api/admin/changes?resource=${resource}&id=${id}&sort=at`);
    const { items } = changePage.parse(json);
    return items.filter(({ revision }) => revision > begun).map(({ action, rowId }) => `${action} ${rowId}`);
  }

  it("includes its former names, and excludes a new group with a former name", async () => {
    await rename("groups", "knowledge", { ...GROUP, name: "wisdom" });
    await rename("groups", "wisdom", { ...GROUP, name: "insight" });
    expect(await historyOf("insight")).toEqual(["update knowledge", "update wisdom"]);
    const created = await ask(POST, "POST", "/api/admin/groups", { params: { resource: "groups" }, body: GROUP });
    expect(created.status).toBe(201);
    expect(await historyOf("insight")).toEqual(["update knowledge", "update wisdom"]);
    expect(await historyOf("knowledge")).toEqual(["update knowledge", "create knowledge"]);
    expect(await historyOf("insight", "policies")).toEqual([]);
  });

  it("ends when a group gets its former name back", async () => {
    await rename("groups", "knowledge", { ...GROUP, name: "wisdom" });
    await rename("groups", "wisdom", GROUP);
    expect(await historyOf("knowledge")).toEqual(["update knowledge", "update wisdom"]);
  });
});

it("an assertion gets the new name of a renamed group, and prevents the group's deletion", async () => {
  const document = documentWithTool(TOOL, { groups: ["payments"] });
  const guard = {
    name: "sales",
    given: { claims: { team: "sales" }, group: ["payments"] },
    expect: { hidden: [TOOL] },
  };
  await save({ ...document, groups: [...(document["groups"] as object[]), { name: "payments" }], assertions: [guard] });
  expect((await rename("groups", "payments", { name: "payouts" })).status).toBe(200);
  expect(await rowOf("assertions", "sales")).toMatchObject({ given: { group: ["payouts"] } });
  const body = {
    name: "sales",
    matchers: [{ claim: "team", operator: "equals", value: "sales" }],
    groups: ["payouts"],
  };
  const params = { resource: "groups", id: "payouts" };
  const removed = await ask(DELETE, "DELETE", "/api/admin/groups/payouts", { params });
  expect(removed).toMatchObject({
    status: 409,
    json: { code: "in_use", errors: [{}, { path: "assertions[sales].given.group[0]" }] },
  });
  const granted = await ask(POST, "POST", "/api/admin/policies", { params: { resource: "policies" }, body });
  expect(granted).toMatchObject({ status: 201, json: { warnings: [{ path: "assertions[sales]" }] } });
});

it("an assertion gets the new name of a renamed persona", async () => {
  expect((await rename("personas", "ada", { name: "grace", sampleClaims: { team: "support" } })).status).toBe(200);
  expect(await rowOf("assertions", "ada searches")).toMatchObject({ given: { persona: "grace" } });
});
