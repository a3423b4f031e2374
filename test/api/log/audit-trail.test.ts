import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GET as readEntry } from "@/app/api/admin/audit/[id]/route";
import { GET as listTrail } from "@/app/api/admin/audit/route";
import type { AuditRow } from "@/lib/contracts/log/audit-trail";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { closeDatabase } from "@/lib/store/db/database";
import { countRefusal, flushRefusals } from "@/lib/store/audit/refusals";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { save, supportDocument } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const ADA = { kind: "user", name: "ada@localhost", role: "auditor" } as const;

beforeAll(async () => {
  await save(supportDocument());
  for (let number = 0; number < 5; number += 1)
    await recordAuditEvent({
      actor: ADA,
      action: "executions.bodies",
      target: `call_${number}`,
      requestId: `r${number}`,
    });
  countRefusal({
    action: "refused.credential",
    reason: "The token has expired.",
    by: { kind: "address", name: "192.0.2.7" },
  });
  await flushRefusals();
});
afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

async function list(query: string, role: "admin" | "auditor" | "editor" = "auditor") {
  return ask<{ items: AuditRow[]; nextCursor: string | null; total: number }>(
    listTrail,
    "GET",
    `/api/admin/audit${query}`,
    { role },
  );
}

/** Every entry, page by page. */
async function walk(query: string): Promise<AuditRow[]> {
  const rows: AuditRow[] = [];
  for (let cursor = ""; ;) {
    const { items, nextCursor } = (await list(`?${query}&limit=3${cursor}`)).json;
    rows.push(...items);
    if (nextCursor === null) return rows;
    cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
  }
}

describe("the audit trail", () => {
  it("has audit events, refusals and changes in one list, by time, each once on its pages", async () => {
    // Many rows of one millisecond, in both tables.
    await database.query("set session_replication_role = replica");
    await database.query(
      "update audit_event set at = (select max(at) from change) where target in ('call_1', 'call_2', 'call_3')",
    );
    await database.query("reset session_replication_role");
    const [counted] = await database.query<{ rows: number }>(
      "select (select count(*) from audit_event)::int + (select count(*) from change)::int as rows",
    );
    for (const sort of ["-at", "at"]) {
      const rows = await walk(`sort=${sort}`);
      expect(rows).toHaveLength(counted?.rows ?? 0);
      expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
      const times = rows.map(({ at }) => at);
      expect(times).toEqual(sort === "at" ? times.toSorted() : times.toSorted().toReversed());
      expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(["change", "event", "refusal"]));
    }
    expect((await list("")).json.total).toBe(counted?.rows);
  });

  it.each([
    ["kind=refusal", ["refused.credential"]],
    ["kind=event&target=call_2", ["executions.bodies"]],
    ["actor=192.0.2.7", ["refused.credential"]],
    ["q=call_4", ["executions.bodies"]],
    ["action=refused.sign_in", []],
  ])("is filtered by %s", async (query, actions) => {
    const { items, total } = (await list(`?${query}`)).json;
    expect([items.map(({ action }) => action), total]).toEqual([actions, actions.length]);
  });

  it("links a change, and answers one entry", async () => {
    const [change] = (await list("?kind=change&limit=1")).json.items;
    expect(change).toMatchObject({ id: `change-${change?.change}`, count: 1, requestId: null });
    for (const query of ["?kind=change&limit=1", "?kind=refusal&limit=1"]) {
      const [row] = (await list(query)).json.items;
      const path = `/api/admin/audit/${row?.id}`;
      expect((await ask(readEntry, "GET", path, { role: "auditor", params: { id: row?.id ?? "" } })).json).toEqual(row);
    }
  });

  it("is forbidden to editors, and refuses unknown entries, cursors and filters", async () => {
    expect((await list("", "editor")).status).toBe(403);
    for (const id of ["event-0", "change-0", "event-9999999999999999999", "event-x", "1"])
      expect((await ask(readEntry, "GET", `/api/admin/audit/${id}`, { params: { id } })).status).toBe(404);
    // An unknown table, and times that the database does not read.
    const forged = [
      ["2026-01-01T00:00:00.000Z", 2, "1"],
      ["0000-01-01T00:00:00.000Z", 0, "1"],
      ["1 January 2026 00:00 (x)", 0, "1"],
    ].map((values) => `?cursor=${Buffer.from(JSON.stringify(values)).toString("base64url")}`);
    for (const query of ["?cursor=x", ...forged, "?kind=x", "?action=x", "?nonsense=1", "?from=x"])
      expect((await list(query)).status).toBe(400);
  });
});
