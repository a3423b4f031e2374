import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DELETE, GET, PUT } from "@/app/api/admin/[resource]/[id]/route";
import { POST } from "@/app/api/admin/[resource]/route";
import { PUT as putConfig } from "@/app/api/admin/config/route";
import { rowPlan, type Warning } from "@/lib/contracts/changes/row-plan";
import { ask, type Got } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();

interface Saved {
  readonly revision: number;
  readonly warnings?: readonly Warning[];
  readonly errors?: readonly { path: string }[];
  readonly [field: string]: unknown;
}

const kitchen = {
  apiVersion: "quartermaster/v1",
  sources: [{ name: "kitchen", kind: "http" }],
  tools: ["bake", "burn"].map((name) => ({
    id: `kitchen:${name}`,
    description: name,
    inputSchema: { type: "object" },
    groups: [name],
  })),
  groups: [{ name: "bake" }, { name: "burn" }],
  policies: [{ name: "staff", everyone: true, groups: ["bake"] }],
  machines: [],
  assertions: [{ name: "all bake", given: {}, expect: { visible: ["kitchen:bake"], hidden: ["kitchen:burn"] } }],
};
const RED = [{ path: "assertions[all bake]", message: expect.stringContaining("`kitchen:burn`") as unknown }];
const policy = { name: "staff", everyone: true, groups: ["bake", "burn"] };

async function row(resource: string, id: string): Promise<Saved> {
  const got = await ask<Saved>(GET, "GET", `/api/admin/${resource}/${id}`, { params: { resource, id } });
  return got.json;
}
async function put(resource: string, id: string, body: object, query = ""): Promise<Got<Saved>> {
  const seen = await row(resource, id);
  const headers = { "if-match": `"${seen.revision}"` };
  return ask<Saved>(PUT, "PUT", `/api/admin/${resource}/${id}${query}`, { params: { resource, id }, body, headers });
}
const post = (resource: string, body: object, query = "") =>
  ask<Saved>(POST, "POST", `/api/admin/${resource}${query}`, { params: { resource }, body });
const remove = (resource: string, id: string, query = "") =>
  ask<Saved>(DELETE, "DELETE", `/api/admin/${resource}/${id}${query}`, { params: { resource, id } });
async function revision(): Promise<number | undefined> {
  return (await database.query<{ revision: number }>("select revision from config_state"))[0]?.revision;
}
const restart = async () => {
  expect((await ask(putConfig, "PUT", "/api/admin/config", { body: kitchen })).status).toBe(200);
};

beforeAll(restart);
beforeEach(restart);

describe("a saved row", () => {
  it("lists the assertions that newly fail, and nothing when all hold", async () => {
    const red = await put("policies", "staff", policy);
    expect(red).toMatchObject({ status: 200, json: { groups: ["bake", "burn"], warnings: RED } });
    const green = await put("policies", "staff", { ...policy, groups: ["bake"] });
    expect(green.json).not.toHaveProperty("warnings");
  });
  it("does not list what failed before it", async () => {
    await put("policies", "staff", policy);
    expect((await put("groups", "bake", { name: "bake", description: "Bread." })).json).not.toHaveProperty("warnings");
    const more = await put("policies", "staff", { ...policy, groups: ["burn"] });
    expect(more.json.warnings?.map(({ message }) => message)).toEqual([
      "fails: `kitchen:bake` should be visible and is hidden (not_in_granted_group)",
    ]);
  });
  it("lists the assertions that fail after its creation or deletion", async () => {
    expect(await post("policies", { ...policy, name: "more" })).toMatchObject({ status: 201, json: { warnings: RED } });
    expect(await remove("policies", "more")).toMatchObject({ status: 204, text: "" });
    expect(await remove("policies", "staff")).toMatchObject({
      status: 200,
      json: { warnings: [{ message: expect.stringContaining("no_policy_grant") as unknown }] },
    });
  });
  it("lists no assertions where there are none, or when no decision depends on the change", async () => {
    await put("policies", "staff", policy);
    expect((await post("tokens", { name: "t", role: "auditor" })).json).not.toHaveProperty("warnings");
    await remove("assertions", "all bake");
    expect((await put("policies", "staff", { ...policy, priority: 3 })).json).not.toHaveProperty("warnings");
  });
});

describe("a dry run", () => {
  it("returns the warnings that the save would return, and saves nothing", async () => {
    const before = await revision();
    const plans = [
      await put("policies", "staff", policy, "?dryRun=true"),
      await post("policies", { ...policy, name: "more" }, "?dryRun=true"),
      await put("tools", "kitchen:burn", { ...kitchen.tools[1], groups: ["bake"] }, "?dryRun=true"),
    ];
    for (const plan of plans) {
      expect(plan.status).toBe(200);
      expect(rowPlan.parse(plan.json)).toEqual({ errors: [], users: [], warnings: RED, review: null });
    }
    expect((await remove("policies", "staff", "?dryRun=true")).json).toMatchObject({
      errors: [],
      warnings: [{ path: "assertions[all bake]" }],
    });
    expect(await revision()).toBe(before);
    expect(await row("policies", "staff")).toMatchObject({ groups: ["bake"] });
  });
  it("names what would refuse the save, at its field", async () => {
    const unknown = await put("policies", "staff", { ...policy, groups: ["gone"] }, "?dryRun=true");
    expect(rowPlan.parse(unknown.json)).toMatchObject({ errors: [{ path: "groups[0]" }], warnings: [] });
    expect(await post("groups", { name: "bake" }, "?dryRun=true")).toMatchObject({ status: 409 });
    const stale = await ask(PUT, "PUT", "/api/admin/policies/staff?dryRun=true", {
      params: { resource: "policies", id: "staff" },
      body: policy,
      headers: { "if-match": '"0"' },
    });
    expect(stale).toMatchObject({ status: 409, json: { code: "stale" } });
  });
  it("names the users of a row that would be deleted or renamed, as the refusal does", async () => {
    const plans = [
      await remove("groups", "bake", "?dryRun=true"),
      await put("groups", "bake", { name: "baking" }, "?dryRun=true"),
    ];
    const refused = await remove("groups", "bake");
    expect(refused).toMatchObject({ status: 409, json: { code: "in_use" } });
    expect(refused.json["users"]).toContainEqual({ resource: "policies", id: "staff", path: "groups[0]" });
    for (const plan of plans) {
      expect(plan.status).toBe(200);
      expect(rowPlan.parse(plan.json).users).toEqual(refused.json["users"]);
    }
  });
  it("names the rows that get a renamed group's new name", async () => {
    const { json } = await put("groups", "bake", { name: "baking" }, "?dryRun=true&followRename=true");
    expect(rowPlan.parse(json)).toMatchObject({
      errors: [],
      users: [
        { resource: "tools", id: "kitchen:bake", path: "groups[0]" },
        { resource: "policies", id: "staff", path: "groups[0]" },
      ],
      warnings: [],
    });
  });
  it("lints the row itself, and no other one", async () => {
    const states = [{ name: "start" }, { name: "never" }];
    await post("machines", { name: "other", initial: "start", states });
    const { json } = await post("machines", { name: "mine", initial: "start", states }, "?dryRun=true");
    const { warnings } = rowPlan.parse(json);
    expect(warnings).toContainEqual({ path: "machines[mine].states[1]", message: "state `never` is never reached" });
    expect(warnings.filter(({ path }) => !path.startsWith("machines[mine]"))).toEqual([]);
    const same = await put("machines", "other", { name: "other", initial: "start", states }, "?dryRun=true");
    expect(rowPlan.parse(same.json).warnings).toContainEqual({
      path: "machines[other].states[1]",
      message: "state `never` is never reached",
    });
  });
  it("warns of an expectation about an unknown tool, because it would always hold", async () => {
    const typo = { name: "typo", given: {}, expect: { hidden: ["kitchen:brun"] } };
    expect((await post("assertions", typo, "?dryRun=true")).json.warnings).toEqual([
      { path: "assertions[typo].expect.hidden[0]", message: "there is no tool `kitchen:brun`" },
    ]);
  });
  it("warns of an owner and an approver who are no users", async () => {
    const owned = { name: "bot", owners: ["the-admin", "nobody"] };
    expect((await post("agents", owned, "?dryRun=true")).json.warnings).toEqual([
      { path: "agents[bot].owners[1]", message: "there is no user `nobody`" },
    ]);
    // Editors may not read who has an account.
    const query = { role: "editor", params: { resource: "agents" }, body: owned } as const;
    expect((await ask<Saved>(POST, "POST", "/api/admin/agents?dryRun=true", query)).json.warnings).toEqual([]);
    const offer = { ...policy, name: "offer", effect: "request", maxHours: 1, approvers: ["admin", "nobody"] };
    expect((await post("policies", offer, "?dryRun=true")).json.warnings).toEqual([
      { path: "policies[offer].approvers[1]", message: "there is no user `nobody`" },
    ]);
  });
  it("is never mistaken for a save: an unknown query parameter is refused", async () => {
    for (const query of ["?dryRun=yes", "?dryrun=true", "?dryRun"]) {
      expect(await put("policies", "staff", policy, query)).toMatchObject({ status: 400 });
      expect(await post("policies", { ...policy, name: "more" }, query)).toMatchObject({ status: 400 });
      expect(await remove("policies", "staff", query)).toMatchObject({ status: 400 });
    }
    expect(await row("policies", "staff")).toMatchObject({ groups: ["bake"] });
  });
  it("creates no key and no person", async () => {
    expect(await post("tokens", { name: "dry", role: "auditor" }, "?dryRun=true")).toMatchObject({
      status: 200,
      json: { errors: [], warnings: [] },
    });
    expect(await row("tokens", "dry")).toMatchObject({ code: "not_found" });
  });
});
