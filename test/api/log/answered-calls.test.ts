import { beforeAll, describe, expect, test } from "vitest";
import { DELETE as reopenRoute } from "@/app/api/admin/denials/[id]/handled/route";
import { GET as denialsRoute } from "@/app/api/admin/denials/route";
import { GET as exportRoute } from "@/app/api/admin/executions/export/route";
import { GET as listRoute } from "@/app/api/admin/executions/route";
import { GET as detailRoute } from "@/app/api/admin/executions/[id]/route";
import { POST as approveRoute } from "@/app/api/admin/approvals/[id]/approve/route";
import { POST as refuseRoute } from "@/app/api/admin/approvals/[id]/refuse/route";
import { cancelCall } from "@/lib/agents/rest/calls";
import { denialPage } from "@/lib/contracts/decisions/denial";
import { executionDetail, executionPage, type ExecutionRow } from "@/lib/contracts/log/execution";
import { expireApprovals } from "@/lib/store/calls/approvals";
import { Client, documentWithTool, keyOf, save } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { ORIGIN } from "@/test/support/person";

// The answers that people gave to waiting calls, in the list, the page and the export of the log.

const database = useDatabase();
const TOOL = "builtin:calculate";
type Case = "approved" | "refused" | "silent" | "waiting" | "expired" | "cancelled" | "free";
const called = {} as Record<Case, string>;
/** The times between which people answered. */
const between = { from: "", to: "" };

beforeAll(async () => {
  await save(documentWithTool(TOOL, { requiresApproval: true }));
  const key = await keyOf("reader");
  const reader = new Client(key);
  const call = async (tool_id: string, args: object) => (await reader.call({ tool_id, arguments: args })).json.call_id;
  const waiting = ["approved", "refused", "silent", "cancelled", "expired", "waiting"] as const;
  for (const name of waiting) called[name] = await call(TOOL, { expression: "6 * 7" });
  called.free = await call("builtin:current_date_time", {});
  between.from = new Date().toISOString();
  await answer("approve", called.approved, 'Asked by Ada, see "T-12"');
  await answer("refuse", called.refused, "=NOT(today)");
  await answer("approve", called.silent, "");
  between.to = new Date().toISOString();
  await cancel(called.cancelled, key);
  await expire(called.expired);
});

async function answer(verdict: "approve" | "refuse", id: string, reason: string): Promise<void> {
  const route = verdict === "approve" ? approveRoute : refuseRoute;
  const path = `/api/admin/approvals/${id}/${verdict}`;
  expect((await ask(route, "POST", path, { params: { id }, body: { reason }, role: "editor" })).status).toBe(200);
}

async function cancel(id: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const request = new Request(`${ORIGIN}/api/agents/calls/${id}`, { method: "DELETE", headers });
  expect((await cancelCall(request, { params: Promise.resolve({ id }) })).status).toBe(200);
}

async function expire(id: string): Promise<void> {
  await database.query(`update approval set "closesAt" = now() where "callId" = $1`, [id]);
  expect(await expireApprovals(new Date())).toBe(1);
}

async function exported(query: string): Promise<readonly string[]> {
  const { text } = await ask(exportRoute, "GET", `/api/admin/executions/export?${query}`, { role: "auditor" });
  return text.trimEnd().split(/\r?\n/);
}

type Answer = Pick<ExecutionRow, "approver" | "answeredAt" | "answerReason">;
const answerOf = ({ approver, answeredAt, answerReason }: Answer): Answer => ({ approver, answeredAt, answerReason });

/** The three fields of a call in the export. */
async function answerIn(name: Case): Promise<Answer> {
  const rows = (await exported("format=jsonl")).map((line) => JSON.parse(line) as ExecutionRow);
  return answerOf(rows.find(({ callId }) => callId === called[name])!);
}

describe("the export of the log", () => {
  test.each<[Case, string]>([
    ["approved", 'Asked by Ada, see "T-12"'],
    ["refused", "=NOT(today)"],
    ["silent", ""],
  ])("says who answered a call that was %s, when, and with which reason", async (name, answerReason) => {
    const found = await answerIn(name);
    expect(found).toMatchObject({ approver: "editor@example.com", answerReason });
    expect(found.answeredAt! >= between.from && found.answeredAt! <= between.to).toBe(true);
  });

  test.each<[Case]>([["waiting"], ["expired"], ["cancelled"], ["free"]])(
    "has no answer of a call that nobody answered: %s",
    async (name) => {
      expect(await answerIn(name)).toEqual({ approver: null, answeredAt: null, answerReason: null });
    },
  );

  test("has the answer after all other fields, and as columns of their own", async () => {
    const [head = ""] = await exported("format=csv");
    expect(head.split(",").slice(-2)).toEqual(["answeredAt", "answerReason"]);
    const lines = await exported("format=csv&columns=callId,approver,answerReason,reason&sort=at");
    expect(lines[0]).toBe("callId,approver,answerReason,reason");
    // A person's text is quoted, and no formula.
    expect(lines).toContain(`${called.approved},editor@example.com,"Asked by Ada, see ""T-12""",`);
    expect(lines).toContain(`${called.refused},editor@example.com,'=NOT(today),approval_denied`);
  });
});

test("the list and the page of a call have the same answer as the export", async () => {
  const { items } = executionPage.parse((await ask(listRoute, "GET", "/api/admin/executions")).json);
  for (const name of Object.keys(called) as Case[]) {
    const id = called[name];
    const path = `/api/admin/executions/${id}`;
    const { json } = await ask(detailRoute, "GET", path, { params: { id }, role: "editor" });
    const same = [name, await answerIn(name)];
    expect([name, answerOf(executionDetail.parse(json))]).toEqual(same);
    expect([name, answerOf(items.find(({ callId }) => callId === id)!)]).toEqual(same);
  }
});

test("the page of a call names who answered by the sealed event, whatever the approval says", async () => {
  const id = called.approved;
  const page = async () => {
    const sent = await ask(detailRoute, "GET", `/api/admin/executions/${id}`, { params: { id }, role: "editor" });
    return executionDetail.parse(sent.json);
  };
  const before = await page();
  const forged = `"decidedBy" = 'eve@example.com', "closesAt" = "closesAt" - interval '1 day'`;
  await database.query(`update approval set ${forged} where "callId" = $1`, [id]);
  expect(await page()).toEqual(before);
  expect(before.approval).toMatchObject({ decidedBy: "editor@example.com", closesAt: before.answeredAt });
  await database.query(`update approval set "decidedBy" = null where "callId" = $1`, [id]);
  expect(await page()).toEqual(before);
  await database.query(`delete from approval where "callId" = $1`, [id]);
  expect(await page()).toEqual({ ...before, answerReason: null, approval: null });
  await database.query(`update approval set ${forged}, status = 'approved' where "callId" = $1`, [called.waiting]);
  const waiting = await ask(detailRoute, "GET", `/api/admin/executions/${called.waiting}`, {
    params: { id: called.waiting },
    role: "editor",
  });
  expect(executionDetail.parse(waiting.json)).toMatchObject({ approver: null, approval: { decidedBy: null } });
});

test("a call that a person refused is no open refusal, but one that that person resolved", async () => {
  const kinds = async (state: string) => {
    const { json } = await ask(denialsRoute, "GET", `/api/admin/denials?state=${state}`, { role: "auditor" });
    return denialPage.parse(json).items.map(({ id, reason, handledBy }) => ({ id, reason, handledBy }));
  };
  const refused = { id: called.refused, reason: "approval_denied", handledBy: "editor@example.com" };
  expect(await kinds("handled")).toEqual([refused]);
  expect(await kinds("open")).toEqual([{ id: called.expired, reason: "approval_expired", handledBy: null }]);
  const reopen = (id: string) =>
    ask(reopenRoute, "DELETE", `/api/admin/denials/${id}/handled`, { role: "editor", params: { id } });
  expect(await reopen(called.refused)).toMatchObject({ status: 409, json: { code: "conflict" } });
  expect(await kinds("handled")).toEqual([refused]);
  expect((await reopen(called.expired)).status).toBe(204);
});
