import { readFileSync } from "node:fs";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { setUp } from "@/bin/first-start";
import { listRightsizing, useOfAgent } from "@/lib/admin/rightsizing/overview";
import { readRightsizing } from "@/lib/admin/rightsizing/detail";
import { loadOverview } from "@/lib/admin/overview";
import { approveChange } from "@/lib/store/requests/answer-change";
import { listRequests } from "@/lib/store/requests/requests";
import { approveAccess } from "@/lib/calls/access/answer";
import { runAssertions } from "@/lib/config/assertions";
import { parseDocument, toConfiguration } from "@/lib/config/document";
import { verifyPassword } from "@/lib/store/people/password";
import { findApiKey } from "@/lib/store/config/api-keys";
import { parseApiKey } from "@/lib/store/keys/credentials";
import { countDemo, removeDemo } from "@/lib/store/save/demo";
import { closeDatabase } from "@/lib/store/db/database";
import { closeSnapshot, currentSnapshot } from "@/lib/store/snapshot/snapshot";
import { findUserByEmail } from "@/lib/store/config/users";
import { SHIPPED_LABELS, TRIFECTA } from "@/lib/resources/shipped-flow";
import { builtinSources, builtinTools } from "@/lib/calls/builtin/index";
import type { RequestRow } from "@/lib/contracts/changes/request";
import { useDatabase } from "@/test/support/database";
import { addPerson } from "@/test/support/person";
import { setReview } from "@/test/support/set-review";

const database = useDatabase();

const parsed = parseDocument(readFileSync("prisma/seed/demo.yaml", "utf8"));
if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
const demo = parsed.document;

/** The fields that the demo's admin set; the code defines all other fields of a tool. */
const CURATED = { groups: null, requiredCapabilities: [] };

const TABLES =
  "source, tool, tool_group, policy, machine, persona, intent, label, flow_rule, agent, api_key, assertion, settings, revision, person, request, usage_day, usage_caller, usage_last, execution_claims";

describe("the demo", () => {
  test("has exactly the tools in code, as the code defines them", () => {
    const byId = <T extends { id: string }>(tools: readonly T[]) =>
      Object.fromEntries(tools.map((tool) => [tool.id, { ...tool, ...CURATED }]));
    expect(byId(demo.tools ?? [])).toEqual(byId(builtinTools()));
  });
  test("has the sources of those tools", () => {
    expect(demo.sources).toEqual(builtinSources());
  });
  test("has the shipped labels", () => {
    expect(demo.labels).toEqual(SHIPPED_LABELS);
  });
  test("keeps its own assertions", () => {
    const results = runAssertions(toConfiguration(demo), demo.assertions ?? [], Date.UTC(2026, 5, 1));
    expect(results.length).toBeGreaterThanOrEqual(7);
    expect(results.filter(({ passed }) => !passed)).toEqual([]);
  });
});

describe("the first start", () => {
  beforeEach(async () => {
    closeSnapshot();
    await database.query(`truncate ${TABLES} cascade`);
    await database.query("update config_state set revision = 0");
  });
  afterAll(async () => {
    closeSnapshot();
    await closeDatabase();
  });

  test("loads the demo as one revision and makes an admin and a key, whose secrets are stored hashed", async () => {
    const made = await setUp({ demo: true });
    const { revision, agents, tools } = await currentSnapshot();
    expect([...agents.keys()]).toEqual(["night-bot", "support-bot"]);
    expect(tools.size).toBe(builtinTools().length);
    expect(await database.query("select number from revision order by number")).toHaveLength(revision);

    const admin = await findUserByEmail("admin@localhost");
    expect(made.adminEmail).toBe("admin@localhost");
    expect(admin?.role).toBe("admin");
    expect(await verifyPassword(admin?.passwordHash ?? null, made.adminPassword ?? "")).toBe(true);
    const key = parseApiKey(made.apiKey ?? "");
    expect(await findApiKey(key?.keyId ?? "")).toMatchObject({ agent: "support-bot" });
    const everything = JSON.stringify(
      await database.query("select * from change, person, api_key"),
      (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value),
    );
    expect(everything).not.toContain(made.adminPassword);
    expect(everything).not.toContain(made.apiKey);
  });
  test("that ended before it printed the password is recoverable: the next setup names the command", async () => {
    await setUp({ demo: false });
    closeSnapshot();
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    vi.spyOn(console, "log").mockImplementation(() => {});
    vi.stubGlobal("process", Object.assign(Object.create(process), { argv: ["node", "setup.mjs", "--empty"] }));
    try {
      await import("@/bin/setup");
      expect(printed.mock.calls.flat()).toEqual([
        expect.stringContaining("To set a new one: npx quartermaster user password admin@localhost "),
      ]);
    } finally {
      vi.unstubAllGlobals();
      vi.restoreAllMocks();
    }
  });
  test("still shows the password and the key when the connection that holds its lock ends", async () => {
    const making = setUp({ demo: true });
    await vi.waitFor(async () => {
      const [ended] = await database.query(
        `select pg_terminate_backend(pid) as ended from pg_locks where locktype = 'advisory' and granted
          and objid = (hashtext('first start')::bigint & 4294967295)::oid
          and database = (select oid from pg_database where datname = current_database())`,
      );
      expect(ended).toEqual({ ended: true });
    });
    const { adminPassword, apiKey } = await making;
    expect([adminPassword, apiKey]).toEqual([expect.any(String), expect.any(String)]);
  });
  test.each([true, false])("saves the shipped labels and their inactive rule (demo: %s)", async (withDemo) => {
    await setUp({ demo: withDemo });
    const { index } = await currentSnapshot();
    expect(index.config.labels).toMatchObject(SHIPPED_LABELS);
    expect(index.config.flows).toMatchObject([TRIFECTA]);
    expect([index.config.flows[0]?.active, index.flows.all]).toEqual([false, []]);
  });
  test("does not bring back a shipped row that an admin deleted", async () => {
    await setUp({ demo: false });
    await database.query("delete from flow_rule");
    await database.query("delete from label");
    closeSnapshot();
    await setUp({ demo: false });
    const { index } = await currentSnapshot();
    expect([index.config.labels, index.config.flows]).toEqual([[], []]);
  });
  test("adds a missing tool in code without a label that an admin deleted", async () => {
    await setUp({ demo: true });
    await database.query("delete from tool where id = 'support:get_order'");
    await database.query("delete from label");
    closeSnapshot();
    await setUp({ demo: true });
    const { tools } = await currentSnapshot();
    expect(tools.get("support:get_order")?.flow).toEqual({ raises: [], is: [] });
  });
  test("loads a demo that can be removed, without the rows that an admin changed", async () => {
    await setUp({ demo: true });
    await database.query("update persona set revision = revision + 1 where name = 'contractor'");
    const { objects, rows } = await countDemo();
    // The demo's open requests and the caller of its made-up use are in no revision.
    expect(rows).toBe(objects + 3);
    const { revision } = await removeDemo({ kind: "user", name: "ops", role: "admin" });
    closeSnapshot();
    const { tools, agents, index, settings } = await currentSnapshot();
    expect([...tools.keys()].every((id) => id.startsWith("builtin:"))).toBe(true);
    expect([agents.size, index.config.policies, index.config.groups]).toEqual([0, [], []]);
    expect(index.config.personas.map(({ name }) => name)).toEqual(["contractor"]);
    expect([index.config.labels.length, index.config.flows.length]).toEqual([2, 1]);
    expect(settings.routing.resolutionGroups).toEqual(["resolution"]);
    expect(await database.query("select 1 from api_key")).toEqual([]);
    expect((await countDemo()).rows).toBe(0);
    expect(await database.query("select 1 from change where revision = $1", [revision])).toHaveLength(objects);
  });
  test("shows one open request of each kind, which one person alone can approve and then remove", async () => {
    const { adminEmail } = await setUp({ demo: true });
    const { items } = await listRequests({ limit: 10 }, "admin");
    expect(items.map(({ kind, status, asker, target }) => ({ kind, status, asker: asker.name, target }))).toEqual([
      { kind: "change", status: "open", asker: "demo", target: "policies/store-clerks" },
      { kind: "access", status: "open", asker: "night-bot", target: "support:refund_order" },
    ]);
    const [change, access] = items;
    if (change?.facts.kind !== "change" || access === undefined) throw new Error("The demo has no requests.");
    expect(change.facts.verdict).toMatchObject({
      kind: "wider",
      reasons: [{ witness: { claims: { team: "stores" } } }],
    });
    const admin = await findUserByEmail(adminEmail);
    const actor = { kind: "user", name: adminEmail, role: "admin" } as const;
    const answerer = { actor, userId: admin?.id ?? null, requestId: "r" };
    await approveChange(change.id, { hash: change.hash, reason: "" }, answerer);
    const given = { hours: 1, reason: "", actor, requestId: "r", hash: access.hash };
    expect((await approveAccess(access.id, given)).grant?.by).toBe(adminEmail);
    closeSnapshot();
    const { index } = await currentSnapshot();
    expect(index.config.policies.map(({ name }) => name)).toContain("store-clerks");
    expect(index.policies.map(({ policy }) => policy.name)).toContain(`access:${access.id}`);
    await removeDemo(actor);
    expect((await countDemo()).rows).toBe(0);
    expect(await database.query("select name from policy")).toEqual([]);
  });
  test("has a policy worth cutting, by use that is marked as made up and is in no log", async () => {
    await setUp({ demo: true });
    closeSnapshot();
    const { items, demo: marked } = await listRightsizing({ days: 30, limit: 50 });
    expect(marked).toBe(true);
    const staff = items.find(({ policy }) => policy === "support-staff");
    expect(staff).toMatchObject({ callers: 1, used: 5, changed: false });
    expect(staff?.unused).toBeGreaterThan(5);
    expect(await useOfAgent("support-bot", 30)).toMatchObject({ used: 6, demo: true });
    expect(await useOfAgent("night-bot", 30)).toMatchObject({ granted: 0, demo: false });
    const cut = await vi.waitFor(async () => {
      const detail = await readRightsizing("support-staff", 30);
      expect(detail.replay.state).toBe("done");
      return detail;
    });
    const calls = 30 * (41 + 38 + 17 + 29 + 4);
    expect(cut.candidates.length).toBeGreaterThan(1);
    for (const candidate of cut.candidates)
      expect(candidate).toMatchObject({ calls, same: calls, notJudged: 0, exceptions: [] });
    expect((await loadOverview({}, Date.now())).used).toBe(false);
    expect(await database.query("select from execution")).toEqual([]);
  });
  test("loads requests and use that leave with the demo; counted use stays", async () => {
    await setUp({ demo: true });
    const counted = `insert into usage_day select '', '', 'support:get_order', 'counted', max(day), 1 from usage_day`;
    await database.query(counted);
    await removeDemo({ kind: "user", name: "ops", role: "admin" });
    const { items } = await listRequests({ limit: 10 }, "admin");
    expect(items.map(({ status, decidedBy }) => [status, decidedBy])).toEqual([
      ["withdrawn", "ops"],
      ["withdrawn", "ops"],
    ]);
    expect(await database.query("select caller from usage_day")).toEqual([{ caller: "counted" }]);
    expect(await database.query("select tool from usage_last")).toEqual([{ tool: "support:get_order" }]);
    expect(await database.query("select from usage_caller union all select from execution_claims")).toEqual([]);
    expect((await countDemo()).rows).toBe(0);
  });
  test("is removed as a whole when a second person approves, and its requests and use leave at once", async () => {
    const { adminEmail } = await setUp({ demo: true });
    const second = await addPerson({ email: "second@example.com", name: "second", role: "admin" });
    await setReview("all");
    const actor = { kind: "user", name: adminEmail ?? "", role: "admin" } as const;
    const held: unknown = await removeDemo(actor).catch((error: unknown) => error);
    expect(held).toMatchObject({ code: "awaits_review" });
    const { items } = await listRequests({ limit: 10 }, "admin");
    const statuses = Object.fromEntries(items.map(({ status, asker }) => [asker.name, status]));
    expect(statuses).toEqual({ [actor.name]: "open", "night-bot": "withdrawn", demo: "withdrawn" });
    expect(await database.query("select from usage_caller")).toEqual([]);
    const [{ id, hash }] = items as [RequestRow];
    const approver = { kind: "user", name: second.email, role: "admin" } as const;
    await approveChange(id, { hash, reason: "" }, { actor: approver, userId: second.id, requestId: "r" });
    expect((await countDemo()).rows).toBe(0);
  });
  test("loads a demo that is found although a person noted `demo` before", async () => {
    await database.query(
      "insert into revision (number, at, kind, actor, role, note) values (-1, now(), 'user', 'ops', 'admin', 'demo')",
    );
    await setUp({ demo: true });
    expect((await countDemo()).rows).toBeGreaterThan(20);
  });
  test("of an older version loaded a demo that can be removed too", async () => {
    await setUp({ demo: true });
    await database.query("update revision set note = 'configuration document' where note = 'demo'");
    expect((await countDemo()).rows).toBeGreaterThan(20);
  });
  test("again changes nothing and shows no secret", async () => {
    await setUp({ demo: true });
    const { revision } = await currentSnapshot();
    expect(await setUp({ demo: true })).toEqual({ adminEmail: "admin@localhost" });
    expect((await currentSnapshot()).revision).toBe(revision);
    expect(await database.query("select 1 from person where role = 'admin'")).toHaveLength(1);
  });
  // Each table is first needed at another moment of the first start.
  test.each(["assertion", "usage_caller", "request", "api_key", "person"])(
    "that was cut short at `%s` is finished by the next one",
    async (table) => {
      await database.query(`alter table "${table}" rename to away`);
      await expect(setUp({ demo: true })).rejects.toBeInstanceOf(Error);
      await database.query(`alter table away rename to "${table}"`);
      closeSnapshot();
      const made = await setUp({ demo: true });
      expect(made).toMatchObject({ adminPassword: expect.any(String), apiKey: expect.any(String) });
      expect((await countDemo()).rows).toBeGreaterThan(20);
      expect((await listRequests({ limit: 10 }, "admin")).items.map(({ kind }) => kind)).toEqual(["change", "access"]);
      expect(await useOfAgent("support-bot", 30)).toMatchObject({ used: 6, demo: true });
      expect(await database.query("select name from api_key")).toEqual([{ name: "support-bot" }]);
      expect(await setUp({ demo: true })).toEqual({ adminEmail: "admin@localhost" });
    },
  );
  test("two instances at once create one admin and one demo", async () => {
    const made = await Promise.all([setUp({ demo: true }), setUp({ demo: true })]);
    expect(made.filter(({ adminPassword }) => adminPassword !== undefined)).toHaveLength(1);
    expect(made.filter(({ apiKey }) => apiKey !== undefined)).toHaveLength(1);
    expect(await database.query("select 1 from person where role = 'admin'")).toHaveLength(1);
  });
  test("without the demo has the built-in tools, nothing granted and the chosen address", async () => {
    const made = await setUp({ demo: false, adminEmail: "Ops@Example.com" });
    expect(made).toMatchObject({ adminEmail: "ops@example.com" });
    expect(made.apiKey).toBeUndefined();
    const { tools, index } = await currentSnapshot();
    expect([...tools.keys()].every((id) => id.startsWith("builtin:"))).toBe(true);
    expect(index.config.policies).toEqual([]);
  });
  test("brings changed code into the catalogue and leaves what an admin edited", async () => {
    await setUp({ demo: true });
    await database.query(
      `update tool set version = '0', description = 'Mine', status = 'deprecated' where id = 'builtin:calculate'`,
    );
    await database.query(`update tool set status = 'deprecated' where id = 'builtin:current_date_time'`);
    // An earlier start without the tool left this mark.
    const marks = () =>
      database.query("select tool, definition->'gone' as gone from upstream_definition order by tool");
    await database.query(`insert into upstream_definition values ('builtin:calculate', '{"gone": true}')`);
    await database.query(
      `update tool set id = 'support:gone', operation = 'gone', name = 'gone' where id = 'support:add_note'`,
    );
    closeSnapshot();
    await setUp({ demo: true });
    const { tools } = await currentSnapshot();
    expect(tools.get("builtin:calculate")).toMatchObject({ version: "1", description: "Mine", status: "active" });
    expect(tools.get("support:gone")).toMatchObject({ status: "deprecated" });
    // A person deprecated it.
    expect(tools.get("builtin:current_date_time")).toMatchObject({ status: "deprecated" });
    expect(await marks()).toEqual([
      { tool: "builtin:calculate", gone: false },
      { tool: "support:gone", gone: true },
    ]);
    expect(tools.has("support:add_note")).toBe(true);
  });
});
