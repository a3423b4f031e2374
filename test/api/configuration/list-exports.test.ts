import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GET as approvals } from "@/app/api/admin/approvals/route";
import { GET as audit } from "@/app/api/admin/audit/route";
import { GET as changes } from "@/app/api/admin/changes/route";
import { GET as deliveries } from "@/app/api/admin/deliveries/route";
import { GET as denials } from "@/app/api/admin/denials/route";
import { GET as drift } from "@/app/api/admin/drift/route";
import { GET as exportApprovals } from "@/app/api/admin/exports/approvals/route";
import { GET as exportAudit } from "@/app/api/admin/exports/audit/route";
import { GET as exportChanges } from "@/app/api/admin/exports/changes/route";
import { GET as exportDeliveries } from "@/app/api/admin/exports/deliveries/route";
import { GET as exportDenials } from "@/app/api/admin/exports/denials/route";
import { GET as exportDrift } from "@/app/api/admin/exports/drift/route";
import { GET as exportFindings } from "@/app/api/admin/exports/findings/route";
import { GET as exportProfiles } from "@/app/api/admin/exports/profiles/route";
import { GET as exportSecrets } from "@/app/api/admin/exports/secrets/route";
import { GET as exportSessions } from "@/app/api/admin/exports/sessions/route";
import { GET as findings } from "@/app/api/admin/findings/route";
import { GET as profiles } from "@/app/api/admin/profiles/route";
import { GET as secrets } from "@/app/api/admin/secrets/route";
import { GET as sessions } from "@/app/api/admin/sessions/route";
import type { Handler } from "@/lib/http/route";
import { EXPORTED_LISTS, type ExportedList } from "@/lib/contracts/changes/exported-lists";
import { closeDatabase } from "@/lib/store/db/database";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { fillWorld, IN_THE_WORLD } from "@/test/support/worlds/large-world";

// Lists that are no resource, as files (docs/reference/interface.md#export): what the list shows, all of it, and nothing else.

const database = useDatabase();

beforeAll(async () => {
  await fillWorld(database, { tools: 1_300, executions: 7_000 });
  await database.query(`insert into secret (name, ciphertext, origins, "setAt", revision, "createdAt", "updatedAt")
    select 'key-' || n, 'sealed', array['https://api' || n % 2 || '.example.com'], now() - n * interval '1 day', 1, now(), now()
    from generate_series(0, 4) n`);
});
afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

/** Each list, its export, a filter and an order that both understand, and a filter of neither. */
const LISTS: Record<ExportedList, { list: Handler; file: Handler; narrowed: string }> = {
  approvals: { list: approvals, file: exportApprovals, narrowed: "status=refused&sort=at" },
  audit: { list: audit, file: exportAudit, narrowed: "kind=event&sort=at" },
  changes: { list: changes, file: exportChanges, narrowed: "action=delete&sort=at" },
  deliveries: { list: deliveries, file: exportDeliveries, narrowed: "status=failed&sort=at" },
  denials: { list: denials, file: exportDenials, narrowed: "reason=state_mismatch&sort=lastAt" },
  drift: { list: drift, file: exportDrift, narrowed: `source=${IN_THE_WORLD.source}&sort=id` },
  findings: { list: findings, file: exportFindings, narrowed: "about=tool" },
  profiles: { list: profiles, file: exportProfiles, narrowed: "q=agent&sort=-name" },
  secrets: { list: secrets, file: exportSecrets, narrowed: "origin=https://api0.example.com&sort=-setAt" },
  sessions: { list: sessions, file: exportSessions, narrowed: "escalated=true&sort=createdAt" },
};

describe.each(Object.entries(LISTS))("the export of %s", (name, { list, file, narrowed }) => {
  const get = (query: string) => ask(file, "GET", `/api/admin/exports/${name}?${query}`, { role: "auditor" });

  async function listed(query: string): Promise<unknown[]> {
    const rows: unknown[] = [];
    for (let cursor = ""; ;) {
      const path = `/api/admin/${name}?${query}&limit=500${cursor}`;
      const { items, nextCursor } = (await ask(list, "GET", path, { role: "auditor" })).json;
      rows.push(...items);
      if (nextCursor === null) return rows;
      cursor = `&cursor=${encodeURIComponent(String(nextCursor))}`;
    }
  }

  test.each(["", narrowed])("holds what the list holds under `%s`, in its order", async (query) => {
    const got = await get(`${query}&format=jsonl`);
    expect(got.headers.get("content-disposition")).toMatch(new RegExp(`filename="${name}-[\\d-]+\\.jsonl"$`));
    const rows = got.text.trimEnd().split("\n");
    expect(rows.length).toBeGreaterThan(1);
    // Each export is in the audit trail that the next one exports.
    const others = (all: unknown[]) => all.filter((row) => (row as { action?: string }).action !== "lists.exported");
    expect(others(rows.map((row) => JSON.parse(row) as unknown))).toEqual(others(await listed(query)));
  });

  test("is recorded in the audit trail, unless it was refused", async () => {
    const events = () =>
      database.query(`select id, actor, detail from audit_event
      where action = 'lists.exported' and target = '${name}' order by id desc`);
    const before = (await events()).length;
    await get("format=csv");
    expect((await get("columns=nonsense")).status).toBe(400);
    const after = await events();
    expect(after).toHaveLength(before + 1);
    expect(after[0]).toMatchObject({ actor: "auditor@example.com", detail: "csv" });
  });

  test("has the requested columns in their order", async () => {
    const columns = Object.keys(EXPORTED_LISTS[name as ExportedList].row.shape)
      .slice(0, 3)
      .toReversed();
    const [head] = (await get(`columns=${columns.join()}`)).text.split("\r\n");
    expect(head).toBe(columns.join());
  });

  test.each([
    ["columns=id,nonsense", "columns"],
    ["nonsense=1", "nonsense"],
    ["format=xlsx", "format"],
  ])("refuses `%s`, naming it", async (query, path) => {
    expect(await get(query)).toMatchObject({ status: 400, json: { errors: [{ path }] } });
  });
});

describe("the permissions of exports", () => {
  test.each(["approvals", "denials", "sessions"] as const)(
    "%s needs the permission to export the log",
    async (name) => {
      const got = await ask(LISTS[name].file, "GET", `/api/admin/exports/${name}`, { role: "editor" });
      expect(got).toMatchObject({ status: 403, json: { permission: "executions:export" } });
    },
  );

  test("changes has no rows that the role may not read", async () => {
    await database.query(`update change set resource = 'users' where id = (select min(id) from change)`);
    const of = async (role: "admin" | "editor") =>
      (await ask(exportChanges, "GET", "/api/admin/exports/changes?resource=users&columns=id", { role })).text;
    expect((await of("admin")).split("\r\n")).toHaveLength(3);
    expect((await of("editor")).split("\r\n")).toHaveLength(2);
  });
});
