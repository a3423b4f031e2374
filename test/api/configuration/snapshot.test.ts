import { Client } from "pg";
import { beforeEach, describe, expect, inject, it, vi } from "vitest";
import { resolve } from "@/lib/access/decide/resolve";
import type { JsonObject } from "@/lib/access/model/configuration";
import { toRequest } from "@/lib/access/model/request";
import { AppError } from "@/lib/errors";
import { parseDocument } from "@/lib/config/document";
import { applyDocument } from "@/lib/store/save/config-document";
import { currentSnapshot, followSnapshot, noteRevision, type Snapshot } from "@/lib/store/snapshot/snapshot";
import { write, type Actor } from "@/lib/store/save/write";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const ADMIN: Actor = { kind: "system", name: "test", role: "admin" };

const tool = { description: "Does it.", inputSchema: { type: "object" } };

const kitchen = {
  apiVersion: "quartermaster/v1",
  settings: {},
  sources: [{ name: "kitchen", kind: "http" }],
  tools: [
    { id: "kitchen:bake", ...tool, groups: ["menu"] },
    { id: "kitchen:clean", ...tool, groups: ["chores"] },
  ],
  groups: [{ name: "menu" }, { name: "chores" }],
  policies: [
    { name: "staff", everyone: true, groups: ["*"] },
    {
      name: "not-guests",
      effect: "deny",
      matchers: [{ claim: "guest", operator: "equals", value: true }],
      groups: ["menu"],
    },
  ],
  machines: [{ name: "run", initial: "a", states: [{ name: "a" }] }],
  personas: [],
  intents: [{ name: "EAT", groups: ["menu"] }],
  issuers: [{ name: "corp", issuer: "https://corp.example", audience: "qm", jwksUri: "https://corp.example/jwks" }],
  agents: [{ name: "bot", machine: "run", issuer: "corp", subject: "bot" }],
  assertions: [],
};

async function apply(document: object): Promise<number> {
  const parsed = parseDocument(document);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return (await applyDocument(ADMIN, parsed.document)).revision;
}

/** Changes rows behind the program's back, as a broken restore or a careless hand would. */
async function damage(sql: string): Promise<Snapshot> {
  await database.query(sql);
  const [state] = await database.query<{ revision: number }>(
    "update config_state set revision = revision + 1 returning revision",
  );
  return currentSnapshot(state!.revision);
}

function visible({ index }: Snapshot, asked: { claims?: JsonObject; intent?: string } = {}): string[] {
  const built = toRequest(
    index,
    { claims: asked.claims ?? {}, agent: null, issuer: null },
    { group: null, state: null, machine: null, profile: null, intent: asked.intent ?? null, confidence: 1 },
  );
  if (!built.ok) throw new Error(built.message);
  return resolve(index, built.request, Date.now()).tools.map((one) => one.tool.id);
}

beforeEach(async () => {
  await database.query(
    "truncate source, source_sync, tool, tool_group, policy, machine, persona, intent, issuer, agent, settings, pause, drift_acceptance",
  );
  await apply(kitchen);
});

describe("the snapshot", () => {
  it("is the last save, at once in the process that saved it", async () => {
    const revision = await apply({ ...kitchen, policies: [] });
    const snapshot = await currentSnapshot();
    expect(snapshot.revision).toBe(revision);
    expect(visible(snapshot)).toEqual([]);
    expect(snapshot.problems).toEqual([]);
  });

  it("of another instance arrives by notice, well before the next poll", async () => {
    const other = followSnapshot();
    const before = (await other.current()).revision;
    const heard = vi.waitFor(async () => expect((await other.current()).revision).toBeGreaterThan(before), {
      timeout: 900,
      interval: 20,
    });
    await apply({ ...kitchen, groups: [...kitchen.groups, { name: "more" }] });
    await heard;
    other.close();
  });

  it("of a revision that does not arrive is refused after two seconds, and never replaced by an older one", async () => {
    const { revision } = await currentSnapshot();
    const start = performance.now();
    await expect(currentSnapshot(revision + 5)).rejects.toMatchObject({ code: "config_unavailable" });
    expect(performance.now() - start).toBeLessThan(2_500);
  });

  it("notices one written or deleted row among hundreds, also one changed by SQL", async () => {
    const many = Array.from({ length: 600 }, (_, number) => ({ id: `kitchen:t${number}`, ...tool, groups: ["menu"] }));
    await apply({ ...kitchen, tools: [...kitchen.tools, ...many] });
    await currentSnapshot();
    const unchanged = visible(await damage("update policy set priority = 5 where name = 'staff'"));
    expect(unchanged).toHaveLength(602);
    expect(visible(await damage("update policy set priority = 6 where name = 'staff'"))).toEqual(unchanged);
    const disabled = visible(await damage("update tool set enabled = false where id = 'kitchen:t7'"));
    expect(unchanged.filter((id) => !disabled.includes(id))).toEqual(["kitchen:t7"]);
    const deleted = visible(await damage("delete from tool where id = 'kitchen:t8'"));
    expect(disabled.filter((id) => !deleted.includes(id))).toEqual(["kitchen:t8"]);
  });

  it("follows the store even when it goes back, as after a restored backup", async () => {
    const { revision } = await currentSnapshot();
    await database.query("update config_state set revision = revision - 1");
    await vi.waitFor(async () => expect((await currentSnapshot()).revision).toBe(revision - 1), { timeout: 5_000 });
    await database.query("update config_state set revision = revision + 1");
    noteRevision(revision);
    expect((await currentSnapshot()).revision).toBe(revision);
  });
});

describe("a stored row that does not parse", () => {
  it("of a tool or a source is left out, of an agent disables it, and is named", async () => {
    const snapshot = await damage(`
      update tool set "inputSchema" = '"none"' where id = 'kitchen:bake';
      update agent set limits = '[]' where name = 'bot'`);
    expect(visible(snapshot)).toEqual(["kitchen:clean"]);
    expect(snapshot.agents.get("bot")).toMatchObject({ enabled: false, issuer: "corp", subject: "bot" });
    expect(snapshot.problems.map(({ resource, id, path }) => [resource, id, path])).toEqual([
      ["tools", "kitchen:bake", "inputSchema"],
      ["agents", "bot", "limits"],
    ]);
    const without = await damage(`update source set auth = '{"mode":"magic"}'`);
    expect(visible(without)).toEqual([]);
    expect(without.problems).toContainEqual(expect.objectContaining({ resource: "sources", id: "kitchen" }));
  });

  it("of an allow policy grants nothing", async () => {
    for (const matchers of [
      `'{}'`,
      `'[{"claim":"a"}]'`,
      `'[{"claim":"a","operator":"resembles","value":1,"ignoreCase":false}]'`,
      `'[7]'`,
    ]) {
      const snapshot = await damage(`update policy set matchers = ${matchers}, everyone = false where name = 'staff'`);
      expect(visible(snapshot)).toEqual([]);
      expect(snapshot.problems).toContainEqual(expect.objectContaining({ resource: "policies", id: "staff" }));
    }
  });

  it("of a deny policy denies everyone its groups, or all of them when those cannot be read", async () => {
    expect(visible(await currentSnapshot())).toEqual(["kitchen:bake", "kitchen:clean"]);
    const unread = await damage(`update policy set matchers = '{}' where name = 'not-guests'`);
    expect(visible(unread)).toEqual(["kitchen:clean"]);
    const unknown = await damage(
      `update policy set matchers = '[{"claim":"guest","operator":"resembles","value":1,"ignoreCase":false}]' where name = 'not-guests'`,
    );
    expect(visible(unknown, { claims: { guest: false } })).toEqual(["kitchen:clean"]);
    const all = await damage(`update policy set groups = '"menu"' where name = 'not-guests'`);
    expect(visible(all)).toEqual([]);
    const doubtful = await damage(`update policy set effect = 'forbid', groups = '["menu"]' where name = 'not-guests'`);
    expect(visible(doubtful)).toEqual(["kitchen:clean"]);
  });

  it("of a group empties it, and hides tools that are in no other group", async () => {
    for (const selectors of [`'{}'`, `'[{"name":"regex:("}]'`, `'[[]]'`]) {
      const snapshot = await damage(`update tool_group set selectors = ${selectors} where name = 'menu'`);
      expect(visible(snapshot)).toEqual(["kitchen:clean"]);
      expect(snapshot.problems).toContainEqual(expect.objectContaining({ resource: "groups", id: "menu" }));
      expect(snapshot.index.errors.join()).toContain("menu");
    }
  });

  it("of an intent routes to nothing, and of a machine is unknown", async () => {
    const snapshot = await damage(`update intent set groups = '"*"'; update machine set states = '[]'`);
    expect(visible(snapshot, { intent: "EAT" })).toEqual([]);
    expect(snapshot.index.config.machines).toEqual([]);
  });

  it("of the settings refuses everything until they are saved again", async () => {
    const damaged = damage(`insert into settings (name, value, revision, "createdAt", "updatedAt")
      values ('settings', '{"routing":{"high":7}}', 1, now(), now())
      on conflict (name) do update set value = excluded.value`);
    await expect(damaged).rejects.toMatchObject({ code: "config_unavailable" });
    const revision = await apply({ ...kitchen, settings: { openStart: false } });
    expect((await currentSnapshot(revision)).settings.openStart).toBe(false);
  });
});

describe("the loss of the store", () => {
  it("stops decisions within 5 s, refuses within 2 s, and recovers within 5 s of its return", async () => {
    await currentSnapshot();
    const admin = new Client({ connectionString: inject("postgres").url });
    await admin.connect();
    const name = new URL(database.url).pathname.slice(1);
    await admin.query(`alter database "${name}" allow_connections false`);
    await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
    const lost = performance.now();
    let slowest = 0;
    try {
      await vi.waitFor(
        async () => {
          const start = performance.now();
          const answer = await currentSnapshot().catch((error: unknown) => error);
          slowest = Math.max(slowest, performance.now() - start);
          expect(answer).toBeInstanceOf(AppError);
        },
        { timeout: 8_000, interval: 50 },
      );
      expect(performance.now() - lost).toBeLessThan(6_000);
      const start = performance.now();
      await expect(write(ADMIN, () => [])).rejects.toMatchObject({ code: "config_unavailable" });
      await expect(currentSnapshot()).rejects.toMatchObject({ code: "config_unavailable" });
      expect(Math.max(slowest, (performance.now() - start) / 2)).toBeLessThan(2_300);
    } finally {
      await admin.query(`alter database "${name}" allow_connections true`);
      await admin.end();
    }
    const returned = performance.now();
    await vi.waitFor(() => currentSnapshot(), { timeout: 8_000, interval: 50 });
    expect(performance.now() - returned).toBeLessThan(5_000);
    const other = followSnapshot();
    await other.current();
    other.close();
  });
});
