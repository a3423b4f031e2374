import { readdirSync } from "node:fs";
import { join } from "node:path";
import { validate } from "@hyperjump/json-schema/openapi-3-1";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { sealSettled } from "@/lib/audit/seal/sealer";
import { API_VERSION, openApi } from "@/lib/contracts/openapi/document";
import { manifestFormat } from "@/lib/contracts/agents/agent-api";
import { METHODS } from "@/lib/contracts/operations/operation";
import { OPERATIONS } from "@/lib/contracts/operations/operations";
import { flowGuessPage } from "@/lib/contracts/sources/flow-guess";
import type { Handler } from "@/lib/http/route";
import { EXPORTED_LISTS } from "@/lib/contracts/changes/exported-lists";
import { resources, type ResourceName } from "@/lib/resources/index";
import { can, ROLES } from "@/lib/resources/permissions";
import { importOpenApi } from "@/lib/sources/openapi/import-openapi";
import { readOpenApi } from "@/lib/sources/openapi/read-document";
import { findUserByEmail } from "@/lib/store/config/users";
import { saveRegistration } from "@/lib/store/oauth/client-registrations";
import { saveConnection } from "@/lib/store/oauth/connections";
import { requestCookieName } from "@/lib/store/oauth/connection-requests";
import { saveOAuthRow } from "@/lib/store/oauth/oauth-rows";
import { saveLink } from "@/lib/store/keys/linked-accounts";
import { hashPassword } from "@/lib/store/people/password";
import { builtinTools } from "@/lib/calls/builtin/index";
import packageJson from "@/package.json" with { type: "json" };
import { keyOf, save, supportDocument, supportTool } from "@/test/api/agents-world";
import { samples } from "@/test/api/samples";
import { allowOutbound } from "@/test/support/allow-outbound";
import { countUse } from "@/test/support/count-use";
import { raiseLabels } from "@/lib/store/labels/held-labels";
import { useDatabase } from "@/test/support/database";
import { DescribedApi, handlerOf, type Asked } from "@/test/support/described-api";
import { addPerson, ORIGIN, signIn, cookieOf } from "@/test/support/person";
import { serve } from "@/test/support/servers/serve";
import type { AppError } from "@/lib/errors";
import { settingsInput } from "@/lib/resources/settings";
import { policyInput } from "@/lib/resources/policy";
import { write } from "@/lib/store/save/write";

const database = useDatabase();
// Nothing is written there: nobody works in the background.
vi.stubEnv("ARCHIVE_DIR", "/nowhere");

const api = new DescribedApi(openApi);
let agent: Record<string, string>;
let admin: Record<string, string>;

beforeAll(async () => {
  await save(supportDocument({ agents: [{ name: "refunder", attributes: { team: "support", can_refund: true } }] }));
  agent = { authorization: `Bearer ${await keyOf("refunder")}` };
  admin = await signIn("admin");
});

/** Next-auth's own protocol, and a row whose name another route uses: these are not in the document. */
const NOT_DESCRIBED = [
  "get /api/auth/{nextauth}",
  "post /api/auth/{nextauth}",
  ...["assertions/run", "groups/matches"].flatMap((path) =>
    ["get", "put", "delete"].map((verb) => `${verb} /api/admin/${path}`),
  ),
];

async function routes(): Promise<string[]> {
  const folder = join(import.meta.dirname, "../../../app/api");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith("route.ts"));
  const found = files.map(async (file) => {
    const path = `/api/${file.replace(/\/route\.ts$/, "")}`.replaceAll(/\[(?:\.\.\.)?(\w+)\]/g, "{$1}");
    const route = (await import(join(folder, file))) as Record<string, Handler | undefined>;
    const verbs = METHODS.filter((method) => route[method.toUpperCase()] !== undefined);
    const paths = path.includes("{resource}")
      ? Object.keys(resources).map((name) => path.replace("{resource}", name))
      : [path];
    return paths.flatMap((each) => verbs.map((verb) => `${verb} ${each}`));
  });
  return (await Promise.all(found)).flat().toSorted();
}

describe("the description", () => {
  it("names every route and method, and nothing else", async () => {
    const described = OPERATIONS.map(({ method, path }) => `${method} ${path}`);
    expect([...described, ...NOT_DESCRIBED].toSorted()).toEqual(await routes());
    const ids = OPERATIONS.map(({ id }) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  it("is served by the route at its address", async () => {
    const served = OPERATIONS.map(async (operation) => {
      const [{ contract }] = await handlerOf(operation);
      return contract && `${contract.method} ${contract.path}`;
    });
    expect(await Promise.all(served)).toEqual(OPERATIONS.map(({ method, path }) => `${method} ${path}`));
  });

  it("is of this release", () => {
    expect(API_VERSION).toBe(packageJson.version);
  });

  it("is a valid OpenAPI 3.1 document", async () => {
    const { valid } = await validate(
      "https://spec.openapis.org/oas/3.1/schema-base",
      structuredClone(openApi) as never,
    );
    expect(valid).toBe(true);
  });

  it("can be imported by our own importer, every operation under its id", async () => {
    const read = await readOpenApi(JSON.stringify(openApi));
    const options = { source: "ourselves", url: "https://qm.example/api/openapi.json", known: new Map() };
    const { tools } = importOpenApi(read, options);
    expect(tools.map(({ operation }) => operation).toSorted()).toEqual(OPERATIONS.map(({ id }) => id).toSorted());
  });

  it("is answered to anyone, and not twice to who has it", async () => {
    const got = await api.ask("read_api_description", {});
    expect(got.json).toEqual(JSON.parse(JSON.stringify(openApi)));
    const again = await api.ask("read_api_description", {}, { headers: { "if-none-match": got.headers.get("etag")! } });
    expect(again).toMatchObject({ status: 304, text: "" });
  });
});

/** One of a resource's six operations. */
function uniform(resource: ResourceName, verb: "list" | "export" | "create" | "read" | "replace" | "delete"): string {
  const method = { list: "get", export: "get", create: "post", read: "get", replace: "put", delete: "delete" }[verb];
  const path = {
    list: `/api/admin/${resource}`,
    export: `/api/admin/exports/${resource}`,
    create: `/api/admin/${resource}`,
    read: `/api/admin/${resource}/{id}`,
    replace: `/api/admin/${resource}/{id}`,
    delete: `/api/admin/${resource}/{id}`,
  }[verb];
  return OPERATIONS.find((one) => one.method === method && one.path === path)!.id;
}

/** Ids that do not exist. */
/** Paths whose `id` is a tool's: another text is at no address, whatever is sent there. */
const NAMES_A_TOOL = /^\/api\/admin\/(?:drift|tools)\/\{id\}\//;
const NOWHERE = {
  id: "00000000-0000-4000-8000-000000000000",
  number: "2000000000",
  to: "2000000000",
  name: "nobody",
  section: "tools",
};

describe("refusals are as described", () => {
  it("without a credential, and with one for another endpoint", async () => {
    for (const { id, who } of OPERATIONS.filter((operation) => operation.who !== "anyone")) {
      expect((await api.ask(id, {}, { params: NOWHERE })).status).toBe(401);
      expect((await api.ask(id, who === "agent" ? admin : agent, { params: NOWHERE })).status).toBe(401);
    }
  });

  it("for every role without the permission in the description", async () => {
    for (const { id, who } of OPERATIONS) {
      if (who === "anyone" || who === "agent") continue;
      for (const role of ROLES.filter((each) => !can(each, who)))
        expect((await api.ask(id, await signIn(role), { params: NOWHERE })).json).toMatchObject({
          code: "forbidden",
          permission: who,
        });
    }
  });

  it("for an unknown field in a body or a query, and for a missing row", async () => {
    const surprises: unknown[] = [];
    const expectStatus = async (status: number, ...request: Parameters<DescribedApi["ask"]>) => {
      const got = await api.ask(...request);
      if (got.status !== status) surprises.push([request[0], request[2], got.status]);
    };
    for (const { id, who, path, params, query, body, headers = [] } of OPERATIONS.filter(
      (each) => each.who !== "anyone",
    )) {
      const caller = who === "agent" ? agent : admin;
      const nowhere = NAMES_A_TOOL.test(path) ? { id: "nowhere:nothing" } : NOWHERE;
      const asked = { params: nowhere, ...(headers.includes("If-Match") && { headers: { "if-match": '"1"' } }) };
      if (query !== undefined) await expectStatus(400, id, caller, { ...asked, query: "?nonsense=1" });
      if (body !== undefined) await expectStatus(400, id, caller, { ...asked, body: { nonsense: 1 } });
      if (body !== undefined) await expectStatus(400, id, caller, { ...asked, text: "{" });
      const isRead = params !== undefined && query === undefined && body === undefined;
      if (isRead) await expectStatus(404, id, caller, asked);
    }
    expect(surprises).toEqual([]);
  });
});

describe("answers are as described", () => {
  const ask = (id: string, asked: Asked = {}) => api.ask(id, admin, asked);
  const asAgent = <T>(id: string, asked: Asked = {}) => api.ask<T>(id, agent, asked);

  it("of the service", async () => {
    expect((await api.ask("read_health", {})).status).toBe(200);
    expect((await api.ask("read_readiness", {})).status).toBe(200);
    expect((await api.ask("read_metrics", {})).status).toBe(401);
    const body = { name: "prometheus", role: "auditor", expiresAt: null, enabled: true };
    const { token } = (await ask("create_token", { body })).json;
    expect((await api.ask("read_metrics", { authorization: `Bearer ${String(token)}` })).status).toBe(200);
  });

  it("to agents: list, call and read again", async () => {
    for (const format of manifestFormat.options)
      await asAgent("list_agent_tools", { query: `?format=${format}&limit=2` });
    await asAgent("stream_agent_tools", { until: "event: tool_list" });
    const call = (tool_id: string, args: object) =>
      asAgent<{ call_id: string; status: string }>("call_tool", { body: { tool_id, arguments: args } });
    const order = await call("support:get_order", { order_id: "O-5001" });
    expect(order).toMatchObject({ status: 200, json: { status: "succeeded" } });
    expect((await call("support:drop_everything", {})).status).toBe(404);
    expect((await call("support:get_order", { order: 1 })).status).toBe(400);
    expect((await call("support:refund_order", { order_id: "O-5001", amount: 129 })).status).toBe(403);
    const params = { id: order.json.call_id };
    await asAgent("read_call", { params });
    await asAgent("cancel_call", { params });
    await asAgent("follow_call", { params });
    const body = { tool_id: "support:get_order", arguments: { order_id: "O-5001" }, mode: "async" };
    expect(await asAgent("call_tool", { body })).toMatchObject({ status: 202, json: { status: "pending" } });
    await ask("list_executions", { query: "?status=succeeded" });
    const [denial] = (await ask("list_denials")).json.items;
    const denied = { params: { id: String(denial?.["id"]) } };
    expect((await ask("read_denial", denied)).status).toBe(200);
    expect((await ask("handle_denial", denied)).status).toBe(204);
    expect((await ask("reopen_denial", denied)).status).toBe(204);
    for (const id of ["handle_denial", "reopen_denial"]) expect((await ask(id, { params: NOWHERE })).status).toBe(404);
    await ask("count_executions", { query: "?status=succeeded" });
    await ask("read_overview");
    await ask("read_attention");
    await ask("read_execution", { params: { id: order.json.call_id } });
    await ask("replay_execution", { params: { id: order.json.call_id } });
    await sealSettled();
    const exported = await ask("export_executions", { query: "?format=jsonl&columns=callId" });
    const [, exportId = ""] = /exports\/(exp_[\w-]+)>/.exec(exported.headers.get("link") ?? "") ?? [];
    expect((await ask("read_export", { params: { id: exportId } })).status).toBe(200);
    await ask("read_seals");
    expect((await ask("verify_executions")).json).toMatchObject({ intact: true });
    await ask("prove_execution", { params: { id: order.json.call_id } });
    expect((await ask("list_log_months")).json).toMatchObject({ place: expect.any(String) });
    expect((await ask("archive_month", { body: { month: "2026-01" } })).status).toBe(202);
    expect((await ask("archive_month", { body: { month: "2026-01" } })).status).toBe(409);
    const whose = { body: { agent: "nobody" } };
    expect((await ask("erase_bodies", { ...whose, query: "?dryRun=true" })).json).toMatchObject({ id: null, calls: 0 });
    expect((await ask("erase_bodies", whose)).json).toMatchObject({ id: expect.stringMatching(/^era_/), bodies: 0 });
  });

  it("to agents: sessions", async () => {
    const opened = await asAgent<{ session_id: string }>("open_session", {
      body: { group: ["*"], question: "Where is it?" },
    });
    const params = { id: opened.json.session_id };
    await asAgent("read_session", { params });
    await asAgent("change_session", { params, body: { intent: "KNOWLEDGE", confidence: 0.9 } });
    expect((await asAgent("read_session", { params: NOWHERE })).status).toBe(404);
  });

  it("of approvals", async () => {
    const asking = supportTool("builtin:calculate", { requiresApproval: true });
    await save({
      apiVersion: "quartermaster/v1",
      tools: [...builtinTools().filter(({ id }) => id !== asking["id"]), asking],
    });
    const waits = async (): Promise<{ id: string }> => {
      const body = { tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } };
      const called = await api.ask("call_tool", agent, { body });
      expect([called.status, called.json["status"]]).toEqual([202, "awaiting_approval"]);
      return { id: String(called.json["call_id"]) };
    };
    const params = await waits();
    expect((await ask("list_approvals", { query: "?status=waiting" })).json.items).toHaveLength(1);
    expect((await ask("read_approvals", { body: { ids: [params.id] } })).json["items"]).toMatchObject([
      { id: params.id },
    ]);
    expect((await ask("read_approval", { params })).json["status"]).toBe("waiting");
    expect((await ask("approve_call", { params, body: {} })).json["status"]).toBe("approved");
    expect((await ask("approve_call", { params, body: {} })).status).toBe(409);
    const refused = await ask("refuse_call", { params: await waits(), body: { reason: "Not today." } });
    expect(refused.json["status"]).toBe("refused");
    expect((await ask("refuse_call", { params, body: {} })).status).toBe(409);
    for (const id of ["read_approval", "approve_call", "refuse_call"])
      expect((await ask(id, { params: NOWHERE, body: id === "read_approval" ? undefined : {} })).status).toBe(404);
    await save({ apiVersion: "quartermaster/v1", tools: [...builtinTools()] });
  });

  it("of guessed flow, and of the callers that it concerns", async () => {
    const guess = { kind: "is", word: "outward", from: "method POST" };
    const tool = supportTool("support:get_order", { flowGuess: [guess], flow: {} });
    await save({
      apiVersion: "quartermaster/v1",
      tools: [...builtinTools().filter(({ id }) => id !== tool["id"]), tool],
    });
    const { items } = flowGuessPage.parse((await ask("list_flow_guesses")).json);
    expect(items).toMatchObject([{ id: "support:get_order" }]);
    const body = { rows: { items: items.map(({ id, revision }) => ({ id, revision })) }, flow: null };
    expect((await ask("answer_flow_guesses", { body })).status).toBe(200);
    expect((await ask("answer_flow_guesses", { body })).status).toBe(409);
    const nowhere = { ...body, rows: { items: [{ id: "support:nothing", revision: 1 }] } };
    expect((await ask("answer_flow_guesses", { body: nowhere })).status).toBe(404);
    expect((await ask("list_triangles")).status).toBe(200);
    const rule = { name: "new", when: ["private"], restrict: [{ is: "outward" }] };
    const replayed = async () => ask("measure_flow_impact", { body: { resource: "flows", input: rule } });
    await vi.waitUntil(async () => JSON.stringify(await replayed()).includes('"state":"done"'), { timeout: 15_000 });
    await save({ apiVersion: "quartermaster/v1", tools: [...builtinTools()] });
  });

  it("of access requests, from both sides", async () => {
    const { apiVersion, policies } = supportDocument() as { apiVersion: string; policies: object[] };
    const offer = { name: "offer", effect: "request", maxHours: 2, everyone: true, groups: ["tickets"] };
    await save({ apiVersion, policies: [...policies, offer] });
    const request = async (tool_id: string) => {
      const asked = await asAgent<{ request_id: string }>("open_access_request", {
        body: { tool_id, reason: "A ticket waits.", hours: 1 },
      });
      expect(asked.status).toBe(202);
      return { id: asked.json.request_id };
    };
    const params = await request("support:escalate_ticket");
    expect((await asAgent("read_access_request", { params })).status).toBe(200);
    expect((await asAgent("read_access_request", { params: NOWHERE })).status).toBe(404);
    expect((await ask("list_access_requests", { query: "?status=open" })).json.items).toHaveLength(1);
    const read = await ask("read_access_request_of_agent", { params });
    const body = { hash: String(read.json["hash"]) };
    expect((await ask("approve_access", { params, body })).json["status"]).toBe("applied");
    expect((await ask("approve_access", { params, body })).status).toBe(409);
    expect((await ask("end_access", { params })).json["mayEnd"]).toBe(false);
    const other = await request("support:close_ticket");
    expect((await ask("refuse_access", { params: other, body: {} })).json["status"]).toBe("refused");
    expect((await ask("refuse_access", { params: NOWHERE, body: {} })).status).toBe(404);
    await save({ apiVersion, policies });
  });

  it("of preview, findings, assertions and matches", async () => {
    const previewed = await ask("preview", { body: { agent: "refunder", explain: "all", manifest: "mcp" } });
    expect(previewed.status).toBe(200);
    const compared = await ask("compare_previews", { body: { before: { agent: "refunder" }, after: {} } });
    expect(compared.json["gained"]).toEqual([]);
    await ask("list_callers", { body: { kind: "tool", name: "support:get_order" } });
    await ask("list_findings");
    await ask("run_assertions");
    expect((await ask("list_built_in_groups")).status).toBe(200);
    expect((await ask("list_group_sizes")).status).toBe(200);
    expect((await ask("list_agent_sizes")).status).toBe(200);
    expect((await ask("list_groups_of_tool", { params: { id: "support:get_order" } })).status).toBe(200);
    expect((await ask("list_groups_of_tool", { params: { id: "support:nothing" } })).status).toBe(404);
    await ask("match_group", { body: { group: { selectors: [{ source: "support" }] } } });
  });

  it("of observed rules", async () => {
    const query = "?kind=policy&rule=support-staff";
    expect((await ask("read_observations", { query })).status).toBe(200);
    expect((await ask("read_observations", { query: "?kind=policy&rule=nowhere" })).status).toBe(404);
  });

  it("of rightsizing", async () => {
    const params = { name: "support-staff" };
    // Rules that were changed in the window are not judged.
    for (const table of ["policy", "tool"])
      await database.query(`update ${table} set "updatedAt" = now() - interval '100 days'`);
    await asAgent("call_tool", { body: { tool_id: "builtin:calculate", arguments: { expression: "1 + 1" } } });
    await countUse(database);
    expect((await ask("list_rightsizing")).status).toBe(200);
    const isDone = async () => JSON.stringify(await ask("read_rightsizing", { params })).includes('"state":"done"');
    await vi.waitUntil(isDone, { timeout: 15_000 });
    const drafted = await ask("draft_rightsizing", { params, body: { candidate: "own_group" } });
    expect(drafted.status).toBe(200);
    const body = { tools: ["support:get_order"], reason: "Needed at night" };
    expect((await ask("keep_tools", { params, body })).status).toBe(204);
    expect((await ask("read_agent_use", { params: { name: "refunder" } })).status).toBe(200);
    expect((await ask("read_agent_use", { params: { name: "nobody" } })).status).toBe(404);
  });

  it("of the impact of a change", async () => {
    const input = { name: "all", everyone: true, groups: ["*"] };
    expect((await ask("measure_impact", { body: { resource: "policies", input } })).status).toBe(200);
    const gone = { resource: "policies", id: "support-staff", revision: 2_000_000_000 };
    expect((await ask("measure_impact", { body: gone })).status).toBe(404);
    await ask("count_matching_callers", { body: { matchers: [{ claim: "team", operator: "exists" }, null] } });
    await ask("list_claim_paths");
    await ask("list_claim_values", { query: "?path=team" });
  });

  it("of an import", async () => {
    const trip = {
      openapi: "3.1.0",
      info: { title: "Trips", version: "1" },
      servers: [{ url: "https://trips.example" }],
    };
    const paths = { "/trips": { get: { operationId: "list_trips", responses: { 200: { description: "Trips." } } } } };
    const { json } = await ask("start_import", { body: { source: "trips", document: { ...trip, paths } } });
    const params = { id: String(json["id"]) };
    await vi.waitUntil(async () => (await ask("read_import", { params })).json["status"] === "planned", {
      timeout: 15_000,
    });
    expect((await ask("follow_import", { params })).text).toContain("event: result");
    expect(
      (await ask("list_import_callers", { params, body: { operations: "all", groups: ["default"] } })).status,
    ).toBe(200);
    expect((await ask("apply_import", { params, body: { operations: "all", groups: ["default"] } })).status).toBe(200);
    expect((await ask("list_mcp_commands")).json.items).toEqual([]);
  });

  it("of a sync and of drift", async () => {
    const document = (description: string) => ({
      openapi: "3.1.0",
      info: { title: "Ferries", version: "1" },
      servers: [{ url: "https://ferries.example" }],
      paths: { "/ferries": { get: { operationId: "list_ferries", description, responses: {} } } },
    });
    const importing = async (description: string) => {
      const { json } = await ask("start_import", { body: { source: "ferries", document: document(description) } });
      const params = { id: String(json["id"]) };
      const read = async () => (await ask("read_import", { params })).json["status"] === "planned";
      await vi.waitUntil(read, { timeout: 15_000 });
      await ask("apply_import", { params, body: { operations: "all" } });
    };
    const params = { id: "ferries:list_ferries" };
    const hashOf = async () => String((await ask("read_drift", { params })).json["hash"]);
    await importing("First.");
    expect((await ask("read_drift", { params })).status).toBe(404);
    await importing("Second.");
    expect((await ask("list_drift", { query: "?kind=changed&limit=5" })).json.total).toBe(1);
    expect((await ask("reject_drift", { params, body: { hash: await hashOf() } })).status).toBe(200);
    expect((await ask("approve_drift", { params, body: { hash: "0".repeat(64) } })).status).toBe(409);
    expect((await ask("approve_drift", { params, body: { hash: await hashOf() } })).status).toBe(200);
    await importing("Third.");
    const items = [{ ...params, hash: await hashOf() }];
    expect((await ask("reject_drift_items", { body: { items } })).json["decided"]).toBe(1);
    expect((await ask("approve_drift_items", { body: { items } })).json["decided"]).toBe(1);

    const source = { name: "unreachable", kind: "openapi", url: "http://127.0.0.1:9/openapi.json" };
    await ask("create_source", { body: source });
    expect((await ask("sync_source", { params: { name: "unreachable" } })).status).toBe(202);
    expect((await ask("sync_source", { params: { name: "ferries" } })).status).toBe(409);
    const failed = async () => (await ask("list_source_health")).text.includes('"degraded"');
    await vi.waitUntil(failed, { timeout: 15_000 });
  });

  it("of the configuration, as JSON and as YAML, and its revisions", async () => {
    const exported = await ask("export_configuration");
    expect((await ask("apply_configuration", { text: exported.text, query: "?dryRun=true" })).status).toBe(200);
    const yaml = await ask("export_configuration", { headers: { accept: "application/yaml" } });
    const headers = { "content-type": "application/yaml", "if-match": yaml.headers.get("etag")! };
    expect((await ask("apply_configuration", { text: yaml.text, headers })).status).toBe(200);
    expect(
      (await ask("apply_configuration", { text: yaml.text, headers: { ...headers, "if-match": '"1"' } })).status,
    ).toBe(409);
    await ask("read_example_configuration");
    const { items } = (await ask("list_revisions")).json;
    await ask("read_revision", { params: { number: String(items[0]!["number"]) } });
    await ask("diff_revisions", { params: { number: "1", to: String(items[0]!["number"]) } });
    await ask("restore_revision", { params: { number: String(items[0]!["number"]) } });
    await ask("list_changes", { query: "?limit=5" });
    const { items: audited } = (await ask("list_audit_trail", { query: "?limit=5" })).json;
    await ask("read_audit_entry", { params: { id: String(audited[0]!["id"]) } });
    await ask("list_profiles");
    await ask("read_demo");
    await ask("remove_demo");
  });

  it("of settings and the pause", async () => {
    const settings = await ask("read_settings");
    const headers = { "if-match": settings.headers.get("etag")! };
    const { version: _version, ...body } = settings.json;
    expect((await ask("replace_settings", { body: { ...body, sessionHours: 12 }, headers })).status).toBe(200);
    expect((await ask("replace_settings", { body, headers })).status).toBe(409);
    expect((await ask("replace_settings", { body })).status).toBe(428);
    await ask("pause", { body: { scope: "all", reason: "Fire drill" } });
    const refused = await asAgent("call_tool", {
      body: { tool_id: "support:get_order", arguments: { order_id: "O-5001" } },
    });
    expect(refused.status).toBe(503);
    await ask("list_pauses");
    await ask("resume", { query: "?scope=all" });
  });

  it("of held labels", async () => {
    await ask("create_label", { body: samples.labels.first });
    const params = { name: "untrusted" };
    await ask("list_label_holders", { params });
    const holder = { issuer: "quartermaster", subject: "somebody" };
    const at = new Date();
    const raise = { label: "untrusted", session: "", callId: "call_1", toolId: "support:get_order", at, until: null };
    await raiseLabels({ ...holder, sessionId: null }, [raise]);
    expect((await ask("list_held_labels", { query: "?agent=refunder" })).status).toBe(200);
    expect((await ask("list_held_labels", { query: "?session=s_none" })).status).toBe(404);
    expect((await ask("list_held_labels", { query: "?agent=nobody&session=s" })).status).toBe(400);
    const body = { ...holder, reason: "checked" };
    expect((await ask("clear_label", { params, body })).status).toBe(204);
    expect((await ask("clear_label", { params, body })).status).toBe(404);
    await ask("delete_label", { params: { id: "untrusted" } });
  });

  it("of revocations", async () => {
    await ask("create_issuer", { body: samples.issuers.first });
    const params = { name: "corp" };
    await ask("revoke_token", { params, body: { jti: "t-1" } });
    await ask("list_revocations", { params });
    await ask("lift_revocation", { params, query: "?jti=t-1" });
    expect((await ask("lift_revocation", { params, query: "?jti=t-1" })).status).toBe(404);
    await ask("delete_issuer", { params: { id: "corp" } });
  });

  it.each(Object.keys(samples) as ResourceName[])("of %s: create, list, read, replace, delete", async (resource) => {
    const { needs, first, change } = samples[resource];
    for (const [other, body] of needs) await ask(uniform(other, "create"), { body });
    const params = { id: String(first[resources[resource].id]) };
    expect((await ask(uniform(resource, "create"), { body: first, query: "?dryRun=true" })).status).toBe(200);
    const made = await ask(uniform(resource, "create"), { body: first });
    expect(made.status).toBe(201);
    expect((await ask(uniform(resource, "create"), { body: first })).status).toBe(409);
    expect((await ask(uniform(resource, "list"), { query: "?limit=1" })).status).toBe(200);
    for (const query of ["", "?format=jsonl"])
      expect((await ask(uniform(resource, "export"), { query })).text).toContain(params.id);
    expect((await ask(uniform(resource, "read"), { params })).status).toBe(200);
    const headers = { "if-match": made.headers.get("etag")! };
    const body = { ...first, ...change };
    for (const query of ["?dryRun=true", ""])
      expect((await ask(uniform(resource, "replace"), { params, headers, body, query })).status).toBe(200);
    expect((await ask(uniform(resource, "replace"), { params, headers, body: first })).status).toBe(409);
    expect((await ask(uniform(resource, "delete"), { params, query: "?dryRun=true" })).status).toBe(200);
    expect((await ask(uniform(resource, "delete"), { params })).status).toBe(204);
  });

  it("of sessions and changes, one by one", async () => {
    const { items: sessions } = (await ask("list_sessions")).json;
    expect((await ask("read_agent_session", { params: { id: String(sessions[0]!["id"]) } })).status).toBe(200);
    const { items: changes } = (await ask("list_changes")).json;
    expect((await ask("read_change", { params: { id: String(changes[0]!["id"]) } })).status).toBe(200);
  });

  it.each(Object.keys(EXPORTED_LISTS))("of the export of %s", async (list) => {
    for (const query of ["", "?format=jsonl"]) expect((await ask(`export_${list}`, { query })).status).toBe(200);
  });

  it("of a change of many rows", async () => {
    const params = { section: "tools" };
    const body = { rows: { query: { source: "builtin" } }, change: { kind: "add", field: "labels", values: ["ours"] } };
    const plan = await ask("change_many", { params, body, query: "?dryRun=true" });
    const headers = { "if-match": `"${String(plan.json["revision"])}"` };
    expect((await ask("change_many", { params, body, headers })).status).toBe(200);
    expect((await ask("change_many", { params, body, headers })).status).toBe(409);
    expect((await ask("change_many", { params: { section: "users" }, body })).status).toBe(404);
  });

  it("of what runs do in a machine", async () => {
    expect((await ask("read_machine_activity", { params: { name: "case" } })).status).toBe(200);
    expect((await ask("read_machine_activity", { params: { name: "nobody" } })).status).toBe(404);
  });

  it("of saved views", async () => {
    const body = { name: "mine", resource: "tools", query: { q: "order" } };
    const made = await ask("create_view", { body });
    expect(made.status).toBe(201);
    const params = { id: "mine" };
    const headers = { "if-match": made.headers.get("etag")! };
    expect((await ask("replace_view", { params, headers, body: { ...body, shared: true } })).status).toBe(200);
    expect((await ask("replace_view", { params, headers, body })).status).toBe(409);
    expect((await ask("read_view", { params })).status).toBe(200);
    expect((await ask("list_views")).json.total).toBe(1);
    expect((await ask("delete_view", { params })).status).toBe(204);
  });

  it("of a key's rotation and of a token's test", async () => {
    const params = { name: "refunder-key" };
    expect((await ask("rotate_api_key", { params, body: {} })).status).toBe(201);
    expect((await ask("end_overlap", { params })).status).toBe(204);
    expect((await ask("end_overlap", { params })).status).toBe(404);
    await ask("create_issuer", { body: samples.issuers.first });
    const tested = await ask("test_token", { params: { name: "corp" }, body: { token: "e30.e30.e30" } });
    expect(tested.json["accepted"]).toBe(false);
  });

  it("of profile drift", async () => {
    const { items } = (await ask("list_profile_drift", { params: { name: "subagent" }, query: "?limit=1" })).json;
    const tools = items.map(({ tool, hash }) => ({ tool, hash }));
    const accepted = await ask("accept_profile_drift", { params: { name: "subagent" }, body: { tools } });
    expect(accepted.json["accepted"]).toBe(1);
  });

  it("of a source's breaker", async () => {
    const params = { name: "support" };
    expect((await ask("read_breaker", { params })).json["state"]).toBe("closed");
    expect((await ask("reset_breaker", { params })).status).toBe(200);
  });

  it("of a tool that is tried", async () => {
    const params = { id: "builtin:calculate" };
    const body = { agent: "refunder", arguments: { expression: "6*7" } };
    expect((await ask("try_tool", { params, body })).json).toMatchObject({ status: "succeeded", printed: [] });
    expect((await ask("try_tool", { params, body: { arguments: {} } })).status).toBe(400);
  });

  it("of secrets", async () => {
    const params = { name: "shop-token" };
    const origins = ["https://api.example.com"];
    expect((await ask("set_secret", { params, body: { origins } })).status).toBe(400);
    expect((await ask("set_secret", { params, body: { value: "shop-token-1", origins } })).status).toBe(200);
    expect((await ask("list_secrets", { query: "?q=shop&sort=-setAt" })).json.items).toHaveLength(1);
    expect((await ask("read_secret", { params })).json["origins"]).toEqual(origins);
    expect((await ask("delete_secret", { params })).status).toBe(204);
    expect((await ask("delete_secret", { params })).status).toBe(404);
  });

  it("of linked accounts", async () => {
    const upstream = await serve(async () => {
      const endpoints = {
        authorization_endpoint: `${upstream.origin}/auth`,
        token_endpoint: `${upstream.origin}/token`,
      };
      return Response.json({ issuer: upstream.origin, ...endpoints });
    });
    onTestFinished(() => upstream.close());
    allowOutbound(upstream.host);
    const auth = { mode: "user", resource: upstream.origin, issuer: upstream.origin, clientId: "quartermaster" };
    await ask("create_source", { body: { name: "own", kind: "http", auth } });
    const params = { name: "own" };
    expect((await ask("list_linked_accounts", { query: "?source=own&sort=-linkedAt" })).json.items).toEqual([]);
    expect((await ask("read_linked_account", { params })).json).toMatchObject({ linkable: true, account: null });
    expect((await ask("start_link", { params })).status).toBe(200);
    expect((await ask("start_link", { params: NOWHERE })).status).toBe(404);
    expect((await ask("end_link", { params })).status).toBe(404);
    const [{ id: personId = "" } = {}] = await database.query<{ id: string }>(
      "select id from person where email = 'admin@example.com'",
    );
    const server = { issuer: upstream.origin, token_endpoint: `${upstream.origin}/token`, revocation_endpoint: null };
    const client = { id: "quartermaster", via: "configured", method: "none", secret: null } as const;
    const grant = { accessToken: "a", refreshToken: null, resource: upstream.origin, server, client };
    const link = { personId, source: "own", origin: upstream.origin, scope: "", grant, usableUntil: null };
    await saveLink({ kind: "system", name: "test", role: "admin" }, link, new Date());
    expect((await ask("read_linked_account", { params })).json["account"]).toMatchObject({ state: "linked" });
    expect((await ask("end_link", { params })).json).toEqual({ upstream: "not_offered" });
    expect((await api.ask("finish_link", {}, { query: "?state=forged" })).status).toBe(303);
    const document = await api.ask("read_client_document", {}, { params: { document: "public" } });
    expect(document.json).toMatchObject({ client_name: "Quartermaster" });
  });

  it("of webhooks, deliveries and callbacks' keys", async () => {
    await ask("create_webhook", { body: { ...samples.webhooks.first, name: "hook" } });
    const params = { name: "hook" };
    expect((await ask("rotate_webhook", { params })).status).toBe(201);
    const sent = await ask("test_webhook", { params });
    expect(sent.status).toBe(202);
    const delivery = { params: { id: String(sent.json["id"]) } };
    expect((await ask("list_deliveries", { query: "?webhook=hook&status=pending" })).json.total).toBe(1);
    expect((await ask("read_delivery", delivery)).status).toBe(200);
    expect((await ask("redeliver", delivery)).status).toBe(202);
    await database.query("update webhook set active = false");
    expect((await ask("test_webhook", { params })).status).toBe(409);
    expect((await ask("redeliver", delivery)).status).toBe(409);
    expect((await api.ask("read_callback_keys", {})).status).toBe(200);
  });

  it("of a row in use", async () => {
    await ask("create_persona", { body: { name: "clerk" } });
    await ask("create_agent", { body: { name: "desk", persona: "clerk" } });
    expect((await ask("delete_persona", { params: { id: "clerk" } })).json.code).toBe("in_use");
  });

  it("of accounts", async () => {
    await ask("read_me");
    await ask("create_user", { body: { name: "ada", email: "ada@example.com", role: "auditor" } });
    expect((await ask("reset_password", { params: { name: "ada" } })).status).toBe(201);
    await signIn("editor");
    const hash = await hashPassword("correct horse battery");
    await database.query(`update person set "passwordHash" = $1 where email = 'editor@example.com'`, [hash]);
    const body = { current: "correct horse battery", next: "staple staple staple" };
    expect((await api.ask("change_password", await signIn("editor"), { body })).status).toBe(204);
  });

  it("of a request to connect, answered", async () => {
    const returnTo = `http://127.0.0.1:3000/oauth/authorize/asked`;
    await saveOAuthRow("Interaction", "asked", { returnTo }, 60);
    await saveOAuthRow("ConnectionRequest", "asked", {}, 60);
    const { cookie, origin } = await signIn("auditor");
    const headers = { cookie: `${cookie}; ${requestCookieName("asked")}=asked`, origin };
    const answered = await api.ask("answer_connection_request", headers, {
      params: { id: "asked" },
      body: { agent: null },
    });
    expect(answered).toMatchObject({ status: 200, json: { location: returnTo } });
  });

  it("of connections, listed and ended", async () => {
    const person = await findUserByEmail("admin@example.com");
    const client = "https://client.example.com/c.json";
    const consent = { person: person?.id ?? "", client, clientName: "Client", agent: "reader", scopes: ["tools"] };
    const id = await saveConnection({ kind: "system", name: "test", role: "admin" }, consent);
    const listed = await api.ask("list_connections", await signIn("admin"));
    expect(listed.json).toMatchObject({ total: 1, items: [{ id, person: "the-admin", client, agent: "reader" }] });
    expect((await api.ask("end_connection", await signIn("admin"), { params: { id } })).status).toBe(204);
  });

  it("of access tokens of connections: tested, revoked and accepted again", async () => {
    const tested = await api.ask("test_connection_token", admin, { body: { token: "no token" } });
    expect(tested.json).toMatchObject({ accepted: false, connection: null });
    const body = { jti: "one", until: null, reason: "" };
    expect((await api.ask("revoke_connection_token", admin, { body })).status).toBe(201);
    expect((await api.ask("list_connection_revocations", admin)).json).toMatchObject({ items: [{ jti: "one" }] });
    const lifted = await api.ask("lift_connection_revocation", admin, { query: "?jti=one" });
    expect(lifted.status).toBe(204);
  });

  it("of requests: listed, read, approved, refused, withdrawn, bypassed, confirmed and reverted", async () => {
    const settings = (changes: "off" | "widening") =>
      write({ kind: "system", name: "test", role: "admin" }, async (stored) => {
        const row = await stored.get("settings", "settings");
        const after = { name: "settings", value: settingsInput.parse({ ...row?.value, review: { changes } }) } as const;
        return row === null
          ? [{ resource: "settings", action: "create", after }]
          : [{ resource: "settings", action: "update", id: "settings", after }];
      });
    await signIn("editor");
    await settings("widening");
    const hold = async (name: string) => {
      const after = policyInput.parse({ name, everyone: true, groups: ["*"] });
      const asker = { kind: "user", name: "editor@example.com", role: "editor" } as const;
      const held = await write(asker, () => [{ resource: "policies", action: "create", after }]).catch(
        (error) => error,
      );
      return (held as AppError).extra["request"] as { readonly id: string; readonly hash: string };
    };
    const [first, second, third] = [await hold("one"), await hold("two"), await hold("three")];
    const [fourth, fifth] = [await hold("four"), await hold("five")];
    expect((await api.ask("list_requests", await signIn("admin"), { query: "?kind=change" })).json.items).toHaveLength(
      5,
    );
    const asked = async (operation: string, id: string, body: object, role: "admin" | "editor" = "admin") =>
      (await api.ask(operation, await signIn(role), { params: { id }, body })).status;
    expect((await api.ask("read_request", await signIn("admin"), { params: { id: first.id } })).status).toBe(200);
    expect((await api.ask("measure_request", await signIn("admin"), { params: { id: first.id } })).status).toBe(200);
    expect(await asked("approve_request", first.id, { hash: first.hash })).toBe(200);
    expect(await asked("refuse_request", second.id, {})).toBe(200);
    expect(await asked("withdraw_request", third.id, {}, "editor")).toBe(200);
    const colleague = await addPerson({ email: "second@example.com", name: "second", role: "admin" });
    const cookie = await cookieOf(colleague);
    for (const { id, hash } of [fourth, fifth])
      expect(await asked("bypass_request", id, { hash, reason: "now" })).toBe(200);
    const confirmed = await api.ask(
      "confirm_request",
      { cookie, origin: ORIGIN },
      { params: { id: fourth.id }, body: { hash: fourth.hash } },
    );
    expect(confirmed.status).toBe(200);
    expect(await asked("revert_request", fifth.id, {})).toBe(200);
    await settings("off");
  });

  it("of clients that registered themselves, listed and removed", async () => {
    const id = "urn:uuid:0b7a2f5e-0000-4000-8000-000000000000";
    await saveRegistration(id, { client_name: "Editor", redirect_uris: ["http://127.0.0.1/callback"] }, "192.0.2.1");
    const listed = await api.ask("list_client_registrations", await signIn("admin"));
    expect(listed.json).toMatchObject({ total: 1, items: [{ id, name: "Editor", address: "192.0.2.1" }] });
    const removed = await api.ask("remove_client_registration", await signIn("admin"), { params: { id } });
    expect(removed.status).toBe(204);
  });

  it("of every operation: each described operation was requested", () => {
    expect(OPERATIONS.map(({ id }) => id).filter((id) => !api.exercised.has(id))).toEqual([]);
  });
});
