import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { GET as denial } from "@/app/api/admin/denials/[id]/route";
import { GET as execution } from "@/app/api/admin/executions/[id]/route";
import { GET as proof } from "@/app/api/admin/executions/[id]/proof/route";
import { POST as replay } from "@/app/api/admin/executions/[id]/replay/route";
import { POST as preview } from "@/app/api/admin/preview/route";
import { archiveMonth } from "@/lib/audit/archive/archive";
import { archiveFolder } from "@/lib/audit/archive/archive-storage";
import { dropMonth } from "@/lib/audit/archive/retention";
import type { DroppedCall } from "@/lib/contracts/log/retention";
import { monthOfCall, newCallId } from "@/lib/store/log/call-id";
import { ADMIN } from "@/test/api/agents-world";
import { LogWorld } from "@/test/audit/log-world";
import { ask, type Answer, type Got } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

// The answer about a call of a dropped month is not "not found": it names the month, the time, the person and the
// archive.

const database = useDatabase();
const world = new LogWorld(database);
const folder = mkdtempSync(join(tmpdir(), "quartermaster-dropped-"));
const MONTH = "2026-04";
const AT = `${MONTH}-03T10:00:00.000Z`;
/** A call of the dropped month, and its archive. */
let gone = "";
let archive = "";
let statusBefore = 0;

/** A refusal that names the archive of the call. */
type Refused = Answer & { readonly dropped: DroppedCall };

/** Requests for a call, or for something derived from it, by its id. */
const ASKS: Readonly<Record<string, (id: string) => Promise<Got<Refused>>>> = {
  execution: (id) => ask<Refused>(execution, "GET", `/api/admin/executions/${id}`, { params: { id } }),
  proof: (id) => ask<Refused>(proof, "GET", `/api/admin/executions/${id}/proof`, { params: { id } }),
  replay: (id) => ask<Refused>(replay, "POST", `/api/admin/executions/${id}/replay`, { params: { id }, body: {} }),
  denial: (id) => ask<Refused>(denial, "GET", `/api/admin/denials/${id}`, { params: { id } }),
  preview: (id) => ask<Refused>(preview, "POST", "/api/admin/preview", { body: { executionId: id } }),
};

beforeAll(async () => {
  const [made = ""] = await world.call();
  gone = newCallId(Date.parse(AT));
  await database.query(`select add_log_month('${MONTH}-01')`);
  await database.query("set session_replication_role = replica");
  for (const [table, column] of [
    ["execution", "at"],
    ["execution_outcome", "callAt"],
    ["execution_body", "callAt"],
  ])
    await database.query(`update ${table} set "callId" = $1, "${column}" = $2 where "callId" = $3`, [gone, AT, made]);
  await database.query("reset session_replication_role");
  await world.seal();
  const storage = archiveFolder(folder);
  archive = (await archiveMonth(MONTH, { actor: ADMIN, storage, bodies: false })).id;
  statusBefore = (await ASKS["execution"]!(gone)).status;
  await dropMonth(MONTH, { actor: ADMIN, storage, now: () => new Date("2026-09-01T08:00:00Z") });
});
afterAll(() => rmSync(folder, { recursive: true }));

it("exists before the drop", () => expect(statusBefore).toBe(200));

it.each(Object.keys(ASKS))(
  "%s of it: 410 with its month, its archive, and the command that reads it there",
  async (name) => {
    const { status, json } = await ASKS[name]!(gone);
    expect({ status, ...json }).toMatchObject({
      status: 410,
      code: "dropped",
      retryable: false,
      dropped: { month: MONTH, archive, at: "2026-09-01T08:00:00.000Z", by: "test" },
    });
    expect(json.dropped.command).toContain(`/${MONTH}/${archive} --keys keys.json --prove ${gone}`);
    expect(json.detail).toContain(json.dropped.command);
  },
);

it.each(Object.keys(ASKS))(
  "%s of a call of another month, and of what is no id, is not there as ever",
  async (name) => {
    for (const id of [newCallId(Date.parse("2026-05-01T00:00:00Z")), newCallId(), "call_other"])
      expect((await ASKS[name]!(id)).json.code).toBe(name === "preview" ? "invalid_request" : "not_found");
  },
);

it("only a call's id names the month in which it began, to the millisecond", () => {
  expect(monthOfCall(newCallId(Date.parse("2026-03-31T23:59:59.999Z")))).toBe("2026-03");
  expect(monthOfCall(newCallId(Date.parse("2026-04-01T00:00:00.000Z")))).toBe("2026-04");
  expect(monthOfCall("call_9f2c1c7e-2b0e-4a58-8f5d-2f8a1f6f0c11")).toBeNull();
  expect(new Set(Array.from({ length: 1000 }, () => newCallId(0))).size).toBe(1000);
});
