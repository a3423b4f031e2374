import { afterAll, beforeAll, expect, test, vi } from "vitest";
import * as one from "@/app/api/admin/[resource]/[id]/route";
import * as many from "@/app/api/admin/[resource]/route";
import * as execution from "@/app/api/admin/executions/[id]/route";
import * as executions from "@/app/api/admin/executions/route";
import * as job from "@/app/api/admin/imports/[id]/route";
import * as apply from "@/app/api/admin/imports/[id]/apply/route";
import * as imports from "@/app/api/admin/imports/route";
import * as preview from "@/app/api/admin/preview/route";
import type { CallOutput } from "@/lib/contracts/agents/agent-api";
import { importJob } from "@/lib/contracts/sources/import-job";
import { previewOutput } from "@/lib/contracts/decisions/preview";
import { Client, idsOf } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { startIssuer, type TestIssuer } from "@/test/support/servers/issuer";
import { startTrainTravel, type TrainTravel } from "@/test/support/servers/train-travel";

// The main job through the HTTP handlers alone: real database, real upstream, real issuer of tokens.

useDatabase();
let trains: TrainTravel;
let corp: TestIssuer;

beforeAll(async () => {
  [trains, corp] = await Promise.all([startTrainTravel(), startIssuer()]);
  allowOutbound(trains.host, corp.host);
});
afterAll(() => Promise.all([trains.close(), corp.close()]));

const ROLES = { realm_access: { roles: ["traveller"] } };
const VISIBLE = ["trains:create-booking", "trains:get-booking", "trains:get-bookings", "trains:get-stations"];
const FORBIDDEN = "trains:create-booking-payment";

test("an imported API is granted, listed, called, refused and logged; a changed policy binds the very next call", async () => {
  // An admin imports the document and configures who gets which of its tools.
  const started = await ask<{ id: string }>(imports.POST, "POST", "/api/admin/imports", {
    body: { source: "trains", url: trains.documentUrl },
  });
  expect(started.status).toBe(202);
  const params = { id: started.json.id };
  const read = async () =>
    importJob.parse((await ask(job.GET, "GET", `/api/admin/imports/${params.id}`, { params })).json);
  await vi.waitUntil(async () => (await read()).status === "planned", { timeout: 15_000 });
  const everything = { params, body: { operations: "all" } };
  expect(await ask(apply.POST, "POST", `/api/admin/imports/${params.id}/apply`, everything)).toMatchObject({
    status: 200,
    json: { added: 7 },
  });
  await create("groups", {
    name: "travel",
    selectors: [{ source: "trains", name: "regex:(create|get)-(booking|stations)", excludedTags: ["Payments"] }],
  });
  await create("policies", {
    name: "travellers",
    matchers: [{ claim: "realm_access.roles", operator: "contains", value: "traveller" }],
    groups: ["travel"],
  });
  await create("issuers", {
    name: "corp",
    issuer: corp.issuer,
    audience: "quartermaster",
    jwksUri: corp.jwksUri,
  });

  // The preview shows what such a caller gets, and why not the rest.
  const asked = await ask(preview.POST, "POST", "/api/admin/preview", {
    body: { claims: ROLES, explain: [FORBIDDEN] },
  });
  const shown = previewOutput.parse(asked.json);
  expect(shown.tools.map((tool) => tool.toolId)).toEqual(VISIBLE);
  expect(shown.hidden.find((tool) => tool.toolId === FORBIDDEN)).toMatchObject({ reason: "not_in_granted_group" });
  expect(shown.explanations?.[FORBIDDEN]).toMatchObject({ visible: false, decidedBy: "group" });

  // An agent with a real token gets exactly that, and one call reaches the upstream.
  const agent = new Client(await corp.token({ sub: "tess", ...ROLES }));
  expect(idsOf((await agent.list()).json)).toEqual(VISIBLE);
  const allowed = await agent.call({ tool_id: "trains:get-stations", arguments: {} });
  expect(allowed).toMatchObject({ status: 200, json: { status: "succeeded" } });
  expect(trains.seen).toMatchObject([{ method: "GET", url: "/stations" }]);

  // A forbidden tool is answered like an unknown one; the log knows the difference.
  const forbidden = await agent.call({ tool_id: FORBIDDEN, arguments: {} });
  const unknown = await agent.call({ tool_id: "trains:nothing", arguments: {} });
  expect([forbidden.status, unknown.status]).toEqual([404, 404]);
  expect(withoutIds(forbidden.json, FORBIDDEN)).toEqual(withoutIds(unknown.json, "trains:nothing"));
  expect(await logged(forbidden.json)).toMatchObject({ status: "denied", reason: "not_in_granted_group" });
  expect(await logged(unknown.json)).toMatchObject({ status: "denied", toolId: null });
  expect(await logged(allowed.json)).toMatchObject({
    status: "succeeded",
    policies: ["travellers"],
    groups: ["travel"],
  });
  expect((await ask(executions.GET, "GET", "/api/admin/executions?q=tess")).json).toMatchObject({ total: 3 });

  // The policy is changed, and the very next call is refused.
  const at = { params: { resource: "policies", id: "travellers" } };
  const stored = await ask(one.GET, "GET", "/api/admin/policies/travellers", at);
  const {
    revision: _revision,
    createdAt: _created,
    updatedAt: _updated,
    ...policy
  } = stored.json as Record<string, unknown>;
  const changed = await ask(one.PUT, "PUT", "/api/admin/policies/travellers", {
    ...at,
    body: { ...policy, active: false },
    headers: { "if-match": stored.headers.get("etag") ?? "" },
  });
  expect(changed.status).toBe(200);
  const late = await agent.call({ tool_id: "trains:get-stations", arguments: {} });
  expect(late).toMatchObject({ status: 404, json: { status: "denied", error: { code: "tool_not_available" } } });
  expect(await logged(late.json)).toMatchObject({ reason: "no_policy_grant" });
  expect(trains.seen).toHaveLength(1);
  expect(idsOf((await agent.list()).json)).toEqual([]);
});

async function create(resource: string, body: object): Promise<void> {
  const made = await ask(many.POST, "POST", `/api/admin/${resource}`, { params: { resource }, body });
  expect([made.status, made.json.errors]).toEqual([201, undefined]);
}

async function logged({ call_id: id }: CallOutput) {
  return (await ask(execution.GET, "GET", `/api/admin/executions/${id}`, { params: { id } })).json;
}

/** Two refusals may differ in the call's id, its duration and the requested tool. */
function withoutIds({ call_id: _id, duration_ms: _took, ...rest }: CallOutput, asked: string): unknown {
  return JSON.parse(JSON.stringify(rest).replaceAll(asked, "ASKED"));
}
