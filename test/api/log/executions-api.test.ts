import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GET as listRoute } from "@/app/api/admin/executions/route";
import { POST as previewRoute } from "@/app/api/admin/preview/route";
import { GET as detailRoute } from "@/app/api/admin/executions/[id]/route";
import { setUp } from "@/bin/first-start";
import { executionDetail, executionRow } from "@/lib/contracts/log/execution";
import { pageOf } from "@/lib/contracts/changes/list";
import type { Role } from "@/lib/resources/permissions";
import { recordFurtherRead } from "@/lib/store/audit/audit-events";
import { closeDatabase } from "@/lib/store/db/database";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { Client } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const pages = pageOf(executionRow);
let called: Record<"read" | "refused" | "invalid" | "unknown", string>;

beforeAll(async () => {
  const bot = new Client((await setUp({ demo: true })).apiKey ?? "");
  const call = async (tool_id: string, args: object) =>
    (await bot.call({ tool_id, arguments: args, state: "investigating" })).json.call_id;
  called = {
    read: await call("support:get_order", { order_id: "O-5001" }),
    refused: await call("support:refund_order", { order_id: "O-5001", amount: 129 }),
    invalid: await call("support:get_order", { order: 5001 }),
    unknown: await call("support:drop_everything", {}),
  };
});
afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

async function list(query: string) {
  const got = await ask(listRoute, "GET", `/api/admin/executions${query}`, { role: "editor" });
  expect([got.status, got.json.errors]).toEqual([200, undefined]);
  return pages.parse(got.json);
}

async function ids(query: string): Promise<string[]> {
  return (await list(query)).items.map(({ callId }) => callId);
}

describe("the log", () => {
  test("lists every call, newest first, with the true reason", async () => {
    const { items, total } = await list("");
    expect(total).toBe(4);
    expect(items.map(({ callId }) => callId)).toEqual([called.unknown, called.invalid, called.refused, called.read]);
    expect(items.map(({ status, code }) => [status, code])).toEqual([
      ["denied", "tool_not_available"],
      ["failed", "invalid_arguments"],
      ["denied", "arguments_refused"],
      ["succeeded", null],
    ]);
  });
  test("is filtered by tool, status, code, agent, source, subject, group, revision and time", async () => {
    expect(await ids("?tool=support:get_order")).toEqual([called.invalid, called.read]);
    expect(await ids("?status=succeeded")).toEqual([called.read]);
    expect(await ids("?code=arguments_refused")).toEqual([called.refused]);
    expect(await ids("?group=refunds")).toEqual([called.refused]);
    expect(await ids("?agent=support-bot&source=support&status=failed")).toEqual([called.invalid]);
    expect(await ids("?agent=nobody")).toEqual([]);
    const [{ revision } = { revision: 0 }] = (await list("")).items;
    expect(await ids(`?revision=${revision}`)).toHaveLength(4);
    expect(await ids(`?revision=${revision + 1}`)).toEqual([]);
    expect(await ids("?from=2999-01-01T00:00:00Z")).toEqual([]);
    expect(await ids("?to=2999-01-01T00:00:00Z")).toHaveLength(4);
    expect(await ids("?q=et_orde&status=succeeded")).toEqual([called.read]);
    for (const pattern of ["g_t_order", "get%25order"]) expect(await ids(`?q=${pattern}`)).toEqual([]);
  });
  test("is filtered by the tags and side effects that tools have now", async () => {
    expect(await ids("?sideEffects=true")).toEqual([called.refused]);
    expect(await ids("?sideEffects=false")).toEqual([called.invalid, called.read]);
    await database.query("update tool set tags = '{orders}' where id = 'support:get_order'");
    expect(await ids("?tag=orders&status=succeeded")).toEqual([called.read]);
    expect(await ids("?tag=refunds")).toEqual([]);
  });

  test("shows arguments to readers of bodies only, and records that they were read", async () => {
    const listed = (role: Role) => ask(listRoute, "GET", "/api/admin/executions?arguments=true", { role });
    expect((await listed("editor")).status).toBe(403);
    const { items } = (await listed("auditor")).json;
    expect(items.find(({ callId }) => callId === called.read)?.["arguments"]).toEqual({ order_id: "O-5001" });
    const reads = "select 1 from audit_event where action = 'executions.arguments' and actor = 'auditor@example.com'";
    expect(await database.query(reads)).toHaveLength(1);
    for (const query of ["&cursor=nonsense", "&status=lost", "&colour=red"]) {
      const got = await ask(listRoute, "GET", `/api/admin/executions?arguments=true${query}`, { role: "auditor" });
      expect([query, got.status]).toEqual([query, 400]);
    }
    expect(await database.query(reads)).toHaveLength(1);
  });

  test("pages without losing or repeating a row", async () => {
    const first = await list("?limit=3");
    const second = await list(`?limit=3&cursor=${encodeURIComponent(first.nextCursor ?? "")}`);
    expect([...first.items, ...second.items].map(({ callId }) => callId)).toEqual(await ids(""));
    expect(second.nextCursor).toBeNull();
  });
  test("refuses filters, sorts, cursors and values that it does not know, by name", async () => {
    for (const [query, path] of [
      ["?colour=red", "colour"],
      ["?sort=colour", "sort"],
      ["?status=lost", "status"],
      ["?from=yesterday", "from"],
      ["?cursor=nonsense", "cursor"],
      ["?limit=0", "limit"],
      ["?revision=latest", "revision"],
    ]) {
      const got = await ask(listRoute, "GET", `/api/admin/executions${query}`);
      expect([query, got.status, got.json.errors?.[0]?.path]).toEqual([query, 400, path]);
    }
    const { json } = await ask(listRoute, "GET", "/api/admin/executions?hasSideEffects=true");
    expect(json.errors?.[0]?.message).toMatch(/can be filtered by .*sideEffects/);
  });
});

describe("one execution", () => {
  const open = async (id: string, role: Role) => {
    const got = await ask(detailRoute, "GET", `/api/admin/executions/${id}`, { role, params: { id } });
    return executionDetail.parse(got.json);
  };
  const looks = async () =>
    (
      await database.query<{ actor: string; target: string }>(
        "select actor, target from audit_event where action = 'executions.bodies' order by id",
      )
    ).map(({ actor, target }) => [actor, target]);

  test("shows its bodies to admins and auditors, and records the view", async () => {
    const before = (await looks()).length;
    for (const role of ["admin", "auditor"] as const)
      expect(await open(called.read, role)).toMatchObject({
        bodiesHidden: false,
        arguments: { order_id: "O-5001" },
        result: { id: "O-5001" },
        claims: { team: "support" },
      });
    expect((await looks()).slice(before)).toEqual([
      ["admin@example.com", called.read],
      ["auditor@example.com", called.read],
    ]);
  });
  test("records one view for a page that reads the call and then its decision, and another after a minute", async () => {
    const before = (await looks()).length;
    const page = async (role: Role) => {
      await open(called.invalid, role);
      const body = { executionId: called.invalid };
      expect((await ask(previewRoute, "POST", "/api/admin/preview", { role, body })).status).toBe(200);
    };
    await page("auditor");
    await page("admin");
    expect((await looks()).slice(before)).toEqual([
      ["auditor@example.com", called.invalid],
      ["admin@example.com", called.invalid],
    ]);
    const later = new Date(Date.now() + 61_000);
    const actor = { kind: "user", name: "auditor@example.com", role: "auditor" } as const;
    await recordFurtherRead({ actor, action: "executions.bodies", target: called.invalid, requestId: null }, later);
    expect((await looks()).slice(before)).toHaveLength(3);
  });
  test("shows an editor everything but the bodies, and records no view", async () => {
    const before = (await looks()).length;
    expect(await open(called.read, "editor")).toMatchObject({
      bodiesHidden: true,
      arguments: null,
      result: null,
      claims: null,
      status: "succeeded",
      stateBefore: "investigating",
    });
    expect(await looks()).toHaveLength(before);
  });
  test("that was refused names the policy and the reason", async () => {
    const detail = await open(called.refused, "auditor");
    expect(detail).toMatchObject({ status: "denied", code: "arguments_refused", groups: ["refunds"] });
    expect(detail.policies).toContain("small-refunds");
    expect(detail.error?.message).toContain("Refunds above 100 euro need a supervisor");
  });
  test("that does not exist is not found", async () => {
    const got = await ask(detailRoute, "GET", "/api/admin/executions/nothing", { params: { id: "nothing" } });
    expect([got.status, got.json.code]).toEqual([404, "not_found"]);
  });
  test("cannot have the record of its views edited", async () => {
    await expect(database.query("update audit_event set actor = 'nobody'")).rejects.toThrow(/append-only/);
    await expect(database.query("delete from audit_event")).rejects.toThrow(/append-only/);
  });
});
