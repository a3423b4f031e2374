import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, it, test, vi } from "vitest";
import * as rows from "@/app/api/admin/[resource]/route";
import * as row from "@/app/api/admin/[resource]/[id]/route";
import * as keyRotation from "@/app/api/admin/api-keys/[name]/rotate/route";
import * as connectionRevocations from "@/app/api/admin/connections/revocations/route";
import * as demo from "@/app/api/admin/demo/route";
import * as importing from "@/app/api/admin/imports/[id]/apply/route";
import * as bulk from "@/app/api/admin/bulk/[section]/route";
import * as config from "@/app/api/admin/config/route";
import * as driftOne from "@/app/api/admin/drift/[id]/approve/route";
import * as guesses from "@/app/api/admin/flow-guesses/answer/route";
import * as driftMany from "@/app/api/admin/drift/approve/route";
import * as revocations from "@/app/api/admin/issuers/[name]/revocations/route";
import * as pausing from "@/app/api/admin/pause/route";
import * as profileDrift from "@/app/api/admin/profiles/[name]/drift/accept/route";
import * as restoring from "@/app/api/admin/revisions/[number]/restore/route";
import * as secret from "@/app/api/admin/secrets/[name]/route";
import * as settings from "@/app/api/admin/settings/route";
import * as passwordReset from "@/app/api/admin/users/[name]/password/route";
import * as webhookRotation from "@/app/api/admin/webhooks/[name]/rotate/route";
import type { HeldChange } from "@/lib/contracts/changes/request";
import { openApi } from "@/lib/contracts/openapi/document";
import type { Role } from "@/lib/resources/permissions";
import { OPERATIONS } from "@/lib/contracts/operations/operations";
import type { ResourceName } from "@/lib/resources/kinds";
import { toValue } from "@/lib/store/config/tables";
import { policyInput } from "@/lib/resources/policy";
import { startImport } from "@/lib/sources/import/import";
import { DEMO_NOTE, SETUP } from "@/lib/store/save/demo-mark";
import { getImportJob } from "@/lib/store/sources/import-jobs";
import { toolInput } from "@/lib/resources/tool";
import { write, type Actor } from "@/lib/store/save/write";
import { ask, type Got, type Sent } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { setReview } from "@/test/support/set-review";
import { tokens } from "@/lib/store/people/tokens";
import { applyCommand } from "@/bin/commands/apply";
import { ORIGIN, signIn } from "@/test/support/person";

const database = useDatabase();
const PROGRAM: Actor = { kind: "system", name: "test", role: "admin" };
const tool = (id: string, fields: object = {}) => ({
  id,
  description: "d",
  inputSchema: { type: "object" },
  ...fields,
});
const machine = (name: string, availableIn: readonly string[]) => ({
  name,
  initial: "open",
  states: [{ name: "open" }],
  rules: [{ tool: "crm:locked", availableIn }],
});
const client = (redirectUris: readonly string[]) => ({ name: "app", redirectUris });
const everyone = { everyone: true };
const WORLD = {
  apiVersion: "quartermaster/v1",
  sources: [
    { name: "crm", kind: "http" },
    { name: "api", kind: "openapi", url: "https://api.example" },
  ],
  tools: [
    tool("crm:read", { groups: ["staff"], flowGuess: [{ kind: "is", word: "outward", from: "no annotations" }] }),
    tool("crm:list", { groups: [] }),
    tool("crm:wipe", { groups: [], enabled: false }),
    // Available in no state of the built-in machine.
    tool("crm:locked", { groups: ["staff"], availableInStates: [] }),
  ],
  groups: [
    { name: "staff" },
    { name: "effects", selectors: [{ source: "crm", hasSideEffects: true }] },
    { name: "idle", active: false, include: [{ tool: "crm:wipe" }] },
  ],
  policies: [
    { name: "staff", matchers: [{ claim: "role", operator: "equals", value: "staff" }], groups: ["staff", "effects"] },
    { name: "no-guests", effect: "deny", matchers: [{ claim: "role", operator: "exists" }], groups: ["idle"] },
    {
      name: "stop",
      effect: "deny",
      matchers: [{ claim: "guest", operator: "equals", value: true }],
      groups: ["staff"],
    },
  ],
  labels: [{ name: "seen", scope: "caller", holdMinutes: 60 }],
  flows: [{ name: "no-send", when: ["seen"], restrict: [{ is: "outward" }] }],
  machines: [machine("case", [])],
  personas: [{ name: "clerk", capabilities: [] }],
  intents: [],
  issuers: [{ name: "idp", issuer: "https://idp.example", audience: "qm", jwksUri: "https://idp.example/jwks" }],
  agents: [
    { name: "bot", persona: "clerk" },
    { name: "off", enabled: false },
    { name: "bound", issuer: "idp", subject: "ada", enabled: false },
  ],
};

const OPEN_API = {
  openapi: "3.1.0",
  info: { title: "CRM", version: "1" },
  servers: [{ url: "https://api.example" }],
  paths: { "/fresh": { get: { operationId: "fresh", responses: { 200: { description: "ok" } } } } },
};

const one = (resource: ResourceName, id: string) => ({ params: { resource, id } });
async function versionOf(table: string, key: string, id: string): Promise<Sent> {
  const [found] = await database.query<{ revision: number }>(
    `select revision from "${table}" where "${key}" = '${id}'`,
  );
  return { headers: { "if-match": `"${found?.revision ?? 0}"` } };
}
const make = (resource: ResourceName, body: object) =>
  ask(rows.POST, "POST", `/api/admin/${resource}`, { params: { resource }, body });
const put = async (resource: ResourceName, table: string, id: string, body: object, key = "name") =>
  ask(row.PUT, "PUT", `/api/admin/${resource}/${id}`, {
    ...one(resource, id),
    ...(await versionOf(table, key, id)),
    body,
  });
const drop = (resource: ResourceName, id: string) =>
  ask(row.DELETE, "DELETE", `/api/admin/${resource}/${id}`, one(resource, id));

/** A change by each operation that would let somebody see or call more, or whose effect nobody can prove. */
const WIDENING: Readonly<Record<string, () => Promise<Got>>> = {
  create_source: () => make("sources", { name: "another", kind: "http" }),
  replace_source: () => put("sources", "source", "crm", { name: "crm", kind: "http", url: "https://other.example" }),
  create_tool: () => make("tools", tool("crm:new", { groups: ["staff"] })),
  replace_tool: () => put("tools", "tool", "crm:list", tool("crm:list", { groups: ["staff"] }), "id"),
  replace_tool_group: () =>
    put("groups", "tool_group", "staff", {
      name: "staff",
      selectors: [{ source: "*" }],
      include: [{ tool: "crm:list" }],
    }),
  create_access_policy: () => make("policies", { name: "all", ...everyone, groups: ["*"] }),
  replace_access_policy: () => put("policies", "policy", "staff", { name: "staff", ...everyone, groups: ["staff"] }),
  delete_access_policy: () => drop("policies", "stop"),
  replace_agent: () => put("agents", "agent", "off", { name: "off" }),
  create_agent: () => make("agents", { name: "another" }),
  delete_agent: () => drop("agents", "bound"),
  replace_persona: () => put("personas", "persona", "clerk", { name: "clerk", capabilities: ["*"] }),
  create_state_machine: () => make("machines", machine("other", ["open"])),
  replace_state_machine: () => put("machines", "machine", "case", machine("case", ["open"])),
  replace_label: () => put("labels", "label", "seen", { name: "seen", scope: "caller", holdMinutes: 1 }),
  replace_flow_rule: () => put("flows", "flow_rule", "no-send", { ...WORLD.flows[0], active: false }),
  delete_flow_rule: () => drop("flows", "no-send"),
  create_issuer: () =>
    make("issuers", {
      name: "another",
      issuer: "https://new.example",
      audience: "qm",
      jwksUri: "https://new.example/jwks",
    }),
  replace_issuer: () => put("issuers", "issuer", "idp", { ...WORLD.issuers[0], audience: "other" }),
  create_client: () => make("clients", { name: "another", redirectUris: ["https://app.example.com/callback"] }),
  replace_client: () =>
    put("clients", "client", "app", client(["https://app.example.com/callback", "https://other.example/callback"])),
  replace_token: () => put("tokens", "token", "robot", { name: "robot", role: "editor", enabled: true }),
  replace_user: () =>
    put("users", "person", "the-auditor", { name: "the-auditor", email: "auditor@example.com", role: "admin" }),
  replace_api_key: () => put("api-keys", "api_key", "key", { name: "key", agent: "bot", enabled: true }),
  replace_webhook: () =>
    put("webhooks", "webhook", "hook", { name: "hook", url: "https://other.example", events: ["audit.alarm"] }),
  apply_configuration: () =>
    ask(config.PUT, "PUT", "/api/admin/config", { body: { ...WORLD, policies: WORLD.policies.slice(0, 2) } }),
  change_many: () =>
    ask(bulk.POST, "POST", "/api/admin/bulk/policies", {
      params: { section: "policies" },
      body: { rows: { ids: ["stop"] }, change: { kind: "delete" } },
    }),
  restore_revision: async () => {
    const [old] = await database.query<{ number: number }>(`select number from revision where note = 'wide' limit 1`);
    return ask(restoring.POST, "POST", `/api/admin/revisions/${old?.number}/restore`, {
      params: { number: String(old?.number) },
    });
  },
  replace_settings: async () =>
    ask(settings.PUT, "PUT", "/api/admin/settings", { ...(await versionOf("settings", "name", "settings")), body: {} }),
  resume: () => ask(pausing.DELETE, "DELETE", "/api/admin/pause?scope=source&name=crm"),
  set_secret: () =>
    ask(secret.PUT, "PUT", "/api/admin/secrets/another", {
      params: { name: "another" },
      body: { value: "hidden", origins: ["https://a.example"] },
    }),
  answer_flow_guesses: () =>
    ask(guesses.POST, "POST", "/api/admin/flow-guesses/answer", {
      body: { rows: { query: { q: "crm:read" } }, flow: { raises: [], is: [] } },
    }),
  lift_revocation: () =>
    ask(revocations.DELETE, "DELETE", "/api/admin/issuers/idp/revocations?jti=one", { params: { name: "idp" } }),
  lift_connection_revocation: () =>
    ask(connectionRevocations.DELETE, "DELETE", "/api/admin/connections/revocations?jti=own"),
  remove_demo: () => ask(demo.DELETE, "DELETE", "/api/admin/demo"),
  apply_import: () =>
    ask(importing.POST, "POST", `/api/admin/imports/${IMPORT}/apply`, {
      params: { id: IMPORT },
      body: { operations: "all", groups: ["staff"] },
    }),
  approve_drift: () =>
    ask(driftOne.POST, "POST", "/api/admin/drift/crm%3Awipe/approve", {
      params: { id: "crm:wipe" },
      body: { hash: HASH },
    }),
  approve_drift_items: () =>
    ask(driftMany.POST, "POST", "/api/admin/drift/approve", { body: { items: [{ id: "crm:wipe", hash: HASH }] } }),
  accept_profile_drift: async () => {
    const [found] = await database.query<{ hash: string }>(
      `select "definitionHash" as hash from tool where id = 'crm:read'`,
    );
    return ask(profileDrift.POST, "POST", "/api/admin/profiles/scheduled/drift/accept", {
      params: { name: "scheduled" },
      body: { tools: [{ tool: "crm:read", hash: found?.hash }] },
    });
  },
};

/** Operations that never show a new secret of a row in use while changes are reviewed. */
const REFUSED: Readonly<Record<string, () => Promise<Got>>> = {
  rotate_api_key: () =>
    ask(keyRotation.POST, "POST", "/api/admin/api-keys/key/rotate", { params: { name: "key" }, body: {} }),
  reset_password: () =>
    ask(passwordReset.POST, "POST", "/api/admin/users/the-auditor/password", { params: { name: "the-auditor" } }),
  rotate_webhook: () =>
    ask(webhookRotation.POST, "POST", "/api/admin/webhooks/hook/rotate", { params: { name: "hook" } }),
};

/** Other ways to make the same changes. */
const WAYS: Readonly<Record<string, () => Promise<Got>>> = {
  "a part of the configuration, as drafts of grants and rightsizing are saved": () =>
    ask(config.PUT, "PUT", "/api/admin/config?mode=merge", {
      body: {
        apiVersion: WORLD.apiVersion,
        policies: [{ name: "grant", matchers: [{ claim: "role", operator: "exists" }], groups: ["staff"] }],
      },
    }),
  "a bulk change of groups": () => many("tools", "crm:list", { kind: "add", field: "groups", values: ["staff"] }),
  "a bulk change that deactivates a flow rule": () =>
    many("flows", "no-send", { kind: "set", field: "active", value: false }),
  "a personal access token": () =>
    ask(rows.POST, "POST", "/api/admin/policies", {
      params: { resource: "policies" },
      headers: { authorization: `Bearer ${TOKEN}`, cookie: "" },
      body: { name: "all", ...everyone, groups: ["*"] },
    }),
  "a policy under another name": () =>
    put("policies", "policy", "staff", { name: "all", ...everyone, groups: ["staff"] }),
  "an end in the future instead of a deny's": () =>
    put("policies", "policy", "stop", { ...WORLD.policies[2], validUntil: "2027-01-01T00:00:00Z" }),
  "side effects that a group selects": () =>
    put("tools", "tool", "crm:list", tool("crm:list", { groups: [], hasSideEffects: true }), "id"),
};

const many = (section: string, id: string, change: object) =>
  ask(bulk.POST, "POST", `/api/admin/bulk/${section}`, {
    params: { section },
    body: { rows: { ids: [id] }, change },
  });

let HASH = "";
let IMPORT = "";
let TOKEN = "";
/** Refuses to go on when a step of the preparation fails. */
function must(status: number, got: { readonly status: number; readonly text: string }): void {
  if (got.status !== status) throw new Error(`${got.status}: ${got.text}`);
}

beforeAll(async () => {
  for (const role of ["admin", "editor", "auditor"] as const) await signIn(role);
  await setReview("off", { redact: ["iban"], openStart: false });
  must(200, await ask(config.PUT, "PUT", "/api/admin/config", { body: WORLD }));
  await write(PROGRAM, () => [{ resource: "policies", action: "delete", id: "stop" }], { note: "wide" });
  must(200, await ask(config.PUT, "PUT", "/api/admin/config", { body: WORLD }));
  must(201, await make("api-keys", { name: "key", agent: "bot", enabled: false }));
  must(201, await make("webhooks", { name: "hook", url: "https://a.example", events: ["audit.alarm"] }));
  const revoked = { params: { name: "idp" }, body: { jti: "one", reason: "lost" } };
  must(201, await ask(revocations.POST, "POST", "/api/admin/issuers/idp/revocations", revoked));
  must(
    201,
    await ask(connectionRevocations.POST, "POST", "/api/admin/connections/revocations", { body: { jti: "own" } }),
  );
  must(201, await make("clients", client(["https://app.example.com/callback"])));
  must(201, await make("tokens", { name: "robot", role: "auditor" }));
  ({ token: TOKEN } = await tokens.create(PROGRAM, { name: "ways", role: "admin", expiresAt: null, enabled: true }));
  const interns = [{ claim: "intern", operator: "equals", value: true }];
  const demoDeny = { ...WORLD.policies[2], name: "demo-stop", matchers: interns };
  await write(SETUP, () => [{ resource: "policies", action: "create", after: policyInput.parse(demoDeny) }], {
    note: DEMO_NOTE,
  });
  IMPORT = await startImport(PROGRAM, { source: "api", document: OPEN_API });
  await vi.waitUntil(async () => (await getImportJob(IMPORT)).status === "planned", { timeout: 15_000 });
  await write(PROGRAM, async (stored) => {
    const held = toValue("tools", (await stored.get("tools", "crm:wipe"))!);
    const proposed = toolInput.parse(tool("crm:wipe", { description: "other", groups: ["staff"] }));
    return [
      {
        resource: "tools",
        action: "update",
        id: "crm:wipe",
        after: { ...held, groups: ["staff"], enabled: true, status: "quarantined" },
      },
      {
        resource: "drift",
        action: "create",
        after: {
          id: "crm:wipe",
          source: "crm",
          kind: "changed",
          severity: "low",
          since: "2026-01-01T00:00:00.000Z",
          proposed,
          rejectedBy: null,
          heldByHand: false,
        },
      },
    ];
  });
  await setReview("widening", { redact: ["iban"], openStart: false });
  const paused = { body: { scope: "source", name: "crm", reason: "stop" } };
  must(200, await ask(pausing.PUT, "PUT", "/api/admin/pause", paused));
  const { GET } = await import("@/app/api/admin/drift/[id]/route");
  const read = await ask<{ hash: string }>(GET, "GET", "/api/admin/drift/crm%3Awipe", { params: { id: "crm:wipe" } });
  HASH = read.json.hash;
});
beforeEach(() => database.query("delete from request"));

async function revision(): Promise<number> {
  const [state] = await database.query<{ revision: number }>("select revision from config_state");
  return state?.revision ?? 0;
}

test.each([...Object.entries(WIDENING), ...Object.entries(WAYS)])(
  "%s saves no widening while changes are reviewed",
  async (_id, change) => {
    const before = await revision();
    const answer = await change();
    expect([answer.status, answer.status === 202 ? "" : answer.text]).toEqual([202, ""]);
    expect(["wider", "unknown"]).toContain((answer.json["verdict"] as { kind: string }).kind);
    expect(await revision()).toBe(before);
    expect(await database.query("select status from request")).toEqual([{ status: "open" }]);
  },
);

test.each(Object.entries(REFUSED))("%s is refused while changes are reviewed", async (_id, change) => {
  const before = await revision();
  expect((await change()).status).toBe(409);
  expect(await revision()).toBe(before);
});

it("new credentials are created disabled", async () => {
  const made = [
    await make("api-keys", { name: "fresh", agent: "bot" }),
    await make("tokens", { name: "fresh", role: "admin" }),
    await make("users", { name: "fresh", email: "fresh@example.com", role: "admin" }),
    await make("webhooks", { name: "fresh", url: "https://a.example", events: ["audit.alarm"] }),
  ];
  expect(made.map(({ status, json }) => [status, json["enabled"] ?? json["active"]])).toEqual(
    made.map(() => [201, false]),
  );
});

it("the plan of a new credential says that it is created switched off, and does not say that it waits", async () => {
  const plan = (resource: ResourceName, body: object) =>
    ask(rows.POST, "POST", `/api/admin/${resource}?dryRun=true`, { params: { resource }, body });
  const hook = { name: "planned", url: "https://a.example", events: ["audit.alarm"] };
  const planned = [
    await plan("api-keys", { name: "planned", agent: "bot" }),
    await plan("tokens", { name: "planned", role: "admin" }),
    await plan("users", { name: "planned", email: "planned@example.com", role: "admin" }),
    await plan("webhooks", hook),
  ];
  for (const { json } of planned)
    expect(json).toMatchObject({
      review: null,
      warnings: [{ message: expect.stringContaining("`planned` is created switched off") as string }],
    });
  expect((await plan("webhooks", { ...hook, active: false })).json).toMatchObject({ review: null, warnings: [] });
});

it("pausing, revoking, disabling and deleting credentials never wait", async () => {
  const answers = [
    await ask(pausing.PUT, "PUT", "/api/admin/pause", { body: { scope: "source", name: "crm", reason: "still" } }),
    await ask(revocations.POST, "POST", "/api/admin/issuers/idp/revocations", {
      params: { name: "idp" },
      body: { jti: "two", reason: "lost" },
    }),
    await put("agents", "agent", "bot", { name: "bot", persona: "clerk", enabled: false }),
    await drop("api-keys", "fresh"),
    await drop("webhooks", "fresh"),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 201, 200, 204, 204]);
});

/** Operations that cannot widen, by the reason. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  "answers, of which the tests of requests and approvals prove the rules": [
    "approve_call",
    "refuse_call",
    "approve_request",
    "refuse_request",
    "withdraw_request",
    "approve_access",
    "refuse_access",
    "bypass_request",
    "confirm_request",
    "revert_request",
  ],
  "takes a grant away": ["end_access"],
  "changes no configuration": [
    "read_approvals",
    "test_connection_token",
    "remove_client_registration",
    "clear_label",
    "keep_tools",
    "draft_rightsizing",
    "handle_denial",
    "reopen_denial",
    "test_webhook",
    "redeliver",
    "test_token",
    "change_password",
    "create_view",
    "replace_view",
    "delete_view",
    "start_import",
    "list_import_callers",
    "reset_breaker",
    "try_tool",
    "start_link",
    "end_link",
    "preview",
    "measure_impact",
    "measure_flow_impact",
    "count_matching_callers",
    "run_assertions",
    "match_group",
    "compare_previews",
    "list_callers",
    "replay_execution",
  ],
  "a sync, whose findings wait in the drift review": ["sync_source", "reject_drift", "reject_drift_items"],
  "a consent of an owner, whom a reviewed change named": ["answer_connection_request", "end_connection"],
  "takes away, and never waits": [
    "revoke_connection_token",
    "revoke_token",
    "end_overlap",
    "pause",
    "erase_bodies",
    "archive_month",
    "delete_secret",
    "delete_api_key",
    "delete_token",
    "delete_user",
    "delete_webhook",
    "delete_issuer",
    "delete_client",
    "delete_source",
    "delete_tool",
    "delete_persona",
  ],
  "shows tools only through a policy": ["create_tool_group", "delete_tool_group"],
  "only restricts": ["create_label", "create_flow_rule"],
  "a label that no flow rule reads: another one cannot be deleted": ["delete_label"],
  "decides nothing": ["create_intent", "replace_intent", "delete_intent"],
  "tests the rules": ["create_assertion", "replace_assertion", "delete_assertion"],
  "created disabled, as a test above shows": ["create_api_key", "create_token", "create_user", "create_webhook"],
  "a persona that no agent has, and a machine that no agent is bound to": ["create_persona", "delete_state_machine"],
};

it("the API description names the 202 and the reason's header of every operation that can wait", () => {
  const document = openApi as unknown as {
    paths: Record<string, Record<string, { operationId: string; responses: object; parameters?: { name: string }[] }>>;
  };
  const described = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ responses }) =>
      JSON.stringify((responses as Record<string, unknown>)["202"] ?? "").includes("HeldChange"),
    );
  const ids = described.map(({ operationId }) => operationId);
  expect(Object.keys(WIDENING).filter((id) => !ids.includes(id))).toEqual([]);
  expect(described.filter(({ parameters = [] }) => !parameters.some(({ name }) => name === "Review-Reason"))).toEqual(
    [],
  );
});

it("a reason in the header is on the request, and one that is too long or malformed saves nothing", async () => {
  const reason = "Für die Kampagne: \u{1f680}";
  const sent = (text: string) =>
    ask(rows.POST, "POST", "/api/admin/policies", {
      params: { resource: "policies" },
      body: { name: "all", ...everyone, groups: ["*"] },
      headers: { "review-reason": text },
    });
  const held = (await sent(encodeURIComponent(reason))).json as unknown as HeldChange;
  expect(held.request.reason).toBe(reason);
  expect((await sent("x".repeat(500))).status).toBe(202);
  for (const wrong of ["x".repeat(501), "%E0%A4%A"]) {
    const { status, json } = await sent(wrong);
    expect([status, json.errors[0]?.path]).toEqual([400, "Review-Reason"]);
  }
});

it("a change that prefers to state a reason is refused with its verdict, and opens no request without one", async () => {
  await database.query("delete from request");
  const sent = (headers: Record<string, string>, body: object = everyone) =>
    ask(rows.POST, "POST", "/api/admin/policies", {
      params: { resource: "policies" },
      body: { name: "asked-first", ...body, groups: ["*"] },
      headers: { prefer: "respond-async, review-reason", ...headers },
    });
  expect(await sent({})).toMatchObject({ status: 428, json: { code: "reason_needed", verdict: { kind: "wider" } } });
  expect(await database.query("select 1 from request")).toEqual([]);
  expect((await sent({ "review-reason": "campaign" })).status).toBe(202);
  expect((await sent({}, { ...everyone, active: false })).status).toBe(201);
});

it("the CLI prints the address of the request with its reason, and exits with 3", async () => {
  const { token } = await tokens.create(PROGRAM, { name: "ci", role: "admin", expiresAt: null, enabled: true });
  const folder = mkdtempSync(join(tmpdir(), "quartermaster-apply-"));
  const file = join(folder, "document.json");
  writeFileSync(file, JSON.stringify({ ...WORLD, policies: WORLD.policies.slice(0, 2) }));
  vi.stubGlobal("fetch", (url: URL, init: RequestInit) =>
    config.PUT(new Request(url, init), { params: Promise.resolve({}) }),
  );
  const out: string[] = [];
  const errors: string[] = [];
  const output = { out: (text: string) => out.push(text), error: (text: string) => errors.push(text) };
  try {
    const code = await applyCommand([file, "--reason", "Größere Gruppe"], output, {
      QUARTERMASTER_URL: ORIGIN,
      QUARTERMASTER_TOKEN: token,
    });
    const [request] = await database.query<{ id: string; reason: string }>("select id, reason from request");
    expect([code, out]).toEqual([3, [`${ORIGIN}/admin/requests/${request?.id}`]]);
    expect(errors.join(" ")).toContain("Nothing is saved yet");
    expect(request?.reason).toBe("Größere Gruppe");
  } finally {
    vi.unstubAllGlobals();
    rmSync(folder, { recursive: true, force: true });
  }
});

it("the plan of a save says that it waits, why, and whether the reader may apply it without review", async () => {
  const plan = (role: Role, body: object) =>
    ask(rows.POST, "POST", "/api/admin/policies?dryRun=true", { params: { resource: "policies" }, body, role });
  const wide = { name: "all", ...everyone, groups: ["*"] };
  expect((await plan("admin", wide)).json["review"]).toMatchObject({
    sentence: expect.stringContaining("would see"),
    mayBypass: true,
  });
  expect((await plan("editor", wide)).json["review"]).toMatchObject({ mayBypass: false });
  expect((await plan("admin", { ...wide, active: false })).json["review"]).toBeNull();
  const offer = { ...wide, effect: "request", maxHours: 1, approvers: ["admin"] };
  expect((await plan("admin", offer)).json["review"]).toMatchObject({ mayBypass: false });
});

it("every operation that changes something is driven here, or is named with the reason why it cannot widen", () => {
  const mutating = OPERATIONS.filter(({ method, path }) => method !== "get" && path.startsWith("/api/admin/"));
  const driven = new Set([...Object.keys(WIDENING), ...Object.keys(REFUSED), ...Object.values(OTHERS).flat()]);
  expect(mutating.map(({ id }) => id).filter((id) => !driven.has(id))).toEqual([]);
});
