import { beforeAll, describe, expect, it } from "vitest";
import { GET as listPaths } from "@/app/api/admin/impact/claim-paths/route";
import { POST as countMatchers } from "@/app/api/admin/impact/matchers/route";
import { POST } from "@/app/api/admin/impact/route";
import {
  claimPathsOutput,
  impactOutput,
  matcherCountsOutput,
  type ImpactCaller,
  type ImpactOutput,
} from "@/lib/contracts/decisions/impact";
import type { Role } from "@/lib/resources/permissions";
import { currentRevision } from "@/lib/store/snapshot/load";
import { tools } from "@/lib/store/config/tools";
import { db } from "@/lib/store/db/database";
import { write, type Change } from "@/lib/store/save/write";
import { flushRefusals } from "@/lib/store/audit/refusals";
import { ADMIN, Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();

const REFUND = "support:refund_order";
const CLOSE = "support:close_ticket";
const CUSTOMER = "support:lookup_customer";
const calls: Record<string, string> = {};
const clients: Record<string, Client> = {};
const policies = supportDocument()["policies"] as readonly Record<string, unknown>[];
const policy = (name: string) => policies.find((one) => one["name"] === name)!;

const WORLD = supportDocument({
  personas: [
    { name: "supporter", capabilities: [], sampleClaims: { team: "support" } },
    { name: "nobody", sampleClaims: { team: "sales" } },
  ],
});

beforeAll(async () => {
  await save(WORLD);
  for (const agent of ["reader", "refunder", "stranger"]) clients[agent] = new Client(await keyOf(agent));
  const made = async (agent: string, body: object) => String((await clients[agent]!.call(body)).json.call_id);
  calls["read"] = await made("reader", { tool_id: CUSTOMER, arguments: { query: "ada" } });
  calls["refund"] = await made("refunder", {
    tool_id: REFUND,
    arguments: { order_id: "O-5001", amount: 20, reason: "broken" },
  });
  calls["refused"] = await made("stranger", { name: "lookup_customer", arguments: { email: "ada@example.com" } });
});

async function impactOf(body: object, role: Role = "editor"): Promise<ImpactOutput> {
  const answer = await ask(POST, "POST", "/api/admin/impact", { body, role });
  expect(answer).toMatchObject({ status: 200 });
  return impactOutput.parse(answer.json);
}

const callerOf = ({ callers }: ImpactOutput, name: string): ImpactCaller => callers.find((one) => one.name === name)!;
const names = (moved: ImpactCaller["gained"]) => moved.tools.map(({ toolId }) => toolId);

describe("the impact of a change that is not saved", () => {
  it("names the tools that each persona and each recent caller would lose, and the calls that would be refused", async () => {
    const impact = await impactOf({ resource: "policies", id: "support-staff" });
    const reader = callerOf(impact, "reader");
    expect(reader).toMatchObject({
      kind: "agent",
      issuer: "quartermaster",
      callId: calls["read"],
      after: 0,
      problem: null,
    });
    expect(reader.lost.count).toBe(reader.before);
    expect(names(reader.lost)).toContain(CUSTOMER);
    expect(callerOf(impact, "supporter")).toMatchObject({ kind: "persona", callId: null, after: 0 });
    expect(callerOf(impact, "nobody")).toMatchObject({ before: 0, after: 0, lost: { count: 0 } });
    expect(impact.calls.refused).toEqual([
      {
        callId: calls["read"],
        at: expect.any(String),
        toolId: CUSTOMER,
        who: "reader",
        reason: "no_policy_grant",
        detail: null,
      },
    ]);
    expect(impact.calls).toMatchObject({ replayed: 3, allowed: [] });
    // The impact lists the greatest losers first.
    const lost = impact.callers.map((caller) => caller.lost.count);
    expect(lost).toEqual(lost.toSorted((left, right) => right - left));
  });

  it("names what would be gained, and which refused calls would be allowed", async () => {
    const input = {
      name: "sales",
      matchers: [{ claim: "team", operator: "equals", value: "sales" }],
      groups: ["support-read"],
    };
    const impact = await impactOf({ resource: "policies", input });
    expect(names(callerOf(impact, "stranger").gained)).toContain(CUSTOMER);
    expect(names(callerOf(impact, "nobody").gained)).toContain(CUSTOMER);
    expect(callerOf(impact, "reader")).toMatchObject({ gained: { count: 0 }, lost: { count: 0 } });
    expect(impact.calls.allowed).toMatchObject([
      { callId: calls["refused"], toolId: CUSTOMER, reason: "no_policy_grant" },
    ]);
    expect(impact.calls.refused).toEqual([]);
  });

  it("names the findings that the change adds, and on the way back those that it removes", async () => {
    const everyone = { name: "all", everyone: true, groups: ["*"] };
    const { findings } = await impactOf({ resource: "policies", input: everyone });
    const [grant] = findings.added.items.filter(({ kind }) => kind === "grants_everything");
    expect(grant).toMatchObject({ id: "grants_everything/policy/all", about: { kind: "policy", name: "all" } });
    expect(grant?.text).toContain("grants every tool");
    expect(findings.added.count).toBe(findings.added.items.length);

    await save({ ...WORLD, policies: [...policies, everyone] });
    const back = await impactOf({ resource: "policies", id: "all" });
    expect(back.findings.added).toEqual(findings.removed);
    expect(back.findings.removed).toEqual(findings.added);
    await save(WORLD);
  });

  it("names agents without recent calls, also one that the change adds", async () => {
    const input = {
      name: "workers",
      matchers: [{ claim: "tickets", operator: "equals", value: true }],
      groups: ["refunds"],
    };
    const impact = await impactOf({ resource: "policies", input });
    const worker = callerOf(impact, "worker");
    expect(worker).toMatchObject({ kind: "agent", issuer: "quartermaster", callId: null, at: null, problem: null });
    expect(worker.before).toBeGreaterThan(0);
    expect(names(worker.gained)).toEqual([REFUND]);
    // The agent is compared once, by its calls.
    expect(impact.callers.filter(({ name }) => name === "reader")).toMatchObject([{ callId: calls["read"] }]);
    expect(impact.moreAgents).toBe(false);

    const agent = { name: "newcomer", attributes: { team: "support" } };
    const added = callerOf(await impactOf({ resource: "agents", input: agent }), "newcomer");
    expect(added).toMatchObject({ callId: null, before: 0, problem: null });
    expect(names(added.gained)).toContain(CUSTOMER);
    const removed = callerOf(await impactOf({ resource: "agents", id: "worker" }), "worker");
    expect(removed).toMatchObject({ after: 0, problem: "the agent `worker` does not exist in these rules" });
    const shut = await impactOf({ resource: "agents", input: { ...agent, enabled: false } });
    expect(callerOf(shut, "newcomer")).toBeUndefined();
  });

  it("of a restore names what callers would lose and gain", async () => {
    const restores = await currentRevision(db());
    const before = await impactOf({ restores });
    expect(before.callers.every(({ gained, lost }) => gained.count + lost.count === 0)).toBe(true);
    const first = await impactOf({ restores: 0 });
    expect(callerOf(first, "reader").problem).not.toBeNull();
  });

  it("of a restore names the approvals that end, and keeps the grants of now", async () => {
    const onRequest = { name: "on-request", effect: "request", maxHours: 2, everyone: true, groups: ["*"] };
    const world = { ...WORLD, policies: [...policies, onRequest] };
    const restores = await save(world);
    const stated = WORLD["tools"] as readonly Record<string, unknown>[];
    const guarded = stated.map((tool) => (tool["id"] === CUSTOMER ? { ...tool, requiresApproval: true } : tool));
    await save({ ...world, tools: guarded });
    const [from, until] = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
    const caller = { issuer: "quartermaster", subject: "reader", client: null };
    const after = { name: "req_1", policy: "on-request", tool: REFUND, ...caller, from, until, by: "a", endedBy: null };
    await write(ADMIN, () => [{ resource: "access-grants", action: "create", after }] as Change[]);
    const reader = callerOf(await impactOf({ restores }), "reader");
    expect([names(reader.approvalRemoved), names(reader.lost)]).toEqual([[CUSTOMER], []]);
    await write(ADMIN, () => [{ resource: "access-grants", action: "delete", id: "req_1" }]);
    await save(WORLD);
  });

  it("saves nothing", async () => {
    const before = await currentRevision(db());
    const { revision } = await impactOf({ resource: "groups", id: "support-read" });
    expect(revision).toBe(before);
    expect(await currentRevision(db())).toBe(before);
  });

  it("is measured of groups, tools, personas, machines, agents, settings and documents alike", async () => {
    const group = {
      name: "support-read",
      selectors: [{ name: "lookup_*" }],
      exclude: [{ tool: CUSTOMER, reason: "x" }],
    };
    expect(
      names(callerOf(await impactOf({ resource: "groups", id: "support-read", input: group }), "reader").lost),
    ).toContain(CUSTOMER);
    const deleted = await impactOf({ resource: "tools", id: CUSTOMER });
    expect(deleted.calls.refused).toMatchObject([{ reason: "unknown_tool" }]);
    const persona = { name: "supporter", sampleClaims: { team: "sales" } };
    expect(callerOf(await impactOf({ resource: "personas", id: "supporter", input: persona }), "supporter").after).toBe(
      0,
    );
    const agent = { name: "reader", enabled: false, attributes: { team: "support" } };
    const shut = await impactOf({ resource: "agents", id: "reader", input: agent });
    expect(callerOf(shut, "reader")).toMatchObject({ after: 0, problem: "the agent `reader` is disabled" });
    expect(shut.calls.refused).toMatchObject([{ reason: "caller_refused", detail: "the agent `reader` is disabled" }]);
    const machined = { name: "reader", attributes: { team: "support" }, machine: "case" };
    const held = await impactOf({ resource: "agents", id: "reader", input: machined });
    expect(callerOf(held, "reader")).toMatchObject({
      problem: null,
      isRefusedBefore: false,
      initialState: expect.any(String),
      needsSession: true,
    });
    expect(held.calls.refused).toMatchObject([{ reason: "session_required", detail: null }]);
    const stating = { ...machined, stateHeldByServer: false };
    expect((await impactOf({ resource: "agents", id: "reader", input: stating })).calls.refused).toEqual([]);
    const document = await impactOf({ config: { apiVersion: "quartermaster/v1", policies: [] } });
    expect(document.callers.every(({ after }) => after === 0)).toBe(true);
    expect(callerOf(document, "reader").before).toBeGreaterThan(0);
    const settings = await impactOf({ resource: "settings", input: {} });
    expect(settings.callers.every(({ lost, gained }) => lost.count + gained.count === 0)).toBe(true);
  });

  it("is measured against an older revision when one is named", async () => {
    const now = await currentRevision(db());
    const before = await impactOf({ resource: "policies", id: "support-staff", revision: now - 1 });
    expect(before.revision).toBe(now - 1);
  });

  it("evaluates logged arguments only on request by a person who may read them, and records that", async () => {
    const refunds = { ...policy("small-refunds"), arguments: [{ claim: "amount", operator: "lte", value: 10 }] };
    const change = { resource: "policies", id: "small-refunds", input: refunds };
    const unread = await impactOf(change);
    expect(unread.calls).toMatchObject({ refused: [], undecided: 1 });
    // A change of other rules leaves what its conditions decide as it is.
    expect((await impactOf({ resource: "policies", id: "ticket-work" })).calls.undecided).toBe(0);
    const read = await impactOf({ ...change, arguments: true }, "auditor");
    expect(read.calls).toMatchObject({
      undecided: 0,
      refused: [
        { callId: calls["refund"], reason: "arguments_refused", detail: "Refunds above 100 euro need a supervisor." },
      ],
    });
    const events = await db().auditEvent.findMany({ where: { action: "executions.arguments" } });
    expect(events).toMatchObject([{ role: "auditor", target: "impact" }]);
    const forbidden = await ask(POST, "POST", "/api/admin/impact", {
      body: { ...change, arguments: true },
      role: "editor",
    });
    expect(forbidden).toMatchObject({ status: 403, json: { permission: "executions:bodies" } });
    const invalid = await ask(POST, "POST", "/api/admin/impact", {
      body: { resource: "policies", id: "small-refunds", input: { name: "No name" }, arguments: true },
      role: "auditor",
    });
    expect(invalid.status).toBe(400);
    // A refused request has read nothing.
    expect(await db().auditEvent.count({ where: { action: "executions.arguments" } })).toBe(1);
    // Arguments to which the row of the call does not commit count as unknown.
    const forge = (text: string) =>
      database.query(`set session_replication_role = replica; update execution_body set text = ${text}
        where "callId" = '${calls["refund"]}' and part = 'arguments'; reset session_replication_role`);
    await forge(`replace(text, '20', '21')`);
    const forged = await impactOf({ ...change, arguments: true }, "auditor");
    expect(forged.calls).toMatchObject({ refused: [], undecided: 1 });
    await forge(`replace(text, '21', '20')`);
    const gone = await impactOf({ resource: "policies", id: "small-refunds" });
    expect(gone.calls.refused).toMatchObject([{ callId: calls["refund"], reason: "not_in_granted_group" }]);
  });

  it("says which claims the log does not keep", async () => {
    const matchers = [{ claim: "auth_time", operator: "within_last", value: "PT1H" }];
    const { notKept } = await impactOf({
      resource: "policies",
      input: { name: "fresh", matchers, groups: ["refunds"] },
    });
    expect(notKept).toEqual(["auth_time"]);
  });

  it("of a merged document counts only its additions to the stored configuration", async () => {
    const stop = { name: "stop", effect: "deny", everyone: true, groups: ["*"] };
    const config = { apiVersion: "quartermaster/v1", policies: [stop] };
    const [merged, row] = await Promise.all([
      impactOf({ config, mode: "merge" }),
      impactOf({ resource: "policies", input: stop }),
    ]);
    expect(merged).toEqual(row);
    expect(merged.callers.some(({ lost }) => lost.count > 0)).toBe(true);
    const asText = await impactOf({ config: JSON.stringify(config), mode: "merge" });
    expect(asText.callers).toEqual(merged.callers);
  });

  it("refuses an invalid change, naming the field", async () => {
    const paths = async (body: object) => {
      const answer = await ask(POST, "POST", "/api/admin/impact", { body });
      return [answer.status, ...answer.json.errors.map(({ path }) => path)];
    };
    expect(await paths({})).toEqual([400, "resource"]);
    expect(await paths({ resource: "policies" })).toEqual([400, "input"]);
    expect(await paths({ resource: "policies", id: "nothing" })).toEqual([400, "id"]);
    expect(await paths({ resource: "policies", input: { name: "x", groups: [] } })).toEqual([
      400,
      "input.groups",
      "input.matchers",
    ]);
    for (const id of [{}, { id: "small-refunds" }])
      expect(await paths({ resource: "policies", ...id, input: policy("support-staff") })).toEqual([400, "input.name"]);
    expect(await paths({ resource: "settings", input: { routing: { high: 0.1 } } })).toEqual([
      400,
      "input.routing.high",
    ]);
    expect(await paths({ config: { apiVersion: "v0" } })).toEqual([400, "config.apiVersion"]);
    expect(await paths({ resource: "policies", id: "small-refunds", mode: "merge" })).toEqual([400, "mode"]);
    const merged = { apiVersion: "quartermaster/v1", policies: [{ name: "new" }] };
    expect(await paths({ config: merged, mode: "merge" })).toEqual([400, "config.policies[new].groups"]);
    const nothing = { apiVersion: "quartermaster/v1" };
    expect(await paths({ config: nothing, mode: "merge", revision: 1 })).toEqual([400, "revision"]);
  });
});

describe("what recent callers carry", () => {
  it("is counted for each condition and for all, as the policy's effect judges them", async () => {
    const matchers = [
      { claim: "team", operator: "equals", value: "support" },
      null,
      { claim: "can_refund", operator: "not_equals", value: false },
    ];
    const count = async (effect: string) => {
      const answer = await ask(countMatchers, "POST", "/api/admin/impact/matchers", { body: { effect, matchers } });
      return matcherCountsOutput.parse(answer.json);
    };
    expect(await count("allow")).toEqual({ callers: 3, coarse: false, matching: [2, null, 1], all: 1, notKept: [] });
    // A deny treats a missing claim as satisfied.
    expect(await count("deny")).toEqual({ callers: 3, coarse: false, matching: [2, null, 3], all: 2, notKept: [] });
  });

  it("is coarse and rate-limited for persons who may not read bodies, and recorded in the audit trail", async () => {
    await flushRefusals();
    const matchers = [
      { claim: "team", operator: "equals", value: "support" },
      { claim: "team", operator: "equals", value: "nobody" },
    ];
    const count = async (role: "editor" | "auditor", many = matchers) =>
      ask(countMatchers, "POST", "/api/admin/impact/matchers", { role, body: { matchers: many } });
    expect(matcherCountsOutput.parse((await count("editor")).json)).toMatchObject({
      coarse: true,
      matching: [1, 0],
      all: 0,
    });
    expect(matcherCountsOutput.parse((await count("auditor")).json)).toMatchObject({ coarse: false, matching: [2, 0] });
    const fifty = Array.from({ length: 50 }, () => matchers[0]!);
    const statuses: number[] = [];
    for (let asked = 0; asked < 3; asked += 1) statuses.push((await count("editor", fifty)).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await count("auditor", fifty)).status).toBe(200);
    // The impact of a change names callers: it counts against the same limit.
    const impacts: number[] = [];
    for (let asked = 0; asked < 16; asked += 1)
      impacts.push((await ask(POST, "POST", "/api/admin/impact", { role: "editor", body: { config: {} } })).status);
    expect(impacts.at(-1)).toBe(429);
    // Each condition of a document is one, so that many policies in one request are no way round.
    await db().$executeRaw`delete from limit_window`;
    const guesses = Array.from({ length: 100 }, (_, at) => ({
      name: `guess-${at}`,
      groups: ["helpers"],
      matchers: [{ claim: "team", operator: "equals", value: `t${at}` }],
    }));
    const config = { apiVersion: "quartermaster/v1", policies: guesses };
    const guessed = async () =>
      (await ask(POST, "POST", "/api/admin/impact", { role: "editor", body: { config, mode: "merge" } })).status;
    expect([await guessed(), await guessed()]).toEqual([200, 429]);
    await flushRefusals();
    const rows = await db().auditEvent.findMany({ where: { action: "impact.matchers" }, orderBy: { actor: "asc" } });
    const lines = rows.map(({ actor, detail, count: counted }) => `${actor} ${detail} ${counted}`);
    expect(lines).toContain("auditor@example.com exact counts 2");
    expect(lines.some((one) => /^editor@example\.com coarse counts \d+$/.test(one))).toBe(true);
  });

  it("shows paths, never values", async () => {
    const answer = await ask(listPaths, "GET", "/api/admin/impact/claim-paths", { role: "editor" });
    const { callers, paths } = claimPathsOutput.parse(answer.json);
    expect(callers).toBe(3);
    // An editor gets coarse counts: 1 means 1 to 4.
    expect(paths).toContainEqual({ path: "team", callers: 1, list: false });
    expect(paths).toContainEqual({ path: "can_refund", callers: 1, list: false });
    expect(answer.text).not.toContain("support");
  });
});

// Last, because it makes another call; as an administrator, because the editor has used up the limit of guesses.
describe("approvals and limits", () => {
  it("names calls that would wait for an approval or reach a limit", async () => {
    const { revision: _revision, createdAt: _created, updatedAt: _updated, ...row } = await tools.get(CUSTOMER);
    const { definitionHash: _hash, ...tool } = row;
    const changed = (fields: object) =>
      impactOf({ resource: "tools", id: CUSTOMER, input: { ...tool, ...fields } }, "admin");
    const approved = (await changed({ requiresApproval: true })).calls;
    expect(approved.waiting.map(({ callId, reason }) => [callId, reason])).toEqual([[calls["read"], "needs_approval"]]);
    expect(approved.refused).toEqual([]);
    await clients["reader"]!.call({ tool_id: CUSTOMER, arguments: { query: "bob" } });
    const limits = { ...tool.limits, rate: { points: 1, seconds: 3600 } };
    expect((await changed({ limits })).calls.limited.map(({ reason }) => reason)).toEqual(["rate of tool"]);
    expect((await changed({})).calls).toMatchObject({ waiting: [], limited: [] });
    const atATime = { limits: { ...tool.limits, concurrency: 1 } };
    expect((await changed(atATime)).calls.limited).toEqual([]);
    // As if both had run for an hour.
    await database.query(`alter table execution_outcome disable trigger user`);
    await database.query(`update execution_outcome set "upstreamMs" = 3600000 where status = 'succeeded'`);
    await database.query(`alter table execution_outcome enable trigger user`);
    expect((await changed(atATime)).calls.limited.map(({ reason }) => reason)).toEqual(["concurrency of tool"]);
  });

  it("names calls that would wait in another state than the one in which the caller is decided", async () => {
    const { revision: _revision, createdAt: _created, updatedAt: _updated, ...row } = await tools.get(CLOSE);
    const { definitionHash: _hash, ...input } = { ...row, requiresApproval: true };
    const { initialState, state, approvalAdded } = callerOf(
      await impactOf({ resource: "tools", id: CLOSE, input }, "admin"),
      "worker",
    );
    expect([initialState, state, names(approvalAdded)]).toEqual(["triage", "triage", [CLOSE]]);
  });

  it("names the tools whose calls may have other arguments", async () => {
    const changed = (value: number) => ({
      resource: "policies",
      id: "small-refunds",
      input: { ...policy("small-refunds"), arguments: [{ claim: "amount", operator: "lte", value }] },
    });
    const refunder = callerOf(await impactOf(changed(20)), "refunder");
    expect([refunder.lost.count, names(refunder.argumentsChanged)]).toEqual([0, [REFUND]]);
    expect(callerOf(await impactOf(changed(100)), "refunder").argumentsChanged.count).toBe(0);
    const deny = {
      name: "no-strangers",
      effect: "deny",
      everyone: true,
      groups: ["support-read"],
      arguments: [{ claim: "email", operator: "equals", value: "eve@example.com" }],
    };
    const { lost, argumentsLimited } = callerOf(await impactOf({ resource: "policies", input: deny }), "reader");
    expect([lost.count, names(argumentsLimited)]).toEqual([0, expect.arrayContaining([CUSTOMER])]);
  });

  it("names, for each caller that keeps the tool, that its calls would wait or have other limits", async () => {
    const { revision: _revision, createdAt: _created, updatedAt: _updated, ...row } = await tools.get(CUSTOMER);
    const { definitionHash: _hash, ...tool } = row;
    const changed = async (fields: object) =>
      callerOf(await impactOf({ resource: "tools", id: CUSTOMER, input: { ...tool, ...fields } }, "admin"), "reader");
    const named = { count: 1, tools: [{ toolId: CUSTOMER }] };
    const none = { count: 0, tools: [] };
    expect(await changed({ requiresApproval: true })).toMatchObject({
      lost: none,
      approvalAdded: named,
      approvalRemoved: none,
      limitsChanged: none,
    });
    const limits = { ...tool.limits, rate: { points: 1, seconds: 3600 } };
    expect(await changed({ limits })).toMatchObject({ approvalAdded: none, limitsChanged: named });
    // A tool that the caller loses is in no other list.
    expect(await changed({ enabled: false, requiresApproval: true })).toMatchObject({
      lost: named,
      approvalAdded: none,
    });
  });

  it("names no call that its arguments would stop all the same", async () => {
    const { json } = await clients["reader"]!.call({ tool_id: CUSTOMER, arguments: { email: "ada@example.com" } });
    expect(json.error?.code).toBe("invalid_arguments");
    const isNamed = (named: readonly { callId: string }[]) => named.some(({ callId }) => callId === json.call_id);
    const { revision: _revision, createdAt: _created, updatedAt: _updated, ...row } = await tools.get(CUSTOMER);
    const { definitionHash: _hash, ...tool } = row;
    const changed = async (fields: object) =>
      (await impactOf({ resource: "tools", id: CUSTOMER, input: { ...tool, ...fields } }, "admin")).calls;
    const { waiting } = await changed({ requiresApproval: true });
    const { limited } = await changed({ limits: { ...tool.limits, rate: { points: 1, seconds: 3600 } } });
    const { refused } = await changed({ enabled: false });
    const staff = "support-staff";
    await save({ ...WORLD, policies: policies.filter(({ name }) => name !== staff) });
    const { allowed } = (await impactOf({ resource: "policies", input: policy(staff) }, "admin")).calls;
    await save(WORLD);
    for (const named of [waiting, limited, refused, allowed]) {
      expect(named.length).toBeGreaterThan(0);
      expect(isNamed(named)).toBe(false);
    }
  });
});
