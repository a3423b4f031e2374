import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { GET as readChanges } from "@/app/api/admin/changes/route";
import { PUT } from "@/app/api/admin/config/route";
import { POST as preview } from "@/app/api/admin/preview/route";
import { POST as accept } from "@/app/api/admin/profiles/[name]/drift/accept/route";
import { GET as readDrift } from "@/app/api/admin/profiles/[name]/drift/route";
import { GET as readProfiles } from "@/app/api/admin/profiles/route";
import type { PreviewOutput } from "@/lib/contracts/decisions/preview";
import type { ProfileRow } from "@/lib/resources/profile";
import { profileDriftAccepted, profileDriftPage, type ProfileDriftPage } from "@/lib/contracts/decisions/profile-drift";
import type { Role } from "@/lib/resources/permissions";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();

const PROFILE = "scheduled";
const tool = (id: string, fields: object = {}) => ({
  id,
  description: `Does ${id}.`,
  inputSchema: { type: "object" },
  ...fields,
});
const kitchen = {
  apiVersion: "quartermaster/v1",
  sources: [
    { name: "kitchen", kind: "http" },
    { name: "subagent", kind: "http" },
  ],
  tools: [tool("kitchen:bake"), tool("kitchen:burn"), tool("kitchen:mcp_register_server"), tool("subagent:spawn")],
  policies: [{ name: "all", everyone: true, groups: ["*"] }],
};

async function put(document: object): Promise<void> {
  expect((await ask(PUT, "PUT", "/api/admin/config", { body: document })).status).toBe(200);
}
async function drift(query = "", profile = PROFILE): Promise<ProfileDriftPage> {
  const params = { name: profile };
  const got = await ask(readDrift, "GET", `/api/admin/profiles/${profile}/drift${query}`, { params, role: "auditor" });
  expect(got.status).toBe(200);
  return profileDriftPage.parse(got.json);
}
const accepting = (tools: readonly { tool: string; hash: string }[], profile = PROFILE, role: Role = "admin") =>
  ask(accept, "POST", `/api/admin/profiles/${profile}/drift/accept`, {
    params: { name: profile },
    body: { tools },
    role,
  });
const asked = (items: ProfileDriftPage["items"]) => items.map(({ tool: id, hash }) => ({ tool: id, hash }));
async function listed(profile: string): Promise<{ visible: string[]; hidden: Record<string, string> }> {
  const { json } = await ask<PreviewOutput>(preview, "POST", "/api/admin/preview", { body: { claims: {}, profile } });
  return {
    visible: json.tools.map(({ toolId }) => toolId).toSorted(),
    hidden: Object.fromEntries(json.hidden.map(({ toolId, reason }) => [toolId, reason])),
  };
}

beforeAll(() => put(kitchen));

describe("what drift holds back from a profile", () => {
  it("is every new tool that the profile allows, with its definition: none that it denies, and none without limits", async () => {
    const { items, total } = await drift();
    expect(items).toMatchObject([
      { tool: "kitchen:bake", why: "new_source", accepted: null, definition: { description: "Does kitchen:bake." } },
      { tool: "kitchen:burn", why: "new_source" },
    ]);
    expect(total).toBe(2);
    expect(await drift("", "main")).toMatchObject({ items: [], total: 0 });
  });
  it("is counted in the list of profiles, and is what the resolver hides", async () => {
    const { json } = await ask(readProfiles, "GET", "/api/admin/profiles");
    const counts = (json.items as unknown as ProfileRow[]).map(({ name, drift: count }) => [name, count]);
    expect(Object.fromEntries(counts)).toEqual({ main: 0, subagent: 2, scheduled: 2, "a2a-synthesis": 4 });
    expect((await listed(PROFILE)).hidden).toEqual({
      "kitchen:bake": "profile_drift",
      "kitchen:burn": "profile_drift",
      "kitchen:mcp_register_server": "profile_denied",
      "subagent:spawn": "profile_denied",
    });
  });
  it("comes page by page, each tool once", async () => {
    const first = await drift("?limit=1");
    expect(first).toMatchObject({ total: 2, nextCursor: "kitchen:bake", items: [{ tool: "kitchen:bake" }] });
    expect(await drift(`?limit=1&cursor=${first.nextCursor}`)).toMatchObject({
      nextCursor: null,
      items: [{ tool: "kitchen:burn" }],
    });
  });
  it("is of profiles that exist", async () => {
    const got = await ask(readDrift, "GET", "/api/admin/profiles/none/drift", { params: { name: "none" } });
    expect(got).toMatchObject({ status: 404, json: { code: "not_found" } });
  });
});

describe("accepting", () => {
  beforeEach(async () => {
    await database.query("delete from drift_acceptance");
    // A deletion that bypassed the store becomes visible with the next revision.
    await put({ ...kitchen, personas: [{ name: `p${performance.now()}` }] });
  });

  it("shows the tool at once, to that profile alone, and is one change of one revision", async () => {
    const { items, revision } = await drift();
    const got = await accepting(asked(items));
    expect(profileDriftAccepted.parse(got.json)).toEqual({ profile: PROFILE, revision: revision + 1, accepted: 2 });
    expect((await listed(PROFILE)).visible).toEqual(["kitchen:bake", "kitchen:burn"]);
    expect((await listed("subagent")).visible).toEqual([]);
    const log = await ask(readChanges, "GET", `/api/admin/changes?resource=drift-acceptances&revision=${revision + 1}`);
    expect(log.json.items).toMatchObject([
      {
        action: "create",
        rowId: `${PROFILE}/kitchen:burn`,
        actor: { role: "admin" },
        after: { by: expect.any(String) },
      },
      { action: "create", rowId: `${PROFILE}/kitchen:bake` },
    ]);
  });
  it("a second time changes nothing and makes no revision", async () => {
    const { items } = await drift();
    const first = profileDriftAccepted.parse((await accepting(asked(items))).json);
    expect((await accepting(asked(items))).json).toEqual({ ...first, accepted: 0 });
  });
  it("is of a definition: a changed one waits again, beside the one that was accepted", async () => {
    const { items } = await drift();
    await accepting(asked(items));
    await put({
      ...kitchen,
      tools: [tool("kitchen:bake", { description: "Bakes, and mails it." }), ...kitchen.tools.slice(1)],
    });
    expect((await listed(PROFILE)).hidden).toMatchObject({ "kitchen:bake": "profile_drift" });
    const again = await drift();
    expect(again.items).toMatchObject([
      {
        tool: "kitchen:bake",
        why: "changed_definition",
        definition: { description: "Bakes, and mails it." },
        accepted: { hash: items[0]?.hash, definition: { description: "Does kitchen:bake." } },
      },
    ]);
    const [change] = again.items;
    const [row] = await database.query<{ at: Date }>(
      `select at from change where resource = 'tools' and "rowId" = 'kitchen:bake' order by id desc limit 1`,
    );
    expect(change?.since).toBe(row?.at.toISOString());
    await put(kitchen);
    expect((await listed(PROFILE)).visible).toContain("kitchen:bake");
  });
  it("says of a tool that joins a reviewed source that the source is not new; a label is no new definition", async () => {
    await accepting(asked((await drift()).items));
    const { tools: known } = kitchen;
    const labelled = known.map((each) => ({ ...each, labels: ["mine"] }));
    await put({ ...kitchen, tools: [...labelled, tool("kitchen:boil")] });
    expect((await drift()).items).toMatchObject([{ tool: "kitchen:boil", why: "new_tool" }]);
  });
  it("refuses a definition that has changed since, and then accepts nothing of the request", async () => {
    const { items } = await drift();
    const outdated = asked(items).map((one) => (one.tool === "kitchen:burn" ? { ...one, hash: "0".repeat(64) } : one));
    expect(await accepting(outdated)).toMatchObject({
      status: 409,
      json: { code: "stale", errors: [{ path: "tools[1].hash", message: expect.stringContaining("kitchen:burn") }] },
    });
    expect((await drift()).total).toBe(2);
  });
  it.each([
    ["a tool that the profile denies", PROFILE, "subagent:spawn", /denies/],
    ["a tool that is not there", PROFILE, "kitchen:none", /no such tool/],
    ["anything for a profile without limits", "main", "kitchen:bake", /restricts nothing/],
  ])("refuses %s", async (_what, profile, id, message) => {
    const got = await accepting([{ tool: id, hash: "a".repeat(64) }], profile);
    expect(got).toMatchObject({
      status: 400,
      json: { errors: [{ path: "tools[0].tool", message: expect.stringMatching(message) }] },
    });
  });
  it("cannot override the profile, whatever is stored", async () => {
    const [row] = await database.query<{ hash: string }>(
      `select "definitionHash" as hash from tool where id = 'subagent:spawn'`,
    );
    await database.query(
      `insert into drift_acceptance (name, profile, tool, "definitionHash", by, revision, "createdAt", "updatedAt")
       values ('scheduled/subagent:spawn', 'scheduled', 'subagent:spawn', $1, 'x', 0, now(), now())`,
      [row?.hash],
    );
    await put({ ...kitchen, personas: [{ name: `p${performance.now()}` }] });
    expect((await listed(PROFILE)).hidden).toMatchObject({ "subagent:spawn": "profile_denied" });
  });
  it("is for admins, and for bodies that name each tool once with the hash that was looked at", async () => {
    const { items } = await drift();
    for (const role of ["editor", "auditor"] as const)
      expect(await accepting(asked(items), PROFILE, role)).toMatchObject({ status: 403 });
    const [one] = asked(items);
    for (const tools of [[], [one, one], [{ tool: one?.tool }], [{ ...one, hash: "x" }]])
      expect(await accepting(tools as never)).toMatchObject({ status: 400, json: { code: "invalid_request" } });
  });
});
