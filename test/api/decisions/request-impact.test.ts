import { beforeAll, expect, it } from "vitest";
import { POST as CREATE } from "@/app/api/admin/[resource]/route";
import { PUT } from "@/app/api/admin/[resource]/[id]/route";
import { GET } from "@/app/api/admin/requests/[id]/impact/route";
import { POST as WITHDRAW } from "@/app/api/admin/requests/[id]/withdraw/route";
import type { HeldChange, RequestImpact } from "@/lib/contracts/changes/request";
import type { Role } from "@/lib/resources/permissions";
import { policies } from "@/lib/store/config/policies";
import { toValue } from "@/lib/store/config/tables";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { signIn } from "@/test/support/person";
import { setReview } from "@/test/support/set-review";

const database = useDatabase();

const CUSTOMER = "support:lookup_customer";
const POLICY = {
  name: "sales",
  matchers: [{ claim: "team", operator: "equals", value: "sales" }],
  groups: ["support-read"],
};
let refused = "";

beforeAll(async () => {
  await save(supportDocument());
  const stranger = new Client(await keyOf("stranger"));
  const answer = await stranger.call({ name: "lookup_customer", arguments: { email: "ada@example.com" } });
  refused = String(answer.json.call_id);
  await signIn("admin");
  await signIn("editor");
  await setReview("widening");
});

async function held(resource: string, body: object): Promise<string> {
  const answer = await ask<HeldChange>(CREATE, "POST", `/api/admin/${resource}`, {
    params: { resource },
    body,
    role: "editor",
  });
  expect(answer.status).toBe(202);
  return answer.json.request.id;
}

const impactOf = (id: string, query = "", role: Role = "admin") =>
  ask<RequestImpact>(GET, "GET", `/api/admin/requests/${id}/impact${query}`, { params: { id }, role });

it("names the recent callers who would gain tools, and the refused calls that would be allowed", async () => {
  const { status, json } = await impactOf(await held("policies", POLICY));
  expect(status).toBe(200);
  const stranger = json.impact?.callers.find(({ name }) => name === "stranger");
  expect(stranger).toMatchObject({ kind: "agent", callId: refused, before: 0 });
  expect(stranger?.gained.tools.map(({ toolId }) => toolId)).toContain(CUSTOMER);
  expect(json.impact?.calls.allowed).toMatchObject([{ callId: refused, toolId: CUSTOMER }]);
});

it("checks logged arguments for a person who may read them, and records it", async () => {
  const refunder = new Client(await keyOf("refunder"));
  const args = { order_id: "O-5001", amount: 200 };
  const { json } = await refunder.call({ tool_id: "support:refund_order", arguments: args });
  const stored = await policies.get("small-refunds");
  const [limit] = stored.arguments;
  const body = { ...toValue("policies", stored), arguments: [{ ...limit, value: 500 }] };
  const params = { resource: "policies", id: "small-refunds" };
  const headers = { "if-match": `"${stored.revision}"` };
  const answer = await ask<HeldChange>(PUT, "PUT", "/api/admin/policies/small-refunds", {
    params,
    headers,
    body,
    role: "editor",
  });
  const { id } = answer.json.request;
  const read = () => database.query("select role from audit_event where action = 'executions.arguments'");
  expect((await impactOf(id)).json.impact?.calls).toMatchObject({ allowed: [], undecided: 1 });
  expect((await impactOf(id, "?arguments=true", "editor")).status).toBe(403);
  expect(await read()).toEqual([]);
  const { calls } = (await impactOf(id, "?arguments=true")).json.impact!;
  expect(calls).toMatchObject({ allowed: [{ callId: json.call_id }], undecided: 0 });
  expect(await read()).toEqual([{ role: "admin" }]);
});

it("measures nothing for rows that decide nothing, and for a closed request", async () => {
  await setReview("all");
  const assertion = { name: "none", given: { claims: {} }, expect: { exactly: true } };
  const other = await held("assertions", assertion);
  expect((await impactOf(other)).json).toEqual({ impact: null });
  const id = await held("policies", { ...POLICY, name: "sales-too" });
  await ask(WITHDRAW, "POST", `/api/admin/requests/${id}/withdraw`, { params: { id }, body: {}, role: "editor" });
  expect((await impactOf(id)).json).toEqual({ impact: null });
});

it("finds no impact of a request that does not exist", async () => {
  expect((await impactOf("req_0")).status).toBe(404);
});
