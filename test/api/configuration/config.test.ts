import { Client } from "pg";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { parse, stringify } from "yaml";
import { GET, PUT } from "@/app/api/admin/config/route";
import { GET as listRevisions } from "@/app/api/admin/revisions/route";
import { GET as getRevision } from "@/app/api/admin/revisions/[number]/route";
import type { Configuration } from "@/lib/access/model/configuration";
import { parseDocument, toConfiguration } from "@/lib/config/document";
import { configPlan, type ConfigPlan } from "@/lib/contracts/changes/config";
import { revisionDetail, revisionRow } from "@/lib/contracts/changes/revision";
import { pageOf } from "@/lib/contracts/changes/list";
import { readDocument } from "@/lib/store/save/config-document";
import { currentSnapshot, snapshotAt, snapshotOf } from "@/lib/store/snapshot/snapshot";
import { ask, type Answer, type Sent } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();

const tool = { description: "Does it.", inputSchema: { type: "object" } };

const kitchen = {
  apiVersion: "quartermaster/v1",
  settings: { routing: { high: 0.9 } },
  sources: [{ name: "kitchen", kind: "http" }],
  tools: [
    { id: "kitchen:bake", ...tool, groups: ["menu"], tags: ["hot"], version: "7" },
    { id: "kitchen:cool", ...tool, groups: [], availableInStates: [] },
    { id: "kitchen:look", ...tool, availableInStates: ["*"] },
  ],
  groups: [{ name: "menu" }, { name: "hot", selectors: [{ requiredTags: ["hot"] }] }],
  policies: [{ name: "staff", matchers: [{ claim: "roles", operator: "contains", value: "staff" }], groups: ["menu"] }],
  machines: [{ name: "run", initial: "a", states: [{ name: "a" }, { name: "b", terminal: true }] }],
  personas: [{ name: "cook", capabilities: ["bake"], sampleClaims: { roles: ["staff"] } }],
  intents: [{ name: "EAT", groups: ["menu"] }],
  issuers: [{ name: "corp", issuer: "https://corp.example", audience: "qm", jwksUri: "https://corp.example/jwks" }],
  agents: [{ name: "bot", issuer: "corp", subject: "bot", persona: "cook", machine: "run" }],
  assertions: [{ name: "staff bake", given: { claims: { roles: ["staff"] } }, expect: { visible: ["kitchen:bake"] } }],
};

function put<T = Answer>(body: object | string, query = "", sent: Sent = {}) {
  const content = typeof body === "string" ? { text: body, headers: { "content-type": "application/yaml" } } : { body };
  return ask<T>(PUT, "PUT", `/api/admin/config${query}`, { ...content, ...sent });
}

function read(accept = "application/json") {
  return ask(GET, "GET", "/api/admin/config", { headers: { accept } });
}

async function revision(): Promise<number> {
  const [state] = await database.query<{ revision: number }>("select revision from config_state");
  return state?.revision ?? 0;
}

async function changeRows(): Promise<number> {
  const [row] = await database.query<{ count: string }>("select count(*) from change");
  return Number(row?.count);
}

beforeEach(async () => {
  const sections = [
    "sources",
    "groups",
    "tools",
    "policies",
    "machines",
    "personas",
    "intents",
    "issuers",
    "agents",
    "assertions",
  ];
  await put({
    apiVersion: "quartermaster/v1",
    settings: {},
    ...Object.fromEntries(sections.map((name) => [name, []])),
  });
});

describe("the configuration document", () => {
  it("is applied in one transaction as one revision, and the history shows its changes", async () => {
    const before = await revision();
    const applied = await put<ConfigPlan>(kitchen);
    expect(applied).toMatchObject({ status: 200 });
    expect(configPlan.parse(applied.json)).toMatchObject({ created: 13, deleted: 0, errors: [], revision: before + 1 });
    expect(await revision()).toBe(before + 1);
    const page = pageOf(revisionRow).parse((await ask(listRevisions, "GET", "/api/admin/revisions?limit=1")).json);
    expect(page.items[0]).toMatchObject({ number: before + 1, changes: 14, note: "configuration document" });
    const params = { number: String(before + 1) };
    const detail = await ask(getRevision, "GET", `/api/admin/revisions/${before + 1}`, { params });
    expect(revisionDetail.parse(detail.json).rows).toHaveLength(14);
  });

  it.each(["application/json", "application/yaml"])("read as %s and applied again changes nothing", async (type) => {
    await put(kitchen);
    const { text } = await read(type);
    const before = await revision();
    const again = await put<ConfigPlan>("", "", { text, headers: { "content-type": type } });
    expect(again.json).toMatchObject({ created: 0, changed: 0, deleted: 0, unchanged: 14, revision: before });
    expect((await read(type)).text).toBe(text);
  });

  it('keeps null, [] and ["*"] apart, through YAML, JSON, the database and the resolver\'s configuration', async () => {
    await put(stringify(kitchen));
    const rows = Object.fromEntries((await readDocument()).document.tools!.map((row) => [row.id, row]));
    expect(rows["kitchen:bake"]).toMatchObject({ groups: ["menu"], availableInStates: null, version: "7" });
    expect(rows["kitchen:cool"]).toMatchObject({ groups: [], availableInStates: [] });
    expect(rows["kitchen:look"]).toMatchObject({ groups: null, availableInStates: ["*"] });
    const { index } = await currentSnapshot();
    const cool = index.config.tools.find(({ id }) => id === "kitchen:cool");
    expect([cool?.groups, cool?.availableInStates]).toEqual([[], []]);
  });

  it("changes nothing in a row that lacks a field which has a default, as older versions wrote it", async () => {
    await put(kitchen);
    await database.query("update tool set limits = limits - 'perCaller'");
    const { text } = await read("application/json");
    const again = await put<ConfigPlan>("", "", { text, headers: { "content-type": "application/json" } });
    expect(again.json).toMatchObject({ created: 0, changed: 0, deleted: 0, unchanged: 14 });
  });

  it("saves nothing on a dry run, and answers the plan that applying then follows", async () => {
    await put(kitchen);
    const [before, rows] = [await revision(), await changeRows()];
    const draft = { ...kitchen, groups: [kitchen.groups[0], { name: "fresh" }], intents: [] };
    const plan = await put<ConfigPlan>(draft, "?dryRun=true");
    expect(configPlan.parse(plan.json)).toMatchObject({
      created: 1,
      deleted: 2,
      changed: 0,
      sections: { groups: { created: ["fresh"], deleted: ["hot"] }, intents: { deleted: ["EAT"] } },
    });
    expect([await revision(), await changeRows()]).toEqual([before, rows]);
    const applied = await put<ConfigPlan>(draft);
    expect(applied.json.sections).toEqual(plan.json.sections);
  });

  it("answers what it changed, not what an older plan expected", async () => {
    await put(kitchen);
    const other = { ...kitchen, groups: [...kitchen.groups, { name: "fresh" }] };
    const lock = new Client({ connectionString: database.url });
    await lock.connect();
    onTestFinished(() => lock.end());
    await lock.query("begin; select 1 from config_state for update");
    const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    const saves: Promise<{ json: ConfigPlan }>[] = [];
    for (const document of [other, kitchen]) {
      saves.push(put<ConfigPlan>(document));
      await vi.waitFor(async () => expect(await database.query(waiting)).toHaveLength(saves.length), {
        timeout: 5_000,
      });
    }
    await lock.query("commit");
    const [, last] = await Promise.all(saves);
    expect(last?.json).toMatchObject({ deleted: 1, sections: { groups: { deleted: ["fresh"] } } });
  });

  it("leaves an absent section unchanged, and [] empties a section", async () => {
    await put(kitchen);
    await put({ apiVersion: "quartermaster/v1", intents: [] });
    const { document } = await readDocument();
    expect(document.intents).toEqual([]);
    expect(document.policies).toHaveLength(1);
    expect(document.settings?.routing.high).toBe(0.9);
  });

  it("may pass subjects from agent to agent, and addresses from issuer to issuer, in any order", async () => {
    const [corp] = kitchen.issuers;
    const issuersOf = (...urls: string[]) => urls.map((issuer, n) => ({ ...corp, name: `corp-${n}`, issuer }));
    const agentsOf = (...subjects: string[]) =>
      subjects.map((subject, n) => ({ name: `bot-${n}`, issuer: "corp-0", subject }));
    const document = (issuers: object[], agents: object[]) => ({ apiVersion: "quartermaster/v1", issuers, agents });
    const [a, b, c] = ["https://a.example", "https://b.example", "https://c.example"];
    await put(document(issuersOf(a, b, c), agentsOf("a", "b", "c")));
    const moved = document(issuersOf(b, a, "https://d.example"), agentsOf("b", "c", "a"));
    expect((await put(moved)).status).toBe(200);
    const rows = await database.query("select name, subject from agent order by name");
    expect(rows).toEqual(agentsOf("b", "c", "a").map(({ name, subject }) => ({ name, subject })));
  });

  it("merges the stated fields of stored rows, and refuses unknown ones", async () => {
    await put(kitchen);
    const merge = (rows: object) => put({ apiVersion: "quartermaster/v1", ...rows }, "?mode=merge");
    const partial = { policies: [{ name: "staff", active: false }], tools: [{ id: "kitchen:bake", tags: ["warm"] }] };
    expect(await merge(partial)).toMatchObject({ status: 200, json: { changed: 2, created: 0, deleted: 0 } });
    const document = (await read()).json as unknown as { policies: object[]; tools: object[] };
    expect(document.policies).toMatchObject([{ ...kitchen.policies[0], active: false }]);
    expect(document.tools[0]).toMatchObject({ ...kitchen.tools[0], tags: ["warm"] });
    const wrong = await merge({ policies: [{ name: "staff", colour: "red" }] });
    expect(wrong).toMatchObject({ status: 400, json: { errors: [{ path: "policies[staff].colour" }] } });
    expect(await merge({ policies: [{ active: false }] })).toMatchObject({ status: 400 });
    expect(await merge({ polices: [] })).toMatchObject({ status: 400 });
  });

  it("is refused as a whole, with every problem at its path", async () => {
    const before = await revision();
    const refused = await put({
      ...kitchen,
      colour: "red",
      groups: [{ name: "menu" }, { name: "menu" }, { name: "default" }],
      policies: [
        { name: "finance", groups: ["menu"] },
        { name: "bad", everyone: true, groups: ["menu"], matcher: [] },
      ],
    });
    expect(refused.status).toBe(400);
    const paths = refused.json.errors.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(["colour", "groups[default].name", "policies[finance].matchers", "policies[bad].matcher"]),
    );
    const unknown = await put({
      ...kitchen,
      policies: [{ name: "finance", everyone: true, groups: ["menu", "gold"] }],
    });
    expect(unknown.json.errors).toEqual([
      { path: "policies[finance].groups[1]", message: "unknown tool group `gold`" },
    ]);
    const twice = await put({ ...kitchen, groups: [{ name: "menu" }, { name: "menu" }, { name: "hot" }] });
    expect(twice.json.errors).toEqual([{ path: "groups[menu].name", message: "`menu` occurs twice in groups" }]);
    expect(await revision()).toBe(before);
    expect((await readDocument()).document.sources).toEqual([]);
  });

  it("does not delete a row that is still in use outside it, and the plan says so", async () => {
    await put(kitchen);
    const draft = { apiVersion: "quartermaster/v1", groups: [{ name: "hot" }] };
    const plan = await put<ConfigPlan>(draft, "?dryRun=true");
    expect(plan.json.errors).not.toEqual([]);
    const refused = await put(draft);
    expect(refused).toMatchObject({ status: 409, json: { code: "in_use" } });
    expect(refused.json["users"]).toContainEqual({ resource: "policies", id: "staff", path: "groups[0]" });
  });

  it("is written by editors, except for issuers and settings: the refusal names the section", async () => {
    const { issuers, agents, settings, ...allowed } = kitchen;
    expect(await put(allowed, "", { role: "editor" })).toMatchObject({ status: 200 });
    for (const [section, value] of Object.entries({ issuers, settings: { ...settings, openStart: false } })) {
      const refused = await put({ ...allowed, [section]: value }, "", { role: "editor" });
      expect(refused).toMatchObject({ status: 403, json: { code: "forbidden" } });
      expect(refused.json.detail).toContain(section);
    }
    expect(await put(kitchen, "", { role: "auditor" })).toMatchObject({ status: 403 });
    expect(await put({ ...kitchen, agents })).toMatchObject({ status: 200 });
    // A section that equals the stored one changes nothing, so it needs no permission.
    expect(await put(kitchen, "", { role: "editor" })).toMatchObject({ status: 200 });
  });

  it.each([
    ["groups: [", "application/yaml", 400],
    ['{"apiVersion": ', "application/json", 400],
    ["a: &a [x]\nb: [*a, *nowhere]", "application/yaml", 400],
    ["[]", "application/json", 400],
    ["apiVersion: quartermaster/v2", "application/yaml", 400],
    [`apiVersion: quartermaster/v1\npersonas: [{ name: p, description: "\\0" }]`, "application/yaml", 400],
    ["apiVersion: quartermaster/v1", "image/png", 415],
    ["apiVersion: quartermaster/v1", "application/yaml; charset=utf-16", 415],
    [
      `{"apiVersion":"quartermaster/v1","personas":[{"name":"p","sampleClaims":${"[".repeat(50_000)}${"]".repeat(50_000)}}]}`,
      "application/json",
      400,
    ],
  ])("is refused when it cannot be read: %.40s", async (text, type, status) => {
    const refused = await put("", "", { text, headers: { "content-type": type } });
    expect(refused).toMatchObject({ status });
  });

  it("aliases cannot multiply its size", async () => {
    const lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"];
    for (let n = 0; n < 8; n += 1)
      lines.push(
        `l${n}: &l${n} [${Array(10)
          .fill(n === 0 ? "*a" : `*l${n - 1}`)
          .join(", ")}]`,
      );
    expect(await put(lines.join("\n"))).toMatchObject({ status: 400 });
  });

  it("warns about suspicious rows without refusing them", async () => {
    const plan = await put<ConfigPlan>(
      {
        ...kitchen,
        machines: [{ ...kitchen.machines[0], rules: [{ tool: "kitchen:gone" }] }],
        groups: [...kitchen.groups, { name: "stale", exclude: [{ tool: "kitchen:gone" }] }],
      },
      "?dryRun=true",
    );
    expect(plan.json.errors).toEqual([]);
    const paths = plan.json.warnings.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        "groups[stale].exclude[0].tool",
        "machines[run].rules[0].tool",
        "machines[run].rules[0]",
      ]),
    );
  });
});

describe("an older revision", () => {
  it("is rebuilt by reversing the changes: deletions, renames and edits since", async () => {
    await put(kitchen);
    const then = await revision();
    const before = (await snapshotAt(then)).index.config;
    await put({
      ...kitchen,
      policies: [],
      intents: [],
      agents: [],
      groups: [{ name: "menu", active: false }],
      tools: [],
    });
    await put({
      ...kitchen,
      settings: { openStart: false },
      groups: [{ name: "menu", guidance: "x" }, { name: "hot" }],
    });
    const past = (await snapshotAt(then)).index.config;
    const { document } = await readDocument();
    expect(withoutMeta(past)).toEqual(withoutMeta(before));
    expect(withoutMeta(past)).toEqual({
      ...toConfiguration(parsed(kitchen)),
      revision: then,
      ...inOrder(withoutMeta(past)),
    });
    expect(document.groups?.[1]).toMatchObject({ name: "menu", guidance: "x" });
    await expect(snapshotAt(then + 100)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("an inline document", () => {
  it("is a complete configuration, independent of stored rows", async () => {
    await put(kitchen);
    const {
      index,
      tools,
      revision: number,
    } = await snapshotOf(parsed({ apiVersion: "quartermaster/v1", groups: [{ name: "x" }] }));
    expect(index.config.groups.map(({ name }) => name)).toEqual(["x"]);
    expect([tools.size, index.config.policies, number]).toEqual([0, [], 0]);
  });
});

function parsed(document: object) {
  const result = parseDocument(parse(stringify(document)));
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.document;
}

/** The facts of a configuration, without the revision and times of its rows. */
function withoutMeta(config: Configuration): Configuration {
  const isMeta = new Set(["revision", "createdAt", "updatedAt"]);
  const facts = (row: object) => Object.fromEntries(Object.entries(row).filter(([field]) => !isMeta.has(field)));
  const sections = Object.entries(config).map(([name, rows]) => [name, Array.isArray(rows) ? rows.map(facts) : rows]);
  return Object.fromEntries(sections) as Configuration;
}

/** The sections of a configuration, each in the order in which it was rebuilt. */
function inOrder({ tools, groups }: { tools: readonly { id: string }[]; groups: readonly { name: string }[] }) {
  return {
    tools: tools.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    groups: groups.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
}
