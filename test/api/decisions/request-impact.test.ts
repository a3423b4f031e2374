import { beforeAll, expect, it } from "vitest";
import { POST as CREATE } from "@/app/api/admin/[resource]/route";
import { GET } from "@/app/api/admin/requests/[id]/impact/route";
import { POST as WITHDRAW } from "@/app/api/admin/requests/[id]/withdraw/route";
import type { HeldChange, RequestImpact } from "@/lib/contracts/changes/request";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { signIn } from "@/test/support/person";
import { setReview } from "@/test/support/set-review";

useDatabase();

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

const impactOf = (id: string) =>
  ask<RequestImpact>(GET, "GET", `/api/admin/requests/${id}/impact`, { params: { id }, role: "admin" });

it("names the recent callers who would gain tools, and the refused calls that would be allowed", async () => {
  const { status, json } = await impactOf(await held("policies", POLICY));
  expect(status).toBe(200);
  const stranger = json.impact?.callers.find(({ name }) => name === "stranger");
  expect(stranger).toMatchObject({ kind: "agent", callId: refused, before: 0 });
  expect(stranger?.gained.tools.map(({ toolId }) => toolId)).toContain(CUSTOMER);
  expect(json.impact?.calls.allowed).toMatchObject([{ callId: refused, toolId: CUSTOMER }]);
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
