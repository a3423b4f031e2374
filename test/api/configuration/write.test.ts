import { monitorEventLoopDelay } from "node:perf_hooks";
import { RE2JS } from "re2js";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { GET, PUT } from "@/app/api/admin/[resource]/[id]/route";
import { POST } from "@/app/api/admin/[resource]/route";
import { POST as bulk } from "@/app/api/admin/bulk/[section]/route";
import { GET as getConfig, PUT as putConfig } from "@/app/api/admin/config/route";
import { POST as startImport } from "@/app/api/admin/imports/route";
import { POST as restore } from "@/app/api/admin/revisions/[number]/restore/route";
import { PUT as putSecret } from "@/app/api/admin/secrets/[name]/route";
import { MAX_PROBLEMS } from "@/lib/config/problems";
import { agentInput } from "@/lib/resources/agent";
import { issuerInput } from "@/lib/resources/issuer";
import { sourceInput } from "@/lib/resources/source";
import { policyInput } from "@/lib/resources/policy";
import { toolInput } from "@/lib/resources/tool";
import { FORM_NAME_REFUSED } from "@/lib/resources/parts/words";
import { groups } from "@/lib/store/config/groups";
import { issuers } from "@/lib/store/config/issuers";
import { saveOpenIdUser } from "@/lib/store/people/openid-users";
import { Stored } from "@/lib/store/save/stored";
import { write, type Actor, type Change } from "@/lib/store/save/write";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { signIn } from "@/test/support/person";

const database = useDatabase();
const ADMIN: Actor = { kind: "system", name: "test", role: "admin" };
const group = (name: string) => ({
  name,
  description: "",
  guidance: null,
  active: true,
  selectors: [],
  include: [],
  exclude: [],
});

const PERSON = {
  issuer: "https://idp.example",
  subject: "new",
  email: "new@example.com",
  displayName: "",
  groups: [],
  role: "auditor",
} as const;

const CORP = {
  name: "corp",
  issuer: "https://corp.example",
  audience: "quartermaster",
  jwksUri: "https://corp.example/keys",
};

async function revision(): Promise<number> {
  const [state] = await database.query<{ revision: number }>("select revision from config_state");
  return state?.revision ?? 0;
}

beforeEach(async () => {
  await database.query("delete from tool_group; delete from change; delete from revision");
  await signIn("admin");
});

describe("one change", () => {
  it("of twenty at once against the same revision, one is saved and the others are stale", async () => {
    const made = await groups.create(ADMIN, group("menu"));
    const before = await revision();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        ask(PUT, "PUT", "/api/admin/groups/menu", {
          body: { ...group("menu"), description: `Edit ${n}` },
          params: { resource: "groups", id: "menu" },
          headers: { "if-match": `"${made.revision}"` },
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(19);
    expect(await revision()).toBe(before + 1);
  });

  it("made concurrently with others gets its own revision, without gaps", async () => {
    const before = await revision();
    await Promise.all(Array.from({ length: 15 }, (_, n) => groups.create(ADMIN, group(`g${n}`))));
    const rows = await database.query<{ number: number }>("select number from revision order by number");
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 15 }, (_, n) => before + 1 + n));
  });

  it("is saved with its history or not at all", async () => {
    const before = await revision();
    await database.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no history today'; end $$;
      create trigger refuse before insert on change for each row execute function refuse()`);
    const refused = await ask(POST, "POST", "/api/admin/groups", {
      body: { name: "menu" },
      params: { resource: "groups" },
    }).finally(() => database.query("drop trigger refuse on change; drop function refuse"));
    expect(refused).toMatchObject({ status: 500, json: { code: "internal" } });
    expect(refused.text).not.toContain("no history today");
    expect(await database.query("select * from tool_group")).toEqual([]);
    expect(await revision()).toBe(before);
  });

  it("by a role that may not make it is refused on every path", async () => {
    const editor: Actor = { kind: "token", name: "ci", role: "editor" };
    const token = { name: "t", role: "admin", enabled: true, lastFour: "abcd", createdBy: "ci" } as const;
    const plan = () =>
      [{ resource: "tokens", action: "create", after: { ...token, expiresAt: "2030-01-01T00:00:00.000Z" } }] as const;
    await expect(write(editor, plan)).rejects.toMatchObject({ code: "forbidden" });
  });

  it("gives no new row the name `new`, whose page is the form, on every path", async () => {
    const refused = (path: string) => ({ status: 400, json: { errors: [{ path, message: FORM_NAME_REFUSED }] } });
    const document = { apiVersion: "quartermaster/v1", groups: [{ name: "new" }] };
    const plan = await ask(putConfig, "PUT", "/api/admin/config?dryRun=true", { body: document });
    expect(plan.json["errors"]).toEqual(refused("groups[new].name").json.errors);
    const headers = { "if-match": `"${await revision()}"` };
    const applied = await ask(putConfig, "PUT", "/api/admin/config", { body: document, headers });
    expect(applied).toMatchObject(refused("groups[new].name"));
    const secret = { body: { value: "a secret", origins: ["https://api.example"] }, params: { name: "new" } };
    expect(await ask(putSecret, "PUT", "/api/admin/secrets/new", secret)).toMatchObject(refused("name"));
    const imported = { body: { source: "new", url: "https://api.example/openapi.json" } };
    expect(await ask(startImport, "POST", "/api/admin/imports", imported)).toMatchObject(refused("source"));
    await saveOpenIdUser({ ...PERSON, name: "new" });
    expect(await database.query("select name from person where issuer is not null")).toEqual([{ name: "new-2" }]);
  });

  it("may swap names and chain them: only the final state counts", async () => {
    await groups.create(ADMIN, group("a"));
    await groups.create(ADMIN, group("b"));
    await write(ADMIN, () => [
      { resource: "groups", action: "delete", id: "a" },
      { resource: "groups", action: "update", id: "b", after: { ...group("a"), description: "was b" } },
      { resource: "groups", action: "create", after: group("b") },
    ]);
    expect(await groups.get("a")).toMatchObject({ description: "was b" });
    expect(await groups.get("b")).toMatchObject({ description: "" });
    const renamed = (id: string, name: string): Change => ({
      resource: "groups",
      action: "update",
      id,
      after: { ...group(name), description: `was ${id}` },
    });
    await write(ADMIN, () => [renamed("a", "b"), renamed("b", "a")]);
    await groups.create(ADMIN, group("z"));
    await write(ADMIN, () => [renamed("a", "b"), renamed("b", "c"), { resource: "groups", action: "delete", id: "z" }]);
    await write(ADMIN, () => [renamed("b", "c"), renamed("c", "z")]);
    const rows = await database.query("select name, description from tool_group order by name");
    expect(rows).toEqual([
      { name: "c", description: "was b" },
      { name: "z", description: "was c" },
    ]);
  });
});

describe("thousands of rows at once", () => {
  /** Milliseconds that nobody else gets an answer, at most: far below what comparing each row with each other takes. */
  const HELD_MS = 2_000;
  const COUNT = 2_500;

  it("are compared with the stored rows once, and block no other request", async () => {
    const names = Array.from({ length: COUNT }, (_, n) => `bot-${n}`);
    const created = names.map((name): Change => ({
      resource: "agents",
      action: "create",
      after: agentInput.parse({ name, issuer: "corp", subject: name }),
    }));
    const held = monitorEventLoopDelay({ resolution: 10 });
    held.enable();
    await issuers.create(ADMIN, issuerInput.parse(CORP));
    // Documents and bulk changes read all rows of a kind in one query.
    const all = (changes: readonly Change[]) => write(ADMIN, async (stored) => (await stored.all("agents"), changes));
    await all(created);
    await all(names.map((id): Change => ({ resource: "agents", action: "delete", id })));
    held.disable();
    expect(held.max / 1e6).toBeLessThan(HELD_MS);
  });

  it("each say which other row has what only one may have", async () => {
    const of = (name: string): Change => ({
      resource: "agents",
      action: "create",
      after: agentInput.parse({ name, issuer: "corp", subject: "the same" }),
    });
    const refused = write(ADMIN, () => [of("first"), of("second")], { paths: "document" });
    await expect(refused).rejects.toMatchObject({
      errors: [
        { path: "agents[first].subject", message: "`second` has the same issuer and subject" },
        { path: "agents[second].subject", message: "`first` has the same issuer and subject" },
      ],
    });
  });
});

describe("a document read at one revision", () => {
  it("is not applied over a later change when it names its base revision", async () => {
    const body = { apiVersion: "quartermaster/v1", groups: [{ name: "menu" }] };
    const at = await revision();
    await groups.create(ADMIN, group("other"));
    const stale = await ask(putConfig, "PUT", "/api/admin/config", { body, headers: { "if-match": `"${at}"` } });
    expect(stale).toMatchObject({ status: 409, json: { code: "stale", current: { revision: at + 1 } } });
    const now = await ask(putConfig, "PUT", "/api/admin/config", { body, headers: { "if-match": `"${at + 1}"` } });
    expect(now).toMatchObject({ status: 200, json: { created: 1, deleted: 1 } });
  });
});

describe("a form that saving refuses", () => {
  const TUPLE = { type: "object", properties: { p: { type: "array", items: [{ type: "number" }] } } };
  const TOOL = { id: "kitchen:bake", description: "Bakes.", inputSchema: TUPLE };
  const OPS = [{ claim: "team", operator: "in", value: "ops," }];
  const POLICY = { name: "ops", matchers: OPS, groups: ["*"] };
  const BAD = { "tools kitchen:bake": TOOL, "policies ops": POLICY };
  const REFUSED = [
    ["tools[kitchen:bake].inputSchema", expect.stringContaining("`properties.p.items` is a list")],
    ["policies[ops].matchers[0].value", expect.stringContaining("remove the empty value")],
  ];
  const pairs = (found: unknown) =>
    (found as { path: string; message: string }[]).map(({ path, message }) => [path, message]);
  const change = async (row: string, changes: object) => {
    const [resource = "", id = ""] = row.split(" ");
    const path = `/api/admin/${resource}/${id}`;
    const params = { resource, id };
    const { json } = await ask(GET, "GET", path, { params });
    const headers = { "if-match": `"${String(json["revision"])}"` };
    return ask(PUT, "PUT", path, { params, headers, body: { ...BAD[row as keyof typeof BAD], ...changes } });
  };
  const store = async () => {
    await database.query("delete from tool; delete from policy; delete from source");
    const rows: Change[] = [
      { resource: "sources", action: "create", after: sourceInput.parse({ name: "kitchen", kind: "http" }) },
      { resource: "tools", action: "create", after: toolInput.parse(TOOL) },
      { resource: "policies", action: "create", after: policyInput.parse(POLICY) },
    ];
    return write(ADMIN, () => rows, { review: "exempt" });
  };

  it("stays in a stored row, which can be disabled and restored", async () => {
    const { revision: number } = await store();
    expect(await change("tools kitchen:bake", { enabled: false })).toMatchObject({ status: 200 });
    expect(await change("policies ops", { active: false })).toMatchObject({ status: 200 });
    const back = await ask(restore, "POST", `/api/admin/revisions/${number}/restore`, {
      params: { number: String(number) },
    });
    expect(back).toMatchObject({ status: 200, json: { changes: 2 } });
    for (const [section, field] of [
      ["tools", "enabled"],
      ["policies", "active"],
    ] as const) {
      const body = { rows: { query: {} }, change: { kind: "set", field, value: false } };
      const many = await ask(bulk, "POST", `/api/admin/bulk/${section}`, { params: { section }, body });
      expect(many).toMatchObject({ status: 200, json: { changing: 1 } });
    }
  });

  it("returns with a restore, with the undo of a deletion and of an edit, and in no other row", async () => {
    const { revision: number } = await store();
    const restored = () =>
      ask(restore, "POST", `/api/admin/revisions/${number}/restore`, { params: { number: String(number) } });
    expect(await change("policies ops", { matchers: [{ ...OPS[0], value: "ops" }] })).toMatchObject({ status: 200 });
    expect(await restored()).toMatchObject({ status: 200, json: { changes: 1 } });
    const rows: Change[] = [
      { resource: "policies", action: "delete", id: "ops" },
      { resource: "tools", action: "delete", id: "kitchen:bake" },
    ];
    await write(ADMIN, () => rows);
    expect(await restored()).toMatchObject({ status: 200, json: { changes: 2 } });
    await write(ADMIN, () => rows);
    const create = (body: object) =>
      ask(POST, "POST", "/api/admin/policies", { body, params: { resource: "policies" } });
    expect(await create({ ...POLICY, name: "other" })).toMatchObject({ status: 400 });
    expect(await create({ ...POLICY, matchers: [{ ...OPS[0], value: "else," }] })).toMatchObject({ status: 400 });
    expect(await create(POLICY)).toMatchObject({ status: 201 });
  });

  it("in many rows of a document lists as many problems as an answer holds, and reads the history in batches", async () => {
    await store();
    expect(await change("policies ops", { matchers: [{ ...OPS[0], value: "ops" }] })).toMatchObject({ status: 200 });
    const reads = vi.spyOn(Stored.prototype, "formerValues");
    onTestFinished(() => reads.mockRestore());
    const policies = Array.from({ length: MAX_PROBLEMS + 100 }, (_, at) => ({ ...POLICY, name: `ops-${at}` }));
    const body = { apiVersion: "quartermaster/v1", policies: [POLICY, ...policies] };
    const { status, json } = await ask(putConfig, "PUT", "/api/admin/config?mode=merge", { body });
    expect(status).toBe(400);
    expect(json["errors"]).toHaveLength(MAX_PROBLEMS);
    expect(pairs(json["errors"])).not.toContainEqual(REFUSED[1]);
    expect(reads.mock.calls.length).toBeLessThan(20);
  });

  it("is compiled once for a row, however many values the row had", async () => {
    await store();
    const compiles = vi.spyOn(RE2JS, "compile");
    onTestFinished(() => compiles.mockRestore());
    const matchers = [1, 2, 3].map((n) => ({ claim: "team", operator: "matches", value: `(abcdefghij){50${n}}` }));
    const countCompiles = async () => {
      compiles.mockClear();
      const refused = await change("policies ops", { matchers });
      expect(refused.json["errors"]).toHaveLength(matchers.length);
      return compiles.mock.calls.length;
    };
    expect(await change("policies ops", { description: "0" })).toMatchObject({ status: 200 });
    const count = await countCompiles();
    for (const description of ["1", "2", "3"])
      expect(await change("policies ops", { description })).toMatchObject({ status: 200 });
    expect(await countCompiles()).toBe(count);
  });

  it("stays in a document that states the stored row, with a warning", async () => {
    await store();
    const { text } = await ask(getConfig, "GET", "/api/admin/config?format=json");
    const put = (query = "") =>
      ask(putConfig, "PUT", `/api/admin/config${query}`, { body: JSON.parse(text) as object });
    const { json: plan } = await put("?dryRun=true");
    expect([pairs(plan["errors"]), pairs(plan["warnings"])]).toEqual([[], expect.arrayContaining(REFUSED)]);
    expect(await put()).toMatchObject({ status: 200, json: { changed: 0 } });
    const body = { apiVersion: "quartermaster/v1", policies: [{ ...POLICY, active: false }] };
    expect(await ask(putConfig, "PUT", "/api/admin/config?mode=merge", { body })).toMatchObject({ status: 200 });
  });

  it("in a stored row stops no assertion in the plan of another row", async () => {
    await store();
    const expects = { visible: ["kitchen:bake"], hidden: ["kitchen:none"] };
    const assertion = { name: "ops bakes", given: { claims: { team: "ops" } }, expect: expects };
    const body = { apiVersion: "quartermaster/v1", assertions: [assertion] };
    expect(await ask(putConfig, "PUT", "/api/admin/config", { body })).toMatchObject({ status: 200 });
    const deny = { name: "closed", effect: "deny", everyone: true, groups: ["*"] };
    const params = { resource: "policies" };
    const { json } = await ask(POST, "POST", "/api/admin/policies?dryRun=true", { body: deny, params });
    expect(json["warnings"]).toMatchObject([{ path: "assertions[ops bakes]" }]);
    await database.query("delete from assertion");
  });

  it("is refused in a new row and in a changed field, at its path", async () => {
    await store();
    const renamed = { ...TUPLE, title: "Bake" };
    expect(await change("tools kitchen:bake", { inputSchema: renamed })).toMatchObject({
      status: 400,
      json: { errors: [{ path: "inputSchema" }] },
    });
    expect(await change("policies ops", { matchers: [{ ...OPS[0], value: "dev," }] })).toMatchObject({
      status: 400,
      json: { errors: [{ path: "matchers[0].value" }] },
    });
    await database.query("delete from tool; delete from policy");
    const document = { apiVersion: "quartermaster/v1", tools: [TOOL], policies: [POLICY] };
    const put = (query: string) => ask(putConfig, "PUT", `/api/admin/config${query}`, { body: document });
    const { json: plan } = await put("?dryRun=true");
    expect([pairs(plan["errors"]), plan["warnings"]]).toEqual([expect.arrayContaining(REFUSED), []]);
    for (const query of ["", "?mode=merge"]) expect((await put(query)).status).toBe(400);
    const made = await ask(POST, "POST", "/api/admin/policies", { body: POLICY, params: { resource: "policies" } });
    expect(made).toMatchObject({ status: 400, json: { errors: [{ path: "matchers[0].value" }] } });
    expect(await database.query("select 1 from tool union all select 1 from policy")).toEqual([]);
  });
});
