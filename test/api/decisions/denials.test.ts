import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DELETE as reopenRoute, PUT as handleRoute } from "@/app/api/admin/denials/[id]/handled/route";
import { GET as detailRoute } from "@/app/api/admin/denials/[id]/route";
import { GET as listRoute } from "@/app/api/admin/denials/route";
import { denialDetail, denialRow, type DenialDetail, type DenialRow } from "@/lib/contracts/decisions/denial";
import { pageOf } from "@/lib/contracts/changes/list";
import type { Role } from "@/lib/resources/permissions";
import { closeDatabase } from "@/lib/store/db/database";
import { agentInput } from "@/lib/resources/agent";
import { machineInput } from "@/lib/resources/machine";
import { policyInput } from "@/lib/resources/policy";
import { toolInput } from "@/lib/resources/tool";
import { agents } from "@/lib/store/config/agents";
import { machines } from "@/lib/store/config/machines";
import { policies } from "@/lib/store/config/policies";
import { toValue } from "@/lib/store/config/tables";
import { tools } from "@/lib/store/config/tools";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { ADMIN, Client, keyOf, save, supportDocument, type Session } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const pages = pageOf(denialRow);
const clients: Record<string, Client> = {};

beforeAll(async () => {
  await save(supportDocument());
  for (const agent of ["reader", "refunder", "worker", "suspended", "stranger"])
    clients[agent] = new Client(await keyOf(agent));
});
afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

async function call(agent: string, tool_id: string, args: object = {}): Promise<string> {
  const { json } = await clients[agent]!.call({ tool_id, arguments: args });
  return json.call_id;
}

async function list(query = ""): Promise<{ items: DenialRow[]; total: number; nextCursor: string | null }> {
  const got = await ask(listRoute, "GET", `/api/admin/denials${query}`, { role: "auditor" });
  expect([got.status, got.json.errors]).toEqual([200, undefined]);
  return pages.parse(got.json);
}

async function read(id: string, role: Role = "admin"): Promise<DenialDetail> {
  const got = await ask(detailRoute, "GET", `/api/admin/denials/${id}`, { role, params: { id } });
  expect(got.status).toBe(200);
  return denialDetail.parse(got.json);
}

async function change(id: string, changes: object): Promise<void> {
  const { revision, createdAt: _created, updatedAt: _updated, definitionHash: _hash, ...tool } = await tools.get(id);
  await tools.replace(ADMIN, id, toolInput.parse({ ...tool, ...changes }), revision);
}

/** A policy that offers a group to the stranger on request. */
async function offered(name: string, group: string): Promise<string> {
  const matchers = [{ claim: "sub", operator: "equals", value: "stranger" }];
  await policies.create(ADMIN, policyInput.parse({ name, effect: "request", maxHours: 8, matchers, groups: [group] }));
  return name;
}

const kindOf = ({ agent, tool, reason, calls }: DenialRow) => [agent, tool, reason, calls];

describe("the inbox", () => {
  test("has one row for each caller, tool and rule, the latest first, and none for allowed calls", async () => {
    await call("reader", "support:get_order", { order_id: "O-5001" });
    await call("stranger", "support:get_order", { order_id: "O-5001" });
    await call("reader", "support:refund_order", { order_id: "O-5001", amount: 5 });
    await call("reader", "support:refund_order", { order_id: "O-5002", amount: 6 });
    await call("suspended", "support:get_order", { order_id: "O-5001" });
    const last = await call("stranger", "support:get_order", { order_id: "O-5002" });
    const { items, total } = await list();
    expect(items.map(kindOf)).toEqual([
      ["stranger", "support:get_order", "no_policy_grant", 2],
      ["suspended", "support:get_order", "denied_by_policy", 1],
      ["reader", "support:refund_order", "not_in_granted_group", 2],
    ]);
    expect(total).toBe(3);
    expect(items[0]).toMatchObject({ id: last, known: true, policy: null, handledAt: null });
    expect(items[1]?.policy).toBe("suspended");
    expect(Date.parse(items[0]!.firstAt)).toBeLessThan(Date.parse(items[0]!.lastAt));
  });

  test("is filtered by agent, tool, reason, policy, text and time, and sorted by how often", async () => {
    expect((await list("?agent=reader")).items).toHaveLength(1);
    expect((await list("?tool=support:get_order")).items).toHaveLength(2);
    expect((await list("?reason=no_policy_grant")).items).toHaveLength(1);
    expect((await list("?policy=suspended")).items).toHaveLength(1);
    expect((await list("?q=refund")).items).toHaveLength(1);
    expect((await list("?to=2020-01-01T00:00:00Z&from=2019-12-01T00:00:00Z")).items).toEqual([]);
    expect((await list("?sort=calls")).items.map(({ calls }) => calls)).toEqual([1, 2, 2]);
  });

  test("pages in either order without losing or repeating a row", async () => {
    for (const sort of ["-lastAt", "-calls", "calls"]) {
      const first = await list(`?limit=2&sort=${sort}`);
      const second = await list(`?limit=2&sort=${sort}&cursor=${encodeURIComponent(first.nextCursor ?? "")}`);
      const all = (await list(`?sort=${sort}`)).items;
      expect([...first.items, ...second.items]).toEqual(all);
      expect([first.total, second.nextCursor]).toEqual([3, null]);
    }
  });

  test("refuses an unknown filter by name", async () => {
    for (const [query, path] of [
      ["?colour=red", "colour"],
      ["?sort=subject", "sort"],
      ["?cursor=nonsense", "cursor"],
      ["?state=lost", "state"],
    ]) {
      const got = await ask(listRoute, "GET", `/api/admin/denials${query}`);
      expect([query, got.status, got.json.errors?.[0]?.path]).toEqual([query, 400, path]);
    }
  });
});

describe("one kind of refusal", () => {
  const ofAgent = async (agent: string) => (await list(`?agent=${agent}`)).items[0]!;

  test("is found by the id of any of its calls, and shows the latest", async () => {
    const row = await ofAgent("stranger");
    const { examples, ...detail } = await read(row.id);
    expect(examples).toHaveLength(2);
    expect(detail).toMatchObject(row);
    expect((await read(examples[1]!.callId)).id).toBe(row.id);
    const allowed = await call("reader", "support:get_order", { order_id: "O-5001" });
    for (const id of [allowed, "nowhere"])
      expect((await ask(detailRoute, "GET", `/api/admin/denials/${id}`, { params: { id } })).status).toBe(404);
  });

  test("has a grant that allows the call when saved unchanged, and the inbox says so", async () => {
    const row = await ofAgent("reader");
    const before = await read(row.id);
    expect(before.today).toMatchObject({ verdict: "refused", reason: "not_in_granted_group" });
    expect(before.grants[0]).toMatchObject({ group: null, policy: { groups: ["refunds"] }, brings: [], remaining: [] });
    await policies.create(ADMIN, before.grants[0]!.policy);
    const { json } = await clients["reader"]!.call({
      tool_id: "support:refund_order",
      arguments: { order_id: "O-5001", amount: 5 },
    });
    expect(json.status).toBe("succeeded");
    expect(await read(row.id)).toMatchObject({
      today: { verdict: "allowed", needsApproval: false, reason: null },
      grants: [],
    });
    await change("support:refund_order", { requiresApproval: true });
    expect((await read(row.id)).today).toMatchObject({ verdict: "allowed", needsApproval: true });
    await change("support:refund_order", { requiresApproval: false });
  });

  test("by a deny has no grant, because a deny always wins", async () => {
    const { today, grants } = await read((await ofAgent("suspended")).id);
    expect(today).toMatchObject({ verdict: "refused", reason: "denied_by_policy" });
    expect(today.fix?.changes.map(({ kind }) => kind)).toContain("deny");
    expect(grants).toEqual([]);
  });

  test("that conditions on arguments decided is refused until they change, and has a grant without conditions", async () => {
    const id = await call("refunder", "support:refund_order", { order_id: "O-5001", amount: 5000 });
    const { today, grants, reason } = await read(id, "editor");
    expect(reason).toContain("arguments_refused");
    expect(today.verdict).toBe("refused");
    expect(today.conditions.map(({ policy }) => policy)).toEqual(["small-refunds"]);
    expect(grants[0]?.policy).toMatchObject({ groups: ["refunds"], arguments: [] });
    const stored = await policies.get("small-refunds");
    const [limit] = stored.arguments;
    const wider = policyInput.parse({ ...toValue("policies", stored), arguments: [{ ...limit, value: 9000 }] });
    await policies.replace(ADMIN, "small-refunds", wider, "*");
    expect((await read(id)).today.verdict).toBe("conditional");
    await policies.replace(ADMIN, "small-refunds", policyInput.parse(toValue("policies", stored)), "*");
    expect((await read(id)).today.verdict).toBe("refused");
  });

  test("by the arguments is found by its reason, also when the reason names a policy", async () => {
    const huge = [{ claim: "amount", operator: "gt", value: 9000 }];
    const deny = policyInput.parse({
      name: "huge",
      effect: "deny",
      everyone: true,
      arguments: huge,
      groups: ["refunds"],
    });
    const { revision } = await policies.create(ADMIN, deny);
    await call("refunder", "support:refund_order", { order_id: "O-5001", amount: 9999 });
    await policies.remove(ADMIN, "huge", revision);
    const reasons = async (reason: string) =>
      (await list(`?agent=refunder&reason=${encodeURIComponent(reason)}`)).items.map((row) => row.reason).toSorted();
    expect(await reasons("arguments_refused")).toEqual(["arguments_refused", "arguments_refused by huge"]);
    expect(await reasons("arguments_refused by huge")).toEqual(["arguments_refused by huge"]);
  });

  test("of a tool that does not exist says that no grant changes it", async () => {
    await call("suspended", "support:fly_away");
    const { today, grants, known } = await read((await ofAgent("suspended")).id);
    expect([known, today.verdict, grants]).toEqual([false, "unknown", []]);
  });

  test("by a limit names the row that holds it, and has no grant", async () => {
    const id = "support:get_order";
    const { limits } = await tools.get(id);
    await change(id, { limits: { ...limits, rate: { points: 1, seconds: 3600 } } });
    await call("reader", id, { order_id: "O-5001" });
    const { cause, grants, today } = await read(await call("reader", id, { order_id: "O-5001" }));
    expect(cause).toEqual({ kind: "limit", rule: { kind: "tool", name: id } });
    expect([grants, today.verdict]).toEqual([[], "unknown"]);
  });

  test("names the calls that lead to a state which shows the tool", async () => {
    const { session_id } = (await clients["worker"]!.open<Session>({ group: ["*"] })).json;
    const { json } = await clients["worker"]!.call({ tool_id: "support:close_ticket", session_id, arguments: {} });
    const id = json.call_id;
    const { today } = await read(id, "editor");
    expect(today).toMatchObject({ verdict: "refused", reason: "state_mismatch", machine: "case" });
    expect(today.statePath).toEqual({
      from: "triage",
      calls: [{ toolId: "support:lookup_customer", to: "investigating", hidden: false }],
      needsSession: true,
    });
  });

  test("shows the caller's claims only to admins and auditors where no grant helps, and records these views", async () => {
    const looks = async (id: string) =>
      (await database.query("select 1 from audit_event where action = 'executions.bodies' and target = $1", [id]))
        .length;
    const { id: granted } = await ofAgent("stranger");
    const denied = await call("suspended", "support:get_order", { order_id: "O-5001" });
    for (const role of ["editor", "auditor", "admin"] as const) {
      const { today, grants } = await read(granted, role);
      expect([today.verdict, today.fix, grants.length > 0]).toEqual(["refused", null, true]);
    }
    expect((await read(denied, "editor")).today).toMatchObject({ verdict: "refused", fix: null });
    expect([await looks(granted), await looks(denied)]).toEqual([0, 0]);
    expect((await read(denied, "auditor")).today.fix).not.toBeNull();
    expect(await looks(denied)).toBe(1);
  });
});

describe("what was dealt with", () => {
  const mark = (route: typeof handleRoute, id: string, role: Role = "editor") =>
    ask(route, "PUT", `/api/admin/denials/${id}/handled`, { role, params: { id } });

  test("leaves the inbox, with person and time, until it is refused again", async () => {
    const [row] = (await list("?agent=stranger")).items;
    expect((await mark(handleRoute, row!.id)).status).toBe(204);
    expect((await list("?agent=stranger")).items).toEqual([]);
    const [handled] = (await list("?agent=stranger&state=handled")).items;
    expect(handled).toMatchObject({ id: row!.id, handledBy: "editor@example.com" });
    await call("stranger", "support:get_order", { order_id: "O-5003" });
    expect((await list("?agent=stranger")).items.map(kindOf)).toEqual([
      ["stranger", "support:get_order", "no_policy_grant", 3],
    ]);
    expect((await list("?agent=stranger&state=handled")).items).toEqual([]);
  });

  test("can be put back", async () => {
    const [row] = (await list("?agent=stranger")).items;
    await mark(handleRoute, row!.id);
    expect((await mark(reopenRoute, row!.id)).status).toBe(204);
    expect((await list("?agent=stranger")).items).toHaveLength(1);
  });
});

test("by a state says when the agent may set its own state", async () => {
  const { session_id } = (await clients["worker"]!.open<Session>({ group: ["*"] })).json;
  const { json } = await clients["worker"]!.call({ tool_id: "support:close_ticket", session_id, arguments: {} });
  const stored = await agents.get("worker");
  const free = agentInput.parse({ ...toValue("agents", stored), stateHeldByServer: false });
  await agents.replace(ADMIN, "worker", free, "*");
  expect((await read(json.call_id)).today.statePath).toMatchObject({ needsSession: false });
  await agents.replace(ADMIN, "worker", agentInput.parse({ ...free, stateHeldByServer: true }), "*");
});

test("by a condition on the time may be allowed later", async () => {
  const matchers = [{ claim: "sub", operator: "equals", value: "stranger" }];
  const soon = [{ claim: "expression", operator: "within_next", value: "P1D" }];
  await policies.create(ADMIN, policyInput.parse({ name: "soon", matchers, groups: ["helpers"], arguments: soon }));
  const at = new Date(Date.now() + 2 * 86_400_000).toISOString();
  const { today, code } = await read(await call("stranger", "builtin:calculate", { expression: at }));
  expect([code, today.verdict]).toEqual(["arguments_refused", "conditional"]);
  await policies.remove(ADMIN, "soon");
});

test("by a state offers no request that the caller can never make", async () => {
  const name = await offered("out-of-reach", "tickets");
  const machine = toValue("machines", await machines.get("case"));
  const rules = machine.rules.map((rule) => ({ ...rule, transitions: [] }));
  await machines.create(ADMIN, machineInput.parse({ ...machine, name: "stuck", rules }));
  const stored = toValue("agents", await agents.get("stranger"));
  const held = agentInput.parse({ ...stored, machine: "stuck", stateHeldByServer: true });
  await agents.replace(ADMIN, "stranger", held, "*");
  const { session_id } = (await clients["stranger"]!.open<Session>({ group: ["*"] })).json;
  const { json } = await clients["stranger"]!.call({ tool_id: "support:close_ticket", session_id, arguments: {} });
  expect((await read(json.call_id)).today).toMatchObject({ verdict: "refused", offers: [] });
  await agents.replace(ADMIN, "stranger", agentInput.parse(stored), "*");
  await machines.remove(ADMIN, "stuck");
  await policies.remove(ADMIN, name);
});

test("by a state names the request policy of another state, and the calls that lead to it", async () => {
  const name = await offered("tickets-on-request", "tickets");
  const stored = toValue("agents", await agents.get("stranger"));
  const inTriage = agentInput.parse({ ...stored, machine: "case", stateHeldByServer: false });
  await agents.replace(ADMIN, "stranger", inTriage, "*");
  const { today } = await read(await call("stranger", "support:close_ticket"));
  expect(today).toMatchObject({
    verdict: "refused",
    reason: "no_policy_grant",
    offers: [name],
    statePath: { from: "triage", calls: [{ toolId: "support:lookup_customer", to: "investigating" }] },
  });
  await agents.replace(ADMIN, "stranger", agentInput.parse(stored), "*");
  await policies.remove(ADMIN, name);
});

test("of a tool that the caller may request names the request policy, and the grants that help too", async () => {
  const name = await offered("on-request", "refunds");
  const id = await call("stranger", "support:refund_order", { order_id: "O-5001", amount: 5 });
  const { today, grants, code } = await read(id);
  expect([code, today.verdict, today.reason, today.offers]).toEqual([
    "access_requestable",
    "refused",
    "access_requestable",
    [name],
  ]);
  expect(grants).not.toEqual([]);
  expect(await database.query(`select "policies" from execution where "callId" = $1`, [id])).toEqual([
    { policies: [name] },
  ]);
  await change("support:refund_order", { requiresApproval: true });
  expect((await read(id)).today).toMatchObject({ verdict: "refused", needsApproval: true });
  await change("support:refund_order", { requiresApproval: false });
  await policies.remove(ADMIN, name);
  expect((await read(id)).today).toMatchObject({ verdict: "refused", offers: [] });
});
