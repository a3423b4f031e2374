import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { GET as LIST } from "@/app/api/admin/approvals/route";
import { POST as READ_MANY } from "@/app/api/admin/approvals/details/route";
import { POST as APPROVE } from "@/app/api/admin/approvals/[id]/approve/route";
import { POST as REFUSE } from "@/app/api/admin/approvals/[id]/refuse/route";
import { GET as READ } from "@/app/api/admin/approvals/[id]/route";
import { POST as PREVIEW } from "@/app/api/admin/preview/route";
import { readAttention } from "@/lib/admin/attention";
import { stopJobs } from "@/lib/jobs/runner";
import { callTool } from "@/lib/agents/rest/call";
import { cancelCall, readCall } from "@/lib/agents/rest/calls";
import type { Handler } from "@/lib/http/route";
import type { CallOutput } from "@/lib/contracts/agents/agent-api";
import type { ApprovalDetail, ApprovalRow } from "@/lib/contracts/log/approval";
import type { Page } from "@/lib/contracts/changes/list";
import type { PreviewOutput } from "@/lib/contracts/decisions/preview";
import { agents } from "@/lib/store/config/agents";
import { apiKeys } from "@/lib/store/config/api-keys";
import { expireApprovals } from "@/lib/store/calls/approvals";
import { getExecution, listExecutions } from "@/lib/store/log/executions";
import { reapInterrupted } from "@/lib/store/log/executions-reaper";
import { users } from "@/lib/store/config/users";
import { tokens } from "@/lib/store/people/tokens";
import type { Actor } from "@/lib/store/save/write";
import { production, type Dependencies } from "@/lib/calls/pipeline/dependencies";
import type { Runners } from "@/lib/calls/runners/index";
import type { Runner } from "@/lib/calls/runners/runner";
import { Client, documentWithTool, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { claimCall, runQueued } from "@/test/support/jobs/run-queued";
import { startJob } from "@/test/support/jobs/start-job";
import { useDatabase } from "@/test/support/database";
import { ORIGIN, signIn } from "@/test/support/person";

const database = useDatabase();
const TOOL = "builtin:calculate";
const CALL = { tool_id: TOOL, arguments: { expression: "6 * 7" } };
let key: string;
let reader: Client;
let runs: number;
const who = {} as Record<"admin" | "editor" | "auditor", Record<string, string>>;

/** The tools in code, one of them asking for an approval, and otherwise as stated; and the policies that grant it. */
function withApproval(changes: Record<string, unknown> = {}): Promise<number> {
  const { apiVersion, sources, tools, policies } = documentWithTool(TOOL, { requiresApproval: true, ...changes });
  return save({ apiVersion, sources, tools, policies });
}

beforeAll(async () => {
  await save(supportDocument());
  key = await keyOf("reader");
  reader = new Client(key);
  for (const role of ["admin", "editor", "auditor"] as const) who[role] = await signIn(role);
});
beforeEach(async () => {
  runs = 0;
  await withApproval();
});
afterAll(stopJobs);

/** The production dependencies, with a counter of runs. */
function counting(): Dependencies {
  const { runners } = production();
  const counted =
    (kind: keyof Runners): Runner =>
    (input) => ((runs += 1), runners[kind](input));
  const [builtin, http, script] = [counted("builtin"), counted("http"), counted("script")];
  return { ...production(), runners: { ...runners, builtin, http, script } };
}

async function knock<T>(handler: Handler, id: string, headers: Record<string, string>, body?: object, query = "") {
  const request = new Request(`${ORIGIN}/api/admin/approvals/${id}${query}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await handler(request, { params: Promise.resolve({ id }) });
  return { status: response.status, json: (await response.json()) as T & { code?: string; detail?: string } };
}

const approve = (id: string, headers = who.admin) => knock<ApprovalDetail>(APPROVE, id, headers, {});
const refuse = (id: string, reason = "Not today.") => knock<ApprovalDetail>(REFUSE, id, who.admin, { reason });
const look = (id: string, headers = who.editor) => knock<ApprovalDetail>(READ, id, headers);

async function asked(body: object = CALL, headers: Record<string, string> = {}, client = reader): Promise<string> {
  const answer = await client.call(body, headers);
  expect([answer.status, answer.json.status]).toEqual([202, "awaiting_approval"]);
  return answer.json.call_id;
}

/** The agent's present answer. */
async function readOutput(id: string, handler = readCall, credential = key): Promise<CallOutput> {
  const request = new Request(`${ORIGIN}/api/agents/calls/${id}`, {
    headers: { authorization: `Bearer ${credential}` },
  });
  return (await (await handler(request, { params: Promise.resolve({ id }) })).json()) as CallOutput;
}

async function outcomes(callId: string): Promise<number> {
  return (await database.query(`select 1 from execution_outcome where "callId" = $1`, [callId])).length;
}

/** A quarter of an hour later: what waits has waited too long. */
const later = () => database.query(`update approval set "closesAt" = "closesAt" - interval '1 hour'`);

describe("a call that needs an approval", () => {
  it("answers with the address of its result, and says that a person must approve it", async () => {
    const { headers, json } = await reader.call(CALL);
    expect(headers.get("location")).toBe(`/api/agents/calls/${json.call_id}`);
    const next = `A person must approve this call. It then runs once: read the result with GET /api/agents/calls/${json.call_id}.`;
    expect((await readOutput(json.call_id)).message).toBe(next);
    expect(json).toMatchObject({ message: next });
  });

  it("waits with 202 and its intent in the log; nothing runs, however often a worker looks", async () => {
    const counted = async () => (await readAttention("editor", Date.now())).calls ?? -1;
    const before = await counted();
    const id = await asked();
    await runQueued(id, counting());
    expect(runs).toBe(0);
    expect((await readOutput(id)).status).toBe("awaiting_approval");
    expect(await counted()).toBe(before + 1);
    expect((await getExecution(id, { bodies: false }))?.status).toBe("awaiting_approval");
    expect(await outcomes(id)).toBe(0);
  });

  it("runs once when it was approved, and its caller has the answer", async () => {
    const id = await asked();
    const approved = await approve(id);
    expect(approved.json).toMatchObject({ status: "approved", decidedBy: "admin@example.com" });
    await Promise.all([runQueued(id, counting()), runQueued(id, counting())]);
    expect(runs).toBe(1);
    expect(await readOutput(id)).toMatchObject({ status: "succeeded", output: { value: 42 } });
    expect(await outcomes(id)).toBe(1);
  });

  it("is found by the queue's worker after the approval", async () => {
    startJob("queued-calls");
    const id = await asked();
    await approve(id);
    const request = new Request(`${ORIGIN}/api/agents/calls/${id}?wait=30`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const answer = (await (await readCall(request, { params: Promise.resolve({ id }) })).json()) as CallOutput;
    expect(answer).toMatchObject({ status: "succeeded", output: { value: 42 } });
    await stopJobs();
  });

  it("never runs after a refusal, and its caller gets the reason", async () => {
    const id = await asked();
    expect((await refuse(id)).json).toMatchObject({ status: "refused", reason: "Not today." });
    await runQueued(id, counting());
    expect(runs).toBe(0);
    expect(await readOutput(id)).toMatchObject({
      status: "denied",
      error: { code: "approval_denied", message: "A person refused the call: Not today." },
    });
    expect(await getExecution(id, { bodies: false })).toMatchObject({ status: "denied", code: "approval_denied" });
  });

  it("streams its result at once: it waits", async () => {
    const request = new Request(`${ORIGIN}/api/agents/tools/call`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ ...CALL, stream: true }),
    });
    const text = await (await callTool(request, { params: Promise.resolve({}) })).text();
    expect(text).toMatch(/event: result\ndata: .*"status":"awaiting_approval".*"message":"A person must approve/);
  });

  it("is refused at once when the rules do not allow it", async () => {
    expect((await reader.call({ ...CALL, arguments: {} })).json.error?.code).toBe("invalid_arguments");
  });

  it("can be cancelled while it waits, and cannot be approved afterwards", async () => {
    const id = await asked();
    expect((await readOutput(id, cancelCall)).status).toBe("cancelled");
    const late = await approve(id);
    expect([late.status, late.json.code]).toEqual([409, "conflict"]);
    expect((await look(id)).json.status).toBe("cancelled");
    await runQueued(id, counting());
    expect(runs).toBe(0);
  });

  it("keeps its idempotency key: a repeated call creates no second approval", async () => {
    const id = await asked(CALL, { "idempotency-key": "a1" });
    const again = await reader.call(CALL, { "idempotency-key": "a1" });
    expect([again.status, again.json.error?.code]).toEqual([409, "idempotency_conflict"]);
    await approve(id);
    await runQueued(id, counting());
    expect((await reader.call(CALL, { "idempotency-key": "a1" })).json).toMatchObject({
      call_id: id,
      status: "succeeded",
    });
  });

  it("includes calls with side effects when the setting says so", async () => {
    await withApproval({ requiresApproval: false, hasSideEffects: true });
    expect((await reader.call(CALL)).json.status).toBe("succeeded");
    await withApproval({ requiresApproval: false, hasSideEffects: true });
    await save({ apiVersion: "quartermaster/v1", settings: { approvals: { sideEffects: true } } });
    await asked();
    await save({ apiVersion: "quartermaster/v1", settings: { approvals: { sideEffects: false } } });
  });

  it("shows as waiting among the executions, and not as running", async () => {
    const id = await asked();
    const ids = async (status: "running" | "awaiting_approval") =>
      (await listExecutions({ status, limit: 500 })).items.map(({ callId }) => callId);
    expect(await ids("awaiting_approval")).toContain(id);
    expect(await ids("running")).not.toContain(id);
  });
});

describe("no answer in time", () => {
  it("is a refusal, whichever process notices it first, and is recorded once", async () => {
    const id = await asked();
    await later();
    expect(await readOutput(id)).toMatchObject({ status: "denied", error: { code: "approval_expired" } });
    expect(await expireApprovals(new Date())).toBe(0);
    expect(await outcomes(id)).toBe(1);
    expect((await look(id)).json.status).toBe("expired");
  });

  it("a late approval records the expiry, and the call does not run", async () => {
    const id = await asked();
    await later();
    const late = await approve(id);
    expect([late.status, late.json.code]).toEqual([409, "conflict"]);
    await runQueued(id, counting());
    expect([runs, await outcomes(id)]).toEqual([0, 1]);
  });

  it("an approved call that does not start in time expires too, also while its place is taken", async () => {
    const id = await asked();
    await withApproval({ limits: { concurrency: 1 } });
    await approve(id);
    const { limits } = production();
    const take: typeof limits.take = async ([wanted], _callId, now) => [{ key: wanted!.key, endsAt: new Date(now) }];
    await runQueued(id, { ...counting(), limits: { ...limits, take } });
    expect((await readOutput(id)).status).toBe("pending");
    await later();
    await runQueued(id, { ...counting(), limits: { ...limits, take } });
    expect(runs).toBe(0);
    expect(await readOutput(id)).toMatchObject({ status: "denied", error: { code: "approval_expired" } });
  });
});

describe("an answer", () => {
  it("is accepted once: of two concurrent approvers the second gets the first one's answer", async () => {
    const id = await asked();
    const answers = await Promise.all([approve(id, who.admin), approve(id, who.editor), refuse(id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    const lost = answers.find(({ status }) => status === 409)?.json as { current?: ApprovalRow; detail?: string };
    expect(lost.current?.id).toBe(id);
    expect(lost.detail).toMatch(/(approved|refused) it/);
    const events = `select 1 from audit_event where target = $1 and action ~ 'approved|refused'`;
    expect(await database.query(events, [id])).toHaveLength(1);
  });

  it("needs the permission", async () => {
    const id = await asked();
    expect((await approve(id, who.auditor)).status).toBe(403);
    expect((await approve(id, { authorization: `Bearer ${key}` })).status).toBe(401);
    expect((await readOutput(id)).status).toBe("awaiting_approval");
  });

  it("of an unknown call is 404, with unknown fields 400", async () => {
    expect((await approve("call_unknown")).status).toBe(404);
    expect((await knock(APPROVE, await asked(), who.admin, { arguments: {} })).status).toBe(400);
  });
});

describe("nobody approves their own call", () => {
  const editor: Actor = { kind: "user", name: "editor@example.com", role: "editor" };
  /** The same person, while they were an administrator. */
  const asAdmin: Actor = { ...editor, role: "admin" };
  const agentOf = async (actor: Actor, name: string) => {
    await agents.create(actor, { ...(await agents.get("reader")), name } as never);
    return new Client(await keyOf(name));
  };

  it("an editor no call of an agent that they created; others may", async () => {
    const client = await agentOf(editor, "made-by-editor");
    const id = await asked(CALL, {}, client);
    const answer = await approve(id, who.editor);
    expect([answer.status, answer.json.code]).toEqual([403, "forbidden"]);
    expect((await look(id)).json.own).toBe("agent");
    expect((await approve(id, who.admin)).status).toBe(200);
  });

  it("an editor whose name and address changed since is still the one who created the agent", async () => {
    const client = await agentOf(editor, "made-before-the-change");
    const id = await asked(CALL, {}, client);
    const { name, displayName, role, enabled } = await users.get("the-editor");
    const as = (known: { readonly name: string; readonly email: string }) => ({ displayName, role, enabled, ...known });
    await users.replace(asAdmin, name, as({ name: "edward", email: "edward@example.com" }) as never, "*");
    await users.replace(asAdmin, "edward", as({ name: "edward", email: "e@example.com" }) as never, "*");
    expect((await approve(id, who.editor)).status).toBe(403);
    await users.replace(asAdmin, "edward", as({ name, email: editor.name }) as never, "*");
  });

  it("no token, not even an administrator's", async () => {
    const id = await asked();
    const { token } = await tokens.create(asAdmin, { name: "bot", role: "admin", expiresAt: null, enabled: true });
    const answer = await approve(id, { authorization: `Bearer ${token}` });
    expect([answer.status, answer.json.detail]).toEqual([403, expect.stringContaining("No token can")]);
    expect((await readOutput(id)).status).toBe("awaiting_approval");
  });

  it("a person who was shown a key of the agent cannot approve its call", async () => {
    const input = { name: "shown", agent: "reader", expiresAt: null, enabled: true };
    const { key: shown } = await apiKeys.create(asAdmin, input);
    const id = await asked(CALL, {}, new Client(shown));
    expect((await approve(id, who.editor)).status).toBe(403);
    await database.query(`alter table change disable trigger user`);
    await database.query(`update change set actor = 'somebody' where resource = 'api-keys' and "rowId" = 'shown'`);
    await database.query(`alter table change enable trigger user`);
  });

  it("an administrator cannot approve a call made under their own identity", async () => {
    const id = await asked();
    await database.query(
      `update person set issuer = 'quartermaster', subject = 'reader', name = 'admin@example.com', "openIdCheckedAt" = now() where email = 'admin@example.com'`,
    );
    const answer = await approve(id);
    await database.query(
      `update person set issuer = null, subject = null, name = 'the-admin', "openIdCheckedAt" = null where email = 'admin@example.com'`,
    );
    expect([answer.status, answer.json.code]).toEqual([403, "forbidden"]);
    expect((await readOutput(id)).status).toBe("awaiting_approval");
  });
});

describe("an approval is valid only for the approved request", () => {
  /** Approved, and then something changes before the call starts. */
  async function after(change: (id: string) => Promise<unknown>): Promise<CallOutput> {
    const id = await asked();
    expect((await approve(id)).status).toBe(200);
    await change(id);
    await runQueued(id, counting());
    expect([runs, await outcomes(id)]).toEqual([0, 1]);
    return readOutput(id);
  }
  const set = (column: string, value: string) => (id: string) =>
    database.query(`update approval set "${column}" = $2 where "callId" = $1`, [id, value]);

  /** What the agent was promised stays the same. */
  const moved = async () => {
    const { apiVersion, sources } = supportDocument();
    const elsewhere = (sources as { name: string }[]).map((source) =>
      source.name === "builtin" ? { ...source, url: "https://elsewhere.example" } : source,
    );
    await save({ apiVersion, sources: elsewhere });
  };

  it.each<[string, (id: string) => Promise<unknown>]>([
    ["other arguments", set("argumentsDigest", "x")],
    ["another tool", set("toolId", "builtin:json_query")],
    ["another caller", set("subject", "refunder")],
    ["another definition", () => withApproval({ description: "Something else." })],
    ["a tool that runs elsewhere", moved],
  ])("not for %s", async (_what, change) => {
    expect(await after(change)).toMatchObject({ status: "denied", error: { code: "approval_denied" } });
  });

  const script = (answer: number) => ({ kind: "script", code: `export default () => ${answer};` });
  const request = (path: string) => ({ kind: "http", method: "POST", url: `http://127.0.0.1:9/${path}` });
  it.each<[string, object, object]>([
    ["script", script(1), script(2)],
    ["http", request("small"), request("large")],
  ])("not for a tool of kind %s that does something else behind the same promise", async (kind, first, second) => {
    const made = async (run: object) => {
      const { apiVersion, sources, tools, groups, policies } = supportDocument() as Record<string, object[]>;
      const tool = { id: "up:act", description: "Acts.", inputSchema: { type: "object" }, requiresApproval: true, run };
      await save({
        apiVersion,
        sources: [...sources!, { name: "up", kind }],
        tools: [...tools!, tool],
        groups: [...groups!, { name: "up", selectors: [{ source: "up" }] }],
        policies: [...policies!, { name: "all", everyone: true, groups: ["up"] }],
      });
    };
    const act = { tool_id: "up:act", arguments: {} };
    await made(first);
    const [id, same] = [await asked(act), await asked(act)];
    for (const one of [id, same]) expect((await approve(one)).status).toBe(200);
    await runQueued(same, counting());
    expect(runs).toBe(1);
    await made(second);
    expect((await look(id)).json.definitionChanged).toBe(true);
    await runQueued(id, counting());
    const denied = { status: "denied", error: { code: "approval_denied" } };
    expect([runs, await readOutput(id)]).toMatchObject([1, denied]);
    const { items } = await listExecutions({ reason: "approval_denied", tool: "up:act", limit: 1 });
    expect(items).toMatchObject([{ callId: id, reason: "approval_denied: definition_changed" }]);
  });

  it("another call's job cannot be put in its place", async () => {
    const other = await asked({ ...CALL, arguments: { expression: "1" } });
    const id = await asked();
    await approve(id);
    await database.query(
      `update kept_call set job = (select job from kept_call where "callId" = $2) where "callId" = $1`,
      [id, other],
    );
    await runQueued(id, counting());
    expect(runs).toBe(0);
  });

  it("refuses an approved call when the policy that granted it was removed", async () => {
    const answer = await after(() => save({ apiVersion: "quartermaster/v1", policies: [] }));
    expect(answer.error?.code).toBe("tool_not_available");
  });

  it("does not run when the key that made it was revoked", async () => {
    const id = await asked(CALL, {}, new Client(await keyOf("reader", "short-lived")));
    await database.query("update api_key set enabled = false where name = 'short-lived'");
    expect((await approve(id)).json.refusedNow).toEqual({ reason: "unauthenticated", state: null });
    await runQueued(id, counting());
    expect([runs, (await getExecution(id, { bodies: false }))?.code]).toEqual([0, "unauthenticated"]);
  });

  it("a call accepted before its tool required an approval does not run without one", async () => {
    await withApproval({ requiresApproval: false });
    const accepted = await reader.call({ ...CALL, mode: "async" });
    expect(accepted.json.status).toBe("pending");
    await withApproval();
    await runQueued(accepted.json.call_id, counting());
    expect(runs).toBe(0);
    expect((await readOutput(accepted.json.call_id)).error?.code).toBe("approval_denied");
  });

  it("after an approval, another process takes over from one that died, or reports an interruption", async () => {
    const id = await asked();
    await approve(id);
    await database.query(`insert into instance (id, "seenAt") values ('dead', now() - interval '1 hour')`);
    await claimCall(id, "dead");
    await reapInterrupted(new Date());
    expect((await readOutput(id)).error?.code).toBe("interrupted");
    const repeatable = await asked(CALL, { "idempotency-key": "dies" });
    await approve(repeatable);
    await database.query(`update kept_call set repeatable = true where "callId" = $1`, [repeatable]);
    await database.query(`insert into instance (id, "seenAt") values ('dead', now() - interval '1 hour')`);
    await claimCall(repeatable, "dead");
    await reapInterrupted(new Date());
    await runQueued(repeatable, counting());
    expect((await readOutput(repeatable)).status).toBe("succeeded");
  });

  it("a process that dies while the call waits changes nothing: it waits", async () => {
    const id = await asked();
    await database.query(`update instance set "seenAt" = now() - interval '1 hour'`);
    await reapInterrupted(new Date());
    expect((await readOutput(id)).status).toBe("awaiting_approval");
  });
});

describe("what an approver sees", () => {
  it("are read by one request for a list, each read an audit event, without unknown ids", async () => {
    const ids = [await asked(), await asked({ ...CALL, arguments: { expression: "1 + 1" } })];
    const many = (headers: Record<string, string>) =>
      knock<{ items: ApprovalDetail[] }>(READ_MANY, "details", headers, { ids: [...ids, "call_unknown"] });
    const { status, json } = await many(who.editor);
    expect(status).toBe(200);
    expect(json.items.map(({ id, arguments: given, mayAnswer }) => [id, given, mayAnswer])).toEqual([
      [ids[0], { expression: "6 * 7" }, true],
      [ids[1], { expression: "1 + 1" }, true],
    ]);
    const [first] = (await many(who.editor)).json.items;
    expect(first).toEqual((await look(ids[0] ?? "")).json);
    const events = await database.query(
      `select count(*)::int as count from audit_event where target = $1 and action = 'approvals.arguments'`,
      [ids[1] ?? ""],
    );
    expect(events).toEqual([{ count: 2 }]);
  });

  it("the complete arguments while it waits, with sensitive ones marked; the view is recorded", async () => {
    await withApproval({ inputSchema: { type: "object" } });
    const padding = "x".repeat(100_000);
    const to = [{ otp: "delete everything" }];
    const given = { expression: "1", password: "hunter2", padding, to };
    const id = await asked({ ...CALL, arguments: given });
    const seen = await look(id);
    expect(seen.json).toMatchObject({
      status: "waiting",
      agent: "reader",
      toolId: TOOL,
      policies: ["support-staff"],
      arguments: given,
      argumentsHidden: false,
      sensitive: ["password", "to[0].otp"],
      mayAnswer: true,
      definitionChanged: false,
      own: null,
    });
    const events = `select actor from audit_event where target = $1 and action = 'approvals.arguments'`;
    expect(await database.query(events, [id])).toEqual([{ actor: "editor@example.com" }]);
    // Who may not answer it, and everybody after the answer, sees what the log keeps; nothing else keeps them.
    const auditor = (await look(id, who.auditor)).json;
    expect([auditor.sensitive, JSON.stringify(auditor).includes("hunter2")]).toEqual([[], false]);
    await refuse(id);
    const after = (await look(id, who.admin)).json;
    expect([after.sensitive, JSON.stringify(after).includes("hunter2")]).toEqual([[], false]);
    expect(await database.query(`select job from kept_call where "callId" = $1`, [id])).toEqual([{ job: null }]);
  });

  it("the steps of the decision while it waits; afterwards only readers of bodies see them", async () => {
    const id = await asked();
    const trace = async (headers: Record<string, string>) => {
      const body = { executionId: id, explain: [TOOL] };
      const { status, json } = await knock<PreviewOutput>(PREVIEW, id, headers, body);
      return [status, json.explanations?.[TOOL]?.visible];
    };
    expect(await trace(who.editor)).toEqual([200, true]);
    const events = `select actor from audit_event where target = $1 and action = 'executions.bodies'`;
    expect(await database.query(events, [id])).toEqual([{ actor: "editor@example.com" }]);
    await refuse(id);
    expect(await trace(who.editor)).toEqual([403, undefined]);
    expect(await trace(who.auditor)).toEqual([200, true]);
  });

  it("after the answer only readers of bodies see the arguments", async () => {
    const id = await asked();
    await refuse(id);
    expect((await look(id, who.editor)).json).toMatchObject({ arguments: null, argumentsHidden: true });
    expect((await look(id, who.auditor)).json).toMatchObject({ arguments: CALL.arguments, argumentsHidden: false });
  });

  it("that its session has left the state in which the tool is available", async () => {
    const rule = { tool: TOOL, availableIn: ["fresh"], transitions: [{ from: "fresh", to: "used" }] };
    const once = { name: "once", initial: "fresh", states: [{ name: "fresh" }, { name: "used" }], rules: [rule] };
    const { apiVersion, machines } = supportDocument() as { apiVersion: string; machines: object[] };
    await save({ apiVersion, machines: [...machines, once] });

    await agents.create({ kind: "user", name: "other@example.com", role: "admin" }, {
      ...(await agents.get("reader")),
      name: "once-bot",
      machine: "once",
      stateHeldByServer: true,
    } as never);
    const client = new Client(await keyOf("once-bot"));
    const { session_id } = (await client.open({ group: ["*"] })).json;
    const first = await asked({ ...CALL, session_id }, {}, client);
    const second = await asked({ ...CALL, session_id }, {}, client);
    expect((await look(second)).json.refusedNow).toBeNull();
    expect((await approve(first)).json.refusedNow).toBeNull();
    await runQueued(first, counting());
    const refusedNow = { reason: "state_mismatch", state: "used" };
    expect((await look(second)).json.refusedNow).toEqual(refusedNow);
    expect((await approve(second)).json.refusedNow).toEqual(refusedNow);
    await runQueued(second, counting());
    const row = await getExecution(second, { bodies: false });
    expect(row).toMatchObject({ reason: "state_mismatch", stateBefore: "fresh", stateAfter: "used" });
    expect((await look(second)).json.refusedNow).toBeNull();
  });

  it("that the policies now refuse its arguments", async () => {
    const id = await asked();
    const other = await asked({ ...CALL, arguments: { expression: "1 + 1" } });
    const conditions = [{ claim: "expression", operator: "equals", value: "1 + 1" }];
    const { apiVersion, policies } = supportDocument() as { apiVersion: string; policies: object[] };
    await save({ apiVersion, policies: policies.map((one) => ({ ...one, arguments: conditions })) });
    const refusedNow = { reason: "arguments_refused" };
    expect((await look(id)).json).toMatchObject({ refusedNow });
    expect((await approve(id)).json).toMatchObject({ refusedNow });
    expect((await look(other)).json.refusedNow).toBeNull();
    await runQueued(id, counting());
    expect([runs, (await getExecution(id, { bodies: false }))?.code]).toEqual([0, "arguments_refused"]);
  });

  it("that the definition has changed since", async () => {
    const id = await asked();
    await withApproval({ description: "Something else." });
    expect((await look(id)).json.definitionChanged).toBe(true);
    const answered = await approve(id);
    expect([answered.status, answered.json]).toMatchObject([409, { detail: expect.stringMatching(/tool changed/) }]);
    expect((await look(id)).json.status).toBe("waiting");
    expect((await refuse(id)).status).toBe(200);
  });

  it("waiting calls before answered ones, with filters", async () => {
    const answered = await asked();
    await refuse(answered);
    const waiting = await asked();
    const list = async (query = "") => (await knock<Page<ApprovalRow>>(LIST, "", who.auditor, undefined, query)).json;
    const { items } = await list();
    const states = items.map(({ status }) => status);
    expect(states.lastIndexOf("waiting")).toBeLessThan(states.findIndex((status) => status !== "waiting"));
    expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining([answered, waiting]));
    expect(
      (await list("?status=refused&decidedBy=admin@example.com")).items.every(({ status }) => status === "refused"),
    ).toBe(true);
    const ids = async (source: string) => (await list(`?status=waiting&source=${source}`)).items.map(({ id }) => id);
    expect(await ids("builtin")).toContain(waiting);
    // A source is a whole name, and no pattern.
    expect([await ids("built"), await ids("builti_")]).toEqual([[], []]);
    expect((await knock(LIST, "", who.admin, undefined, "?status=open")).status).toBe(400);
  });
});
